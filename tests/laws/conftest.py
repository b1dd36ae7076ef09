"""Stubs for the whole folder, and no waiting between tries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import stamina
from lab.stubs import Stubs, running_stubs

from tests.laws.house import House


@pytest.fixture(autouse=True)
def no_backoff() -> Iterator[None]:
    stamina.set_testing(True, attempts=3, cap=True)
    yield
    stamina.set_testing(False)


@pytest.fixture(scope="session")
def running() -> Iterator[Stubs]:
    with running_stubs() as started:
        yield started


@pytest.fixture
def stubs(running: Stubs) -> Stubs:
    """Provide the stubs, reset and well-behaved."""
    running.reset()
    running.latency(model=0.0, search=0.0, page=0.0)
    return running


@pytest.fixture
def house(tmp_path: Path) -> House:
    """Provide a data folder with only an archive; a test adds the rest."""
    return House(tmp_path / "house")
