"""A loopback site, and the app on a fresh data folder that may read it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import stamina

from groundwire.app import App, open_app
from groundwire.jobs.sections import Settings
from tests.app.additions.site import Site, serving


@pytest.fixture(autouse=True)
def no_backoff() -> Iterator[None]:
    stamina.set_testing(True, attempts=3, cap=True)
    yield
    stamina.set_testing(False)


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as running:
        yield running


def settings_for(home: Path, site: Site | None = None, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = {
        "home": str(home),
        "fetch.allow_private": ["127.0.0.0/8"],
        "fetch.workers": 1,
        "search.chain": ["archive"],
    }
    if site is not None:
        found["fetch.allow_ports"] = [int(site.port)]
    return {**found, **more}


@pytest.fixture
async def app(tmp_path: Path, site: Site) -> AsyncIterator[App]:
    home = tmp_path / "home"
    home.mkdir()
    loaded = Settings.load(settings_for(home, site), cwd=home, env={"HOME": str(home)})
    async with open_app(loaded) as opened:
        yield opened
