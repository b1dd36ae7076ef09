"""A thread without a page: named as missing; told from a model's memory only where a person allowed it, and never as a node."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lab.stubs.keys import SHIPPED, exam_items, exam_keys
from lab.stubs.reader import Reader
from lab.stubs.skill import Skill
from lab.stubs.topic_keys import MemoryEvent, MemoryKey, TopicKeys, topic_keys
from timeline_world import MODEL_SET, desk, made, scenario

from groundwire.app import exports
from groundwire.jobs.timeline import memories, recall_events
from groundwire.jobs.timeline.proposal import Plan
from groundwire.jobs.timeline.report import REPORT
from groundwire.jobs.timeline.result import TimelineResult
from groundwire.jobs.timeline.threads import usual_threads
from groundwire.jobs.timeline.types import Found
from groundwire.model.query import Hit

WHO = "openai:stub-heavy"
TOPICS = {"en": "Ostrava Tunnel", "zh": "奥斯特隧道", "zh-Hant": "奧斯特隧道工程"}
TITLES = {
    "en": ("The tunnel is opened", "The tunnel is planned"),
    "zh": ("隧道通车", "隧道开始规划"),
    "zh-Hant": ("隧道通車", "隧道開始規劃"),
}
DATES = ("2011-05", "1998")


def reader(topic: str, language: str = "en") -> Reader:
    known = zip(DATES, TITLES[language], strict=True)
    events = tuple(MemoryEvent(date=date, says=(title,)) for date, title in known)
    keys = topic_keys(exam_items(SHIPPED)) + TopicKeys([MemoryKey(topic=topic, events=events)])
    return Reader(exam_keys(), Skill(1.0, 0), topics=keys)


async def told(
    home: Path, topic: str, models: dict[str, Any] = MODEL_SET, **given: Any
) -> TimelineResult:
    async with desk(home, scenario(), reader=reader(topic), **models) as app:
        result, _ = await made(app, topic, **given)
    return result


@pytest.mark.parametrize(("language", "topic"), TOPICS.items())
async def test_what_a_model_remembers_stands_apart_with_its_name(
    tmp_path: Path, language: str, topic: str
) -> None:
    given = {"language": language, "allow_model_memory": True}
    async with desk(tmp_path, scenario(), reader=reader(topic, language), **MODEL_SET) as app:
        result, _ = await made(app, topic, **given)
        run = await app.runs.find(result.run_id)
        files = {form: await exports.export(app, run, form) for form in ("md", "csv", "html")}
    assert result.nodes == ()
    assert result.synthesis.summary == ()
    assert [(each.date, each.title, each.by) for each in result.unsourced] == [
        ("1998", TITLES[language][1], WHO),
        ("2011-05", TITLES[language][0], WHO),
    ]
    assert result.checks.unsupported == len(result.unsourced)
    assert {each.code for left in result.unsourced for each in left.problems} == {
        "timeline.problem.memory"
    }
    assert not REPORT.cites(run).sentences
    for form, file in files.items():
        text = file.data.decode("utf-8")
        assert text.count(WHO) >= len(DATES), form


@pytest.mark.parametrize(
    "given", [{}, {"allow_model_memory": True, "strict": True}], ids=["unasked", "strict"]
)
async def test_without_leave_nobody_is_asked(tmp_path: Path, given: dict[str, Any]) -> None:
    result = await told(tmp_path, TOPICS["en"], **given)
    assert result.unsourced == ()


async def test_without_a_model_there_is_nothing_to_remember(tmp_path: Path) -> None:
    result = await told(tmp_path, TOPICS["en"], {}, allow_model_memory=True)
    assert result.unsourced == ()
    assert result.gaps


def test_only_a_thread_without_a_page_is_told_from_memory() -> None:
    threads = usual_threads("medium", "en")
    plan = Plan(topic="x", language="en", level="medium", threads=threads)
    hit = Hit(title="t", url="https://a.example/1", content="c", provider="tavily", rank=0)
    found = (
        Found(thread=0, hits=(hit,), searches=2),
        Found(thread=1, searches=2),
        Found(thread=2, searches=2, failed=2),
    )
    assert memories.empty_threads(plan, found) == threads[1:]
    # Of a thread that nobody has searched for, nothing is known to be missing.
    assert memories.empty_threads(plan, found[:1]) == ()
    later = Found(thread=1, round=1, hits=(hit,), searches=1)
    assert memories.empty_threads(plan, (*found, later)) == (threads[2],)


def test_a_memory_is_dated_and_not_of_tomorrow() -> None:
    given = recall_events.RecallInput(
        topic="x", thread="y", language="en", today="2024-05-01", most=4
    )
    fault = recall_events.QUESTION.fault_of
    for date, right in (
        ("2024", True), ("2024-05", True), ("2024-05-01", True), ("2024-05-02", False),
        ("2024-13", False), ("2023-02-30", False), ("May 2024", False), ("44", False),
    ):  # fmt: skip
        event = recall_events.Remembered(date=date, title="It was opened")
        found = fault(given, recall_events.Memories(remembered=(event,)))
        assert (found is None) is right, date


@pytest.mark.parametrize(
    ("told_so", "score"),
    [
        ([("1969-07-20", "Apollo 11 lands on the Moon")], 0.25),
        ([("1969", "Apollo 11 lands on the Moon"), ("1971", "Apollo 13 turns back")], 0.0),
        ([("1968-12-21", "Apollo 8"), ("1970-04", "Apollo 13"), ("1931", "a shop opens")], 0.5),
        ([], 0.0),
    ],
)
def test_memories_are_scored_by_their_dates(told_so: list[tuple[str, str]], score: float) -> None:
    from groundwire.reasoning.exam import paper, score_of

    exam = recall_events.QUESTION.exam
    assert exam is not None
    item = next(each for each in paper(exam.items).items if each.id == "en-apollo")
    events = tuple(recall_events.Remembered(date=date, title=title) for date, title in told_so)
    value = recall_events.Memories(remembered=events)
    assert score_of(exam, exam.read(item.given), value, item.expect) == pytest.approx(score)


def test_the_field_is_offered_at_every_door() -> None:
    from groundwire.doors.mcp import offers

    form = json.dumps(offers.offers()["timeline"].tool.input_schema)
    assert "allow_model_memory" in form
