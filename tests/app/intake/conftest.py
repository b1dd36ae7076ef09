"""An app on a fresh data folder that answers without the network, and a door of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
import stamina

from groundwire.app import App, open_app
from groundwire.jobs.sections import Settings
from tests.app.additions.site import Site, serving

Opened = Callable[..., AbstractAsyncContextManager[App]]


@pytest.fixture(autouse=True)
def no_backoff() -> Iterator[None]:
    stamina.set_testing(True, attempts=2, cap=True)
    yield
    stamina.set_testing(False)


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as running:
        yield running


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    """Open the app of one data folder, again and again, with any settings."""
    home = tmp_path / "home"
    home.mkdir()

    def make(**more: Any) -> AbstractAsyncContextManager[App]:
        given = {
            "home": str(home),
            "fetch.allow_private": ["127.0.0.0/8"],
            "fetch.workers": 1,
            "fetch.delay": 0,
            "search.chain": ["archive"],
            "tools.price.enabled": False,
            "tools.onchain.enabled": False,
            **{name.replace("__", "."): value for name, value in more.items()},
        }
        return open_app(Settings.load(given, cwd=home, env={"HOME": str(home)}))

    return make


@pytest.fixture
async def app(opened: Opened) -> AsyncIterator[App]:
    async with opened() as running:
        yield running
