"""Runs follow what analysts say, and a run already made does not change when they say otherwise."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.laws.house import NOW, House, ask, result

from groundwire.app import App
from groundwire.jobs import find as job
from groundwire.model.source import Override
from groundwire.runs.replay import replay
from groundwire.versions import versions


@pytest.fixture
async def app(tmp_path: Path, database_url: str) -> AsyncIterator[App]:
    async with House(tmp_path / "house", database_url, more={"ask.pages": 20}).open() as opened:
        await opened.archive.add_sample()
        yield opened


def _tiers(run: object) -> dict[str, tuple[str, bool]]:
    found = result(run)  # type: ignore[arg-type]
    return {each.publisher: (each.tier, "analyst" in each.flags) for each in found.evidence}


async def test_a_run_follows_the_judgement_of_its_time(app: App) -> None:
    before = await ask(app)
    publisher, domain = "Northgate Wire", "northgatewire.example"
    assert _tiers(before)[publisher] == ("wire", False)
    await app.store.sources.override(
        Override(domain=domain, tier="social", why="it only copies", by="ana", at=NOW)
    )
    after = await ask(app)
    assert _tiers(after)[publisher] == ("social", True)

    # Both again from their records: the first still sees no judgement, the second still does.
    await app.store.sources.withdraw(domain, NOW, "ana", "changed my mind")
    for run in (before, after):
        again = await replay(job("ask"), run, app.outside.parts(run), versions())
        assert (again.replayed, list(again.differences)) == (run.digest, [])
