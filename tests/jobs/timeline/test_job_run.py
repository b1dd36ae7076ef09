"""timeline as a job on the real app, over a small frozen world: what is told, and on which words it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from timeline_world import CHINESE, ENGLISH, TAIWAN, begun, desk, gone_on, made, page, scenario

from groundwire.app import confirmation
from groundwire.app.exports import replay_run
from groundwire.errors import InputError
from groundwire.jobs.timeline.report import REPORT
from groundwire.jobs.timeline.result import TimelineResult
from groundwire.report import blocks

TOPIC = "Velmora Bridge"


def dates(result: TimelineResult) -> list[str]:
    return [each.date for each in result.nodes]


@pytest.mark.parametrize(
    ("web", "topic", "days"),
    [
        (ENGLISH, TOPIC, {"2019-03-04", "2021-11-19", "2023-08-12"}),
        (CHINESE, "维尔莫拉大桥", {"2019-03-04", "2023-08-12"}),
        (TAIWAN, "維爾莫拉大橋", {"2019-03-04", "2023-08-12"}),
    ],
)
async def test_events_stand_at_their_days_in_order(
    tmp_path: Path, web: list[dict[str, str]], topic: str, days: set[str]
) -> None:
    async with desk(tmp_path, scenario(web)) as app:
        result, _ = await made(app, topic)
    assert days <= set(dates(result))
    assert dates(result) == sorted(dates(result))
    assert result.target.nodes == 20
    assert result.reason_if_short is not None


async def test_every_quote_stands_in_the_page_that_it_is_of(tmp_path: Path) -> None:
    async with desk(tmp_path, scenario()) as app:
        result, _ = await made(app, TOPIC)
        documents = {each.id: each.document_id for each in result.evidence}
        cited = REPORT.cites(await app.runs.find(result.run_id)).sentences
        assert cited
        for sentence in cited:
            assert sentence.citations
            for each in sentence.citations:
                document = await app.archive.get(documents[each.evidence_id])
                assert document is not None
                assert document.text[each.start : each.end] == each.quote
    assert all(node.citations and node.date_sources for node in result.nodes)


async def test_the_story_is_told_in_its_order_and_replays(tmp_path: Path) -> None:
    async with desk(tmp_path, scenario()) as app:
        result, events = await made(app, TOPIC)
        replayed = await replay_run(app, await app.runs.find(result.run_id))
    assert (replayed.identical, replayed.differences) == (True, ())
    kinds = [each.type for each in events]
    first = {kind: kinds.index(kind) for kind in reversed(kinds)}
    order = ["proposal", "progress", "skeleton", "detail", "synthesis", "complete"]
    assert sorted(order, key=first.__getitem__) == order
    told = {each.payload["node"] for each in events if each.type == "detail"}
    assert {each.id for each in result.nodes} <= told


async def test_details_come_from_the_supporting_pages_alone(tmp_path: Path) -> None:
    async with desk(tmp_path, scenario()) as app:
        result, _ = await made(app, TOPIC)
    node = next(each for each in result.nodes if each.date == "2021-11-19")
    assert node.detail is not None
    assert [each.text for each in node.detail.impact] == [
        "As a result the ministry stopped all work for six weeks."
    ]
    assert [(each.name, each.role) for each in node.detail.key_people] == [
        ("Dana Okafor", "engineer")
    ]
    assert node.detail.quote is not None
    assert "every bolt" in node.detail.quote.text
    told = (*node.detail.key_features, *node.detail.impact, *node.detail.context)
    assert {c.evidence_id for each in told for c in each.citations} <= set(node.citations)


async def test_dates_that_differ_stand_side_by_side_with_who_gives_them(tmp_path: Path) -> None:
    async with desk(tmp_path, scenario()) as app:
        result, _ = await made(app, TOPIC)
        report = REPORT.report(await app.runs.find(result.run_id))
    opened = [each for each in result.nodes if each.date in ("2023-08-12", "2023-08-14")]
    assert len(opened) == 1
    given = {each.date: each.publisher for each in opened[0].date_sources}
    assert set(given) == {"2023-08-12", "2023-08-14"}
    sides = [each for each in report.blocks if isinstance(each, blocks.Sides)]
    assert [len(each.items) for each in sides] == [2]


async def test_what_lies_ahead_is_due_and_a_month_stays_a_month(tmp_path: Path) -> None:
    async with desk(tmp_path, scenario()) as app:
        result, _ = await made(app, TOPIC)
    found = {each.date: each for each in result.nodes}
    assert found["2027-10-01"].standing == "due"
    toll = found.get("2024-01")
    if toll is not None:
        assert (toll.precision, str(toll.interval.end)) == ("month", "2024-01-31")
    assert not any(each.startswith("2024-01-") for each in found)


async def test_as_of_a_day_it_tells_what_could_be_known_then(tmp_path: Path) -> None:
    async with desk(tmp_path, scenario()) as app:
        result, _ = await made(app, TOPIC, as_of="2022-01-01")
    assert set(dates(result)) == {"2019-03-04", "2021-11-19"}
    assert not any(each.by_then for each in result.evidence if "2023" in each.url)


# --- a person's word -------------------------------------------------------------------------


async def test_another_process_goes_on_with_what_was_edited(tmp_path: Path) -> None:
    async with desk(tmp_path, scenario()) as app:
        waiting = await begun(app, TOPIC)
        assert waiting.waiting is not None
        fields = waiting.waiting.fields
        assert (fields["topic"], fields["level"], fields["usual_searches"]) == (
            TOPIC, "light", "20–29",
        )  # fmt: skip
        assert fields["searches"] == 2 * 4 + 20 + 3  # two threads of four: two in each language
        with pytest.raises(InputError):
            await confirmation.confirm(app, waiting, {"threads": []}, by="a reader")
    thread = {"name": "accidents", "description": "cranes and falls", "estimated_nodes": 3}
    async with desk(tmp_path, scenario()) as app:
        again = await app.runs.find(waiting.id)
        run = await gone_on(app, again, threads=[thread])
    result = TimelineResult.model_validate(run.result)
    assert [(each.name, each.estimated_nodes) for each in result.threads] == [("accidents", 3)]
    assert len(result.nodes) <= 3
    assert result.target.nodes == 3


async def test_an_edited_language_is_that_of_the_timeline_and_of_its_usual_threads(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path, scenario()) as app:
        own = {"name": "accidents", "description": "", "estimated_nodes": 3}
        waiting = await begun(app, TOPIC)
        assert waiting.waiting is not None
        threads = [*waiting.waiting.fields["threads"], own]
        run = await gone_on(app, waiting, language="zh-Hant", threads=threads)
    result = TimelineResult.model_validate(run.result)
    assert result.language == "zh-Hant"
    assert [each.name for each in result.threads] == ["發展歷程", "監管與爭議", "accidents"]


async def test_a_budget_that_is_too_small_is_said_and_nodes_share_searches(tmp_path: Path) -> None:
    async with desk(tmp_path, scenario(), **{"budget.run_usd": 0.05}) as app:
        waiting = await begun(app, TOPIC)
        assert waiting.waiting is not None
        fields = waiting.waiting.fields
    assert fields["budget_usd"] == 0.05
    assert (fields["enough"], fields["nodes_per_search"]) == (False, 5)
    assert fields["cost_usd"]["most"] > 0.05


# --- bad input and bad weather ---------------------------------------------------------------


@pytest.mark.parametrize("topic", ["", "   ", "…！？", "x" * 300, "桥" * 300])
async def test_a_topic_that_is_none_is_refused(tmp_path: Path, topic: str) -> None:
    async with desk(tmp_path, scenario()) as app:
        with pytest.raises(InputError) as refusal:
            await app.submit("timeline", {"topic": topic})
    for language in ("en", "zh", "zh-Hant"):
        assert "timeline" in refusal.value.describe(language)


async def test_when_every_search_fails_nothing_is_invented_and_it_can_be_resumed(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path, scenario(down=["search"])) as app:
        run = await gone_on(app, await begun(app, TOPIC))
        result = TimelineResult.model_validate(run.result)
    assert (run.state, result.nodes, result.synthesis.summary) == ("failed", (), ())
    assert [each.why for each in result.gaps] == ["gap.every_search_failed"]
    async with desk(tmp_path, scenario()) as app:
        await app.engine.resume(run.id)
        run = await app.finished(run.id)
    assert run.state == "complete"
    assert len(TimelineResult.model_validate(run.result).nodes) >= 3


async def test_when_the_search_of_one_thread_fails_the_others_finish_and_the_gap_is_named(
    tmp_path: Path,
) -> None:
    threads = [
        {"name": "opening traffic", "estimated_nodes": 4},
        {"name": "zeppelin moorings", "estimated_nodes": 4},
    ]
    async with desk(tmp_path, scenario(), down=["zeppelin"]) as app:
        waiting = await begun(app, TOPIC)
        run = await gone_on(app, waiting, threads=threads, both_languages=False)
        result = TimelineResult.model_validate(run.result)
    assert run.state == "degraded"
    assert {"2019-03-04", "2023-08-12"} <= set(dates(result))
    assert [(each.name, each.searches, each.failed) for each in result.threads] == [
        ("opening traffic", 2, 0),
        ("zeppelin moorings", 2, 2),
    ]
    gap = next(each for each in result.gaps if each.why == "timeline.gap.thread_failed")
    assert "zeppelin moorings" in str(gap.params)
    async with desk(tmp_path, scenario()) as app:
        await app.engine.resume(run.id)
        again = await app.finished(run.id)
        sent = [each for each in await app.store.ledger.records(run.id) if each.kind == "search"]
    assert again.state == "complete"
    # Only what had failed was asked again.
    assert sum(each.attempt == 2 for each in sent if each.via == "sent") == 2


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        (TOPIC, "The Velmora Bridge is a long bridge. Many people like the Velmora Bridge."),
        ("维尔莫拉大桥", "维尔莫拉大桥是一座很长的桥，很多人喜欢这座维尔莫拉大桥。"),
        ("維爾莫拉大橋", "維爾莫拉大橋是一座很長的橋，很多人喜歡這座維爾莫拉大橋。"),
        # Before our era, and by the moon: no day of our calendar is named.
        (TOPIC, "The first Velmora Bridge stood in 221 BC. It fell soon after 44 BCE."),
        (
            "维尔莫拉大桥",
            "维尔莫拉大桥的前身建于公元前221年，农历正月初一举行庙会，维尔莫拉大桥由此得名。",
        ),
    ],
)
async def test_pages_without_dates_give_no_event_and_say_so(
    tmp_path: Path, topic: str, text: str
) -> None:
    web = [page("quiet.example", "", topic, text)]
    async with desk(tmp_path, scenario(web)) as app:
        result, _ = await made(app, topic)
    assert (result.status, result.nodes) == ("complete", ())
    old = any(each in text for each in ("BC", "公元前"))
    told = ["timeline.gap.era"] * old + ["timeline.gap.no_dates"]
    assert [each.why for each in result.gaps] == told


@pytest.mark.parametrize("topic", ["Zorblax Quandary Engine", "佐布拉克斯難題", "佐布拉克斯难题"])
async def test_a_topic_of_which_nothing_is_known_says_so(tmp_path: Path, topic: str) -> None:
    async with desk(tmp_path, scenario()) as app:
        result, _ = await made(app, topic)
    assert (result.status, result.nodes, result.unsourced) == ("complete", (), ())
    assert [each.why for each in result.gaps] == ["gap.nothing_found"]


async def test_one_page_is_told_and_named_as_the_only_one(tmp_path: Path) -> None:
    async with desk(tmp_path, scenario(ENGLISH[:1])) as app:
        result, _ = await made(app, TOPIC)
    assert dates(result) == ["2019-03-04"]
    assert "timeline.gap.one_page" in [each.why for each in result.gaps]


async def test_a_year_is_a_year(tmp_path: Path) -> None:
    web = [
        page("annals.example", "2024-02-01", "Annals", "The Velmora Bridge was painted in 2020.")
    ]
    async with desk(tmp_path, scenario(web)) as app:
        result, _ = await made(app, TOPIC)
    for node in result.nodes:
        assert (node.date, node.precision) == ("2020", "year")
        assert (str(node.interval.begin), str(node.interval.end)) == ("2020-01-01", "2020-12-31")


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        (TOPIC, "The Velmora Bridge is 4 years old this year and still the longest."),
        ("维尔莫拉大桥", "维尔莫拉大桥今年是全国最长的大桥。"),
        ("維爾莫拉大橋", "維爾莫拉大橋今年是全國最長的大橋。"),
    ],
)
async def test_this_year_is_when_a_page_was_written(tmp_path: Path, topic: str, text: str) -> None:
    web = [page("annals.example", "2024-02-01", topic, text)]
    async with desk(tmp_path, scenario(web)) as app:
        result, _ = await made(app, topic)
    assert not any(each.precision == "year" for each in result.nodes)
