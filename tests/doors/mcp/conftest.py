"""Data folders with the sample in their archive, and a desk that asks for tokens."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from groundwire.app import open_app
from groundwire.jobs.sections import Settings
from tests.doors.mcp.desks import Desk, SlowWeb, serving, slow_web


@dataclass(frozen=True)
class Tokens:
    """Two tokens that may run, one that may read, one that may ask twice a minute."""

    anna: str
    bert: str
    rita: str
    slow: str


@pytest.fixture
def home(sample_home: Path, tmp_path: Path) -> Path:
    return shutil.copytree(sample_home, tmp_path / "home")


@pytest.fixture(scope="session")
def guarded(
    sample_home: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Desk, Tokens]]:
    """Start a desk that asks everybody for a token, with tokens for it."""
    home = shutil.copytree(sample_home, tmp_path_factory.mktemp("guarded") / "home")

    async def issue() -> Tokens:
        async with open_app(Settings.load({"home": str(home)})) as app:
            return Tokens(
                anna=(await app.access.create("anna")).secret,
                bert=(await app.access.create("bert")).secret,
                rita=(await app.access.create("rita", scope="read")).secret,
                slow=(await app.access.create("slow", per_minute=2)).secret,
            )

    tokens = asyncio.run(issue())
    with serving(home, GROUNDWIRE_DESK__REQUIRE_TOKEN="1") as desk:
        yield desk, tokens


@pytest.fixture
async def web() -> AsyncIterator[SlowWeb]:
    async with slow_web() as found:
        yield found
