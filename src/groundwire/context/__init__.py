"""What a step may touch, and nothing else."""

from groundwire.context.context import Context, Parts

__all__ = ["Context", "Parts"]
