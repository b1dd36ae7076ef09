"""Measurements and evaluations: what a checkout has besides the product."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Put on the path of a process, these let it import `groundwire` and `lab`, installed or not.
PATHS = (ROOT / "src", ROOT)
