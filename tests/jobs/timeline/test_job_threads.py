"""The threads of a plan: what pages at hand speak to, and the names that a model gives them."""

from __future__ import annotations

from pathlib import Path

import pytest
from lab.stubs.keys import SHIPPED, exam_items, exam_keys
from lab.stubs.reader import Reader
from lab.stubs.skill import Skill
from lab.stubs.topic_keys import ThreadsKey, TopicKeys, topic_keys
from timeline_world import MODEL_SET, begun, desk, scenario

from groundwire.jobs.timeline import plan_threads
from groundwire.jobs.timeline.plan_threads import NamedThread, Threads, ThreadsInput
from groundwire.words import words

PARTS = (("piers and decks", "桥墩"), ("the crane inquiry", "吊杆"))


def _usual(language: str, *headlines: str, level: str = "light") -> list[str]:
    given = ThreadsInput(topic="x", language=language, level=level, headlines=headlines)  # type: ignore[arg-type]
    found = plan_threads.QUESTION.embedded(given)
    names = {words(language)(f"timeline.thread.{n}"): n for n in plan_threads.USUAL}
    return [names[each.name] for each in found.threads]


@pytest.mark.parametrize(
    ("language", "headlines", "second"),
    [
        ("en", (), "response"),
        ("en", ("Velmora shares plunged", "Velmora raises $90 million", "Velmora opens"), "market"),
        ("en", ("Regulator fined Velmora", "Court blocks Velmora", "Velmora shares fell"), "response"),
        ("zh", ("维尔莫拉股价暴跌", "维尔莫拉营收下降", "维尔莫拉开业"), "market"),
        ("zh", ("维尔莫拉发表论文", "维尔莫拉新芯片"), "research"),
        ("zh-Hant", ("維爾莫拉股價暴跌", "維爾莫拉營收下滑"), "market"),
        ("zh-Hant", ("維爾莫拉遭法院裁定", "監管機關調查維爾莫拉"), "response"),
    ],
)  # fmt: skip
def test_without_a_model_the_usual_threads_are_those_that_pages_speak_to(
    language: str, headlines: tuple[str, ...], second: str
) -> None:
    assert _usual(language, *headlines) == ["course", second]


def test_one_headline_alone_changes_no_plan() -> None:
    assert _usual("en", "Velmora shares plunged") == ["course", "response"]


@pytest.mark.parametrize("level", ["light", "medium", "deep", "epic"])
def test_every_level_has_its_threads_and_events(level: str) -> None:
    given = ThreadsInput(topic="x", language="en", level=level)  # type: ignore[arg-type]
    plan = plan_threads.planned(given, plan_threads.QUESTION.embedded(given))
    assert len(plan) == given.size.threads
    assert sum(each.estimated_nodes for each in plan) == given.size.nodes


def test_the_events_are_shared_out_as_a_model_weighs_its_threads() -> None:
    given = ThreadsInput(topic="x", language="en", level="medium")
    named = tuple(NamedThread(name=each, events=n) for each, n in (("a", 30), ("b", 4), ("c", 1)))
    plan = plan_threads.planned(given, Threads(threads=named))
    assert [each.estimated_nodes for each in plan] == [30, 4, 1]
    heavy = tuple(NamedThread(name=each, events=n) for each, n in (("a", 200), ("b", 1)))
    plan = plan_threads.planned(given, Threads(threads=heavy))
    assert plan[1].estimated_nodes == 1
    assert sum(each.estimated_nodes for each in plan) <= given.size.nodes + 1


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (("one",), "timeline.fault.threads"),
        (("one", "One"), "timeline.fault.thread_twice"),
        (("one", " "), "timeline.fault.thread"),
        (("one", "see https://x.example/y"), "fault.beside_link"),
        (("桥墩", "橋墩"), ""),
        (("one", "two"), ""),
    ],
)
def test_a_models_threads_are_checked(names: tuple[str, ...], code: str) -> None:
    given = ThreadsInput(topic="x", language="en", level="light")
    found = Threads(threads=tuple(NamedThread(name=each) for each in names))
    fault = plan_threads.QUESTION.fault_of(given, found)
    assert (fault.code if fault else "") == code


@pytest.mark.parametrize("topic", ["Velmora Bridge", "维尔莫拉大桥", "維爾莫拉大橋"])
async def test_a_model_names_the_threads_of_the_plan(tmp_path: Path, topic: str) -> None:
    names = tuple((part[not topic.isascii()],) for part in PARTS)
    key = ThreadsKey(topic=topic, parts=names)
    topics = topic_keys(exam_items(SHIPPED)) + TopicKeys([key])
    reader = Reader(exam_keys(), Skill(1.0, 0), topics=topics)
    settings = {**MODEL_SET, "models.light": ["openai:stub-light"]}
    async with desk(tmp_path, scenario(), reader=reader, **settings) as app:
        waiting = await begun(app, topic)
        calls = await app.store.ledger.records(waiting.id)
    assert waiting.waiting is not None
    threads = waiting.waiting.fields["threads"]
    assert [each["name"] for each in threads] == [name for (name,) in names]
    assert len([each for each in calls if each.kind == "model"]) <= 4
