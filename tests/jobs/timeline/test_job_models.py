"""timeline with a model: what it says counts for what it has earned, and every word of it is checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lab.evaluation.worlds import Weather
from lab.stubs.keys import SHIPPED, DetailKey, EventKey, HistoryKey, Keys, exam_items, exam_keys
from lab.stubs.reader import Reader
from lab.stubs.skill import Skill
from lab.stubs.topic_keys import (
    StatedKey,
    SynthesisKey,
    TopicKey,
    TopicKeys,
    topic_keys,
)
from timeline_world import ENGLISH, MODEL_SET, begun, desk, gone_on, made, scenario

from groundwire.jobs.timeline.report import REPORT
from groundwire.jobs.timeline.result import Node, ThreadOutcome, TimelineResult

TOPIC = "Velmora Bridge"
EXAMINED = {**MODEL_SET, "models.exam": "first_use", "budget.run_usd": 50}
TOLL = "A toll of $6 is charged on the Velmora Bridge since January 2024."
# What a careful reader would say of the small web.
KEYS = Keys(
    histories=[
        HistoryKey(
            texts=(*(each["text"].split("\n\n")[0] for each in ENGLISH), TOLL),
            events=(
                EventKey(passages=(1,), title="Work on the Velmora Bridge began"),
                EventKey(
                    passages=(2,),
                    title="A crane fell from the Velmora Bridge",
                    significance="high",
                ),
                EventKey(passages=(3, 4), title="The Velmora Bridge opened to traffic"),
                EventKey(passages=(6,), title="A toll of $6 is charged on the Velmora Bridge"),
                EventKey(passages=(5,), title="The Velmora Bridge is to get a second deck"),
            ),
        )
    ],
    details=[
        DetailKey(
            title="A crane fell from the Velmora Bridge",
            facts=(("two workers",),),
            impact=(("six weeks",),),
            people=({"name": ("Dana Okafor",), "role": ("Chief Engineer",)},),  # type: ignore[arg-type]
        )
    ],
)

BEGAN = "Work on the Velmora Bridge began on 4 March 2019"
FELL = "A crane fell from the Velmora Bridge on 19 November 2021"
OPENED = "The Velmora Bridge opened to traffic on 12 August 2023"
COMES_TO = SynthesisKey(
    topic=TOPIC,
    right=(
        StatedKey(text="Work on the bridge began on 4 March 2019.", quote=BEGAN),
        StatedKey(text=f"{FELL}.", quote=FELL),
        StatedKey(text=f"{OPENED}.", quote=OPENED),
    ),
    insight=(
        StatedKey(text=f"{BEGAN}.", quote=BEGAN),
        StatedKey(text=f"{OPENED}.", quote=OPENED),
    ),
)


def dates(result: TimelineResult) -> list[str]:
    return [each.date for each in result.nodes]


def of(result: TimelineResult, date: str) -> Node:
    return next(each for each in result.nodes if each.date == date)


def _asked(thread: ThreadOutcome) -> dict[str, Any]:
    return thread.model_dump(include={"name", "description", "estimated_nodes"})


def _votes(result: TimelineResult) -> set[tuple[str, str]]:
    return {(each.question, each.vote) for each in result.decided if each.by != "embedded"}


def reader(skill: float, seed: int = 0, *keys: TopicKey) -> Reader:
    topics = topic_keys(exam_items(SHIPPED)) + TopicKeys(keys or (COMES_TO,))
    return Reader(exam_keys() + KEYS, Skill(skill, seed), topics=topics)


@pytest.mark.parametrize("lie", [None, "url"])
async def test_what_a_model_says_is_shown_where_it_stands_and_the_draft_elsewhere(
    tmp_path: Path, lie: str | None
) -> None:
    async with desk(tmp_path, scenario(), Weather(lie=lie), **MODEL_SET) as app:
        result, _ = await made(app, TOPIC)
        run = await app.runs.find(result.run_id)
        pages = {each.id: await app.archive.get(each.document_id) for each in result.evidence}
        lines = await app.store.ledger.records(run.id)
    assert {"2019-03-04", "2021-11-19", "2023-08-12"} <= set(dates(result))
    assert any(each.kind == "model" for each in lines)
    for sentence in REPORT.cites(run).sentences:
        for each in sentence.citations:
            document = pages[each.evidence_id]
            assert document is not None
            assert document.text[each.start : each.end] == each.quote
    assert "http" not in " ".join(each.title for each in result.nodes)


async def test_a_model_that_is_down_leaves_the_embedded_history(tmp_path: Path) -> None:
    async with desk(tmp_path, scenario(down=["model"]), **MODEL_SET) as app:
        result, _ = await made(app, TOPIC)
    assert result.status == "degraded"
    assert {"2019-03-04", "2021-11-19", "2023-08-12"} <= set(dates(result))
    assert all(node.detail is not None and node.detail.by == "embedded" for node in result.nodes)


# --- what a model has earned -------------------------------------------------------------------


async def test_a_reader_that_earns_it_chooses_titles_joins_and_tells(tmp_path: Path) -> None:
    async with desk(tmp_path, scenario(), reader=reader(0.98), **EXAMINED) as app:
        result, _ = await made(app, TOPIC)
    assert _votes(result) == {
        ("timeline/choose_milestones", "decides"),
        ("timeline/write_detail", "decides"),
        ("timeline/write_synthesis", "decides"),
        ("timeline/find_links", "decides"),
        ("timeline/plan_threads", "decides"),
    }
    crane = of(result, "2021-11-19")
    assert (crane.title, crane.significance) == ("A crane fell from the Velmora Bridge", "high")
    assert crane.by == "openai:stub-heavy"
    assert crane.detail is not None
    assert crane.detail.by == "openai:stub-heavy"
    assert [each.name for each in crane.detail.key_people] == ["Dana Okafor"]
    # What the key does not list is no event.
    assert {"2019-03-04", "2021-11-19", "2023-08-12"} <= set(dates(result))
    assert len(result.nodes) <= len(KEYS.histories[0].events)


@pytest.mark.parametrize("seed", [0, 1])
async def test_a_reader_that_is_half_wrong_changes_no_event_and_no_date(
    tmp_path: Path, seed: int
) -> None:
    async with desk(tmp_path / "alone", scenario()) as app:
        alone, _ = await made(app, TOPIC)
    async with desk(tmp_path / "advised", scenario(), reader=reader(0.5, seed), **EXAMINED) as app:
        # Threads are a person's to confirm: here those of the other run.
        waiting = await begun(app, TOPIC)
        run = await gone_on(app, waiting, threads=[_asked(each) for each in alone.threads])
        result = TimelineResult.model_validate(run.result)
    votes = {vote for question, vote in _votes(result) if question != "timeline/plan_threads"}
    assert votes == {"advises"}
    assert dates(result) == dates(alone)
    for node, before in zip(result.nodes, alone.nodes, strict=True):
        assert node.description == before.description
        assert node.significance == before.significance
        assert node.detail is not None
        assert before.detail is not None
        assert set(before.detail.impact) <= set(node.detail.impact)


async def test_an_adviser_adds_the_insight_and_leaves_codes_summary(tmp_path: Path) -> None:
    async with desk(tmp_path / "alone", scenario()) as app:
        alone, _ = await made(app, TOPIC)
    settings = {**EXAMINED, "models.exam": "off"}
    async with desk(tmp_path / "advised", scenario(), reader=reader(1.0), **settings) as app:
        result, _ = await made(app, TOPIC)
    assert not alone.synthesis.insight
    assert result.synthesis.summary == alone.synthesis.summary
    assert [each.text for each in result.synthesis.insight] == [f"{BEGAN}.", f"{OPENED}."]
    assert result.synthesis.by == "openai:stub-heavy"


async def test_a_decider_writes_the_summary_and_the_report_cites_it(tmp_path: Path) -> None:
    async with desk(tmp_path, scenario(), reader=reader(1.0), **EXAMINED) as app:
        result, _ = await made(app, TOPIC)
        shown = REPORT.cites(await app.runs.find(result.run_id)).sentences
    assert [each.text for each in result.synthesis.summary] == [
        "Work on the bridge began on 4 March 2019.",
        f"{FELL}.",
        f"{OPENED}.",
    ]
    assert all(each in shown for each in result.synthesis.sentences)


@pytest.mark.parametrize("exam", ["off", "first_use"])
async def test_a_lie_is_in_no_synthesis_and_takes_the_rest_of_an_insight_with_it(
    tmp_path: Path, exam: str
) -> None:
    lie = StatedKey(text="The Velmora Bridge opened to traffic in May 2029.", quote=OPENED)
    key = COMES_TO.model_copy(update={"right": (lie,), "insight": (COMES_TO.insight[0], lie)})
    async with desk(tmp_path / "alone", scenario()) as app:
        alone, _ = await made(app, TOPIC)
    settings = {**EXAMINED, "models.exam": exam}
    async with desk(tmp_path / "lied", scenario(), reader=reader(1.0, 0, key), **settings) as app:
        result, _ = await made(app, TOPIC)
    if exam == "off":  # who decides also chose other events, of which code's summary then tells
        assert result.synthesis == alone.synthesis
    assert result.synthesis.by == "embedded"
    assert not result.synthesis.insight
    assert "2029" not in " ".join(each.text for each in result.synthesis.sentences)


async def test_a_reader_that_is_often_right_loses_no_event_that_it_is_sure_of(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path, scenario(), reader=reader(0.8), **EXAMINED) as app:
        result, _ = await made(app, TOPIC)
        cited = REPORT.cites(await app.runs.find(result.run_id)).sentences
    assert all(each.citations for each in cited)
    assert {"2019-03-04", "2023-08-12"} <= set(dates(result))


async def test_a_call_takes_at_most_four_requests_with_its_repairs(tmp_path: Path) -> None:
    ladder = {"models.heavy": ["openai:one", "openai:two", "openai:three"], "budget.run_usd": 50}
    weather = Weather(lie="passage")
    async with desk(tmp_path, scenario(), weather, **{**MODEL_SET, **ladder}) as app:
        result, events = await made(app, TOPIC)
        lines = await app.store.ledger.records(result.run_id)
    asked = [each for each in lines if each.kind == "model"]
    by_model = {each.provider for each in asked}
    # Threads are chosen from at once, in each round; every detail is a lie, twice and twice again.
    threads = 2 * sum(each.type == "skeleton" for each in events)
    details = sum(each.type == "detail" for each in events)
    wholes = 2 * 4  # the synthesis and the links
    assert 4 * details < len(asked) <= 4 * details + threads + wholes
    assert by_model == {"openai:one", "openai:two"}
    assert all(each.detail is not None and each.detail.by == "embedded" for each in result.nodes)
