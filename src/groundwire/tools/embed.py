"""Give documents of the archive their vectors."""

from __future__ import annotations

from pydantic import Field

from groundwire.context import Context
from groundwire.model.base import Value

_BATCH = 32


class Input(Value):
    """How many at most."""

    limit: int = Field(default=1000, ge=1, le=100_000)


class Result(Value):
    """What was done."""

    model: str
    placed: int
    left: bool  # the limit was reached: there may be more


async def run(context: Context, given: Input) -> Result:
    """Embed documents that have no vectors of the configured model yet, in recorded batches."""
    likeness = context.likeness()
    ids = await likeness.unplaced(context.scope, given.limit)
    placed = 0
    for start in range(0, len(ids), _BATCH):
        placed += await likeness.place(context.scope, ids[start : start + _BATCH])
        await context.emit("progress", {"phase": "embed", "at": placed, "of": len(ids)})
    return Result(model=likeness.label, placed=placed, left=len(ids) == given.limit)
