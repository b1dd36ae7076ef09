"""Measurements and evaluations: what a checkout has beside the product."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# What a process needs on its path to import both `groundwire` and `lab`, installed or not.
PATHS = (ROOT / "src", ROOT)
