"""timeline: a topic in, a dated, sourced history without repeats out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from groundwire.jobs import Job, Places, drawn, in_graph
from groundwire.jobs.timeline.proposal import Plan
from groundwire.jobs.timeline.result import TimelineResult
from groundwire.jobs.timeline.steps import STEPS
from groundwire.jobs.timeline.subject import topic_of
from groundwire.jobs.timeline.types import TimelineInput, confined
from groundwire.model.base import JsonObject
from groundwire.model.change import Belief, Change
from groundwire.model.desk import CommandBar, DeskSection, Entry, Typed
from groundwire.model.memory import Lesson
from groundwire.model.outbox import Notice
from groundwire.settings import Settings


def _fits(typed: Typed) -> float:
    if topic_of(typed.text) != typed.text:
        return 0.95  # it says what it wants: "timeline of …"
    return 0.3 if typed.topic else 0.05


def _entry(result: TimelineResult) -> Entry:
    weighty = [each for each in result.nodes if each.significance != "medium"] or result.nodes
    return Entry(
        title=result.topic,
        text=" · ".join(f"{each.date} {each.title}" for each in weighty[:3]),
        missing=" ".join(gap.what for gap in result.gaps[:1]),
        articles=len(result.evidence),
        origins=len(result.origins),
    )


BAR = CommandBar(
    field="topic",
    fits=_fits,
    names=("timeline", "history", "时间线", "時間線", "時間軸", "大事记", "大事記"),
    place=30,
    examples=("timeline.example.1",),
)
SECTION = DeskSection(entry=_entry, place=40, most=4)


def teaches(result: TimelineResult) -> Sequence[Lesson]:
    from groundwire.gather.lessons import lessons_of

    sentences = [each for node in result.nodes for each in node.description]
    return lessons_of(
        sentences, result.evidence, kept=frozenset({"supported"}), subject=result.topic
    )


def again(given: JsonObject, _schedule: str, previous: str) -> JsonObject:
    """Return the input of a standing run: compared with the last one, its plan confirmed once for all."""
    return {**given, "since": previous or given.get("since", ""), "standing": True}


def believes(result: TimelineResult, language: str) -> tuple[Belief, ...]:
    from groundwire.jobs.timeline import living

    return living.believes(result, language or result.language)


def changes(result: TimelineResult, language: str) -> tuple[Change, ...]:
    from groundwire.jobs.timeline import living

    return living.changes(result, language or result.language)


def notice(result: TimelineResult) -> Notice | None:
    from groundwire.jobs.timeline import living

    return living.notice_of(result)


def prepare(settings: Settings, _door: str) -> JsonObject:
    return {"language": settings.language}


JOB = Job(
    kind="timeline",
    input=TimelineInput,
    result=TimelineResult,
    run=partial(in_graph, "timeline"),
    draw=partial(drawn, "timeline"),
    steps=STEPS,
    bar=BAR,
    section=SECTION,
    options={"results": None, "node_results": None, "pages": None, "concurrency": None},
    prepare=prepare,
    teaches=teaches,
    notice=notice,
    again=again,
    believes=believes,
    changes=changes,
    proposals=(Plan,),
    confined=Places(("within", "pages_of"), confined),
)
