"""Finished timelines of a like topic are offered with the proposal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from timeline_world import begun, desk, gone_on, scenario

from groundwire.app.exports import replay_run
from groundwire.jobs.timeline.similar import likest
from groundwire.model.proposal import Offered

NOW = datetime(2025, 6, 3, tzinfo=UTC)


def finished(*topics: str) -> list[Offered]:
    return [
        Offered(run_id=f"r{at}", title=topic, at=NOW - timedelta(days=at))
        for at, topic in enumerate(topics)
    ]


@pytest.mark.parametrize(
    ("topic", "others", "offered"),
    [
        ("DeepSeek", ["DeepSeek R1", "Euler Finance", "deepseek"], ["DeepSeek R1", "deepseek"]),
        ("Bitcoin spot ETF", ["Bitcoin ETF", "Ethereum merge", "Lake Oram dam"], ["Bitcoin ETF"]),
        ("比特币 ETF", ["比特幣現貨ETF", "天气", "雷曼兄弟"], ["比特幣現貨ETF"]),
        ("人工智慧法案", ["人工智能法案", "臨川地鐵", "潮州海鷗隊"], ["人工智能法案"]),
        ("artificial intelligence", ["人工智能", "iPhone"], ["人工智能"]),
        ("Velmora Bridge", ["Ferrow Bridge accident", "Silicon Valley Bank"], []),
    ],
)
def test_like_topics_are_found_in_either_language(
    topic: str, others: list[str], offered: list[str]
) -> None:
    assert sorted(each.title for each in likest(topic, finished(*others))) == sorted(offered)


def test_of_one_topic_the_newest_is_offered() -> None:
    assert [each.run_id for each in likest("DeepSeek", finished("DeepSeek", "DeepSeek"))] == ["r0"]


async def test_a_finished_timeline_is_offered_first_and_one_goes_on_all_the_same(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path, scenario()) as app:
        first = await begun(app, "Velmora Bridge")
        assert first.waiting is not None
        assert first.waiting.offers == ()
        await gone_on(app, first)
        again = await begun(app, "the Velmora Bridge")
        assert again.waiting is not None
        assert [each.run_id for each in again.waiting.offers] == [first.id]
        run = await gone_on(app, again)
        assert run.state == "complete"
        replayed = await replay_run(app, run)
    assert (replayed.identical, replayed.differences) == (True, ())
