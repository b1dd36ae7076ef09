"""Stubs of a model, two engines and a web, and no waiting between tries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import stamina
from lab.stubs import Stubs, running_stubs
from tests.laws.house import House

BRAVE_KEY = "brave-planted-0123456789abcdef"


@pytest.fixture
def no_backoff() -> Iterator[None]:
    stamina.set_testing(True, attempts=3, cap=True)
    yield
    stamina.set_testing(False)


@pytest.fixture(scope="session")
def running() -> Iterator[Stubs]:
    with running_stubs("model", "tavily", "brave", "web") as started:
        yield started


@pytest.fixture
def stubs(running: Stubs) -> Stubs:
    """Provide the stubs, reset and well-behaved."""
    running.reset()
    running.latency(model=0.0, search=0.0, page=0.0)
    return running


@pytest.fixture
def house(tmp_path: Path, stubs: Stubs, no_backoff: None) -> House:
    """Provide a desk with two engines, of which one search asks the first."""
    more = {
        "search.chain": ["tavily", "brave", "archive"],
        "search.providers.brave.base_url": stubs.url("brave"),
        "search.providers.brave.api_key": BRAVE_KEY,
        "ask.queries": 1,
        "ask.pages": 1,
    }
    return House(tmp_path / "house", stubs=stubs, more=more)
