"""Finished timelines of a like topic are offered with the proposal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from lab.evaluation.worlds import MODEL
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


@pytest.mark.parametrize(
    ("topic", "title"),
    [
        ("carmakers on strike", "Detroit walkout"),
        ("车厂停工", "底特律罢工潮"),
        ("車廠停工", "底特律罷工潮"),
    ],
)
def test_what_is_near_in_meaning_is_offered_whatever_its_words(topic: str, title: str) -> None:
    others = finished(title, "Lake Oram dam")
    assert likest(topic, others) == ()
    near = {title: 0.86, "Lake Oram dam": 0.4}
    assert [each.title for each in likest(topic, others, near)] == [title]


@pytest.mark.parametrize("down", [False, True])
async def test_meaning_is_asked_for_only_where_a_model_is_set_and_may_fail(
    tmp_path: Path, down: bool
) -> None:
    embed = {
        "models.embed": ["openai:text-embedding-3-small"],
        "models.providers.openai.base_url": "https://nowhere.invalid/v1"
        if down
        else f"https://{MODEL}/v1",
        "models.providers.openai.api_key": "sk-frozen",
    }
    async with desk(tmp_path, scenario()) as app:
        first = await begun(app, "Velmora Bridge")
        await gone_on(app, first)
        assert "embed" not in [each.kind for each in await app.store.ledger.records(first.id)]
    async with desk(tmp_path, scenario(), **embed) as app:
        run = await begun(app, "the Velmora Bridge")
        calls = await app.store.ledger.records(run.id)
        assert run.waiting is not None
        assert len(run.waiting.offers) == 1
        run = await gone_on(app, run)
    assert [each.kind for each in calls].count("embed") == 1
    assert run.result is not None
    parts = [each["part"] for each in run.result["degraded"]]
    assert any("likeness" in each for each in parts) is down, parts
