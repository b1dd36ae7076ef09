"""Timelines of the sample, offline and without a model, read node by node where pages differ or say the opposite."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.app import confirmation, open_app
from groundwire.jobs.sections import Settings
from groundwire.jobs.timeline.result import Node, TimelineResult


async def _nodes(home: Path, topic: str) -> tuple[Node, ...]:
    settings = Settings.load({"home": str(home), "offline": True}, cwd=home, env={})
    async with open_app(settings) as app:
        await app.archive.add_sample()
        run = await app.submit("timeline", {"topic": topic, "level": "light"})
        await confirmation.confirm(app, await app.finished(run.id), {}, by="a reader")
        return TimelineResult.model_validate((await app.finished(run.id)).result).nodes


def _on(nodes: tuple[Node, ...], date: str) -> list[Node]:
    return [each for each in nodes if each.date == date]


async def test_a_release_that_one_page_dates_otherwise_is_one_event_with_both_days(
    tmp_path: Path,
) -> None:
    nodes = await _nodes(tmp_path, "DeepSeek")
    (released,) = [each for each in _on(nodes, "2025-01-20") if "R1" in each.title]
    assert {each.date for each in released.date_sources} == {"2025-01-20", "2025-01-22"}
    assert _on(nodes, "2025-01-22") == []
    shares, app = sorted(_on(nodes, "2025-01-27"), key=lambda each: "Nvidia" not in each.title)
    assert set(shares.citations) != set(app.citations)


@pytest.mark.parametrize("topic", ["比特币 ETF", "比特幣 ETF"])
async def test_an_approval_stands_beside_the_day_that_differs_and_its_denial_of_the_day_before(
    tmp_path: Path, topic: str
) -> None:
    nodes = await _nodes(tmp_path, topic)
    approved = [
        each
        for each in _on(nodes, "2024-01-10")
        if "2024-01-11" in {given.date for given in each.date_sources}
    ]
    assert len(approved) == 1
    assert _on(nodes, "2024-01-09")
