"""Recorded payloads, where a machine has them."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def payloads() -> Path:
    """Return the folder of recorded payloads (`GROUNDWIRE_EVAL_DIR`, or beside the project)."""
    named = os.environ.get("GROUNDWIRE_EVAL_DIR")
    folder = Path(named) if named else Path(__file__).parents[3] / "shared" / "eval"
    if not (folder / "payloads" / "feeds").is_dir():
        warnings.warn(f"NO RECORDED PAYLOADS in {folder}: not read", stacklevel=1)
        pytest.skip(f"there are no recorded payloads in {folder}; set GROUNDWIRE_EVAL_DIR")
    return folder / "payloads"
