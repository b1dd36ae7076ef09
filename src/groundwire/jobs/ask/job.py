"""ask: a question in, a short cited answer or what is missing out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from groundwire.jobs import Job, drawn, in_graph
from groundwire.jobs.ask.answer import AskResult
from groundwire.jobs.ask.steps import STEPS
from groundwire.jobs.ask.types import MOST_ROUNDS, AskInput
from groundwire.model.base import JsonObject
from groundwire.model.desk import CommandBar, DeskSection, Entry, Typed
from groundwire.model.memory import Lesson
from groundwire.model.run import Run
from groundwire.model.source import Document
from groundwire.settings import Settings
from groundwire.words import Words

_ROUNDS = 2  # more of them, to ask deeper
_TITLE = 200  # characters of a page's title that a question repeats


def _fits(typed: Typed) -> float:
    if typed.asks:
        return 0.4 if typed.doubts else 0.9
    return 0.5 if typed.topic else 0.1


def _entry(result: AskResult) -> Entry:
    return Entry(
        title=result.question,
        text=" ".join(sentence.text for sentence in result.answer),
        missing=" ".join(gap.what for gap in result.gaps[:1]),
        articles=len(result.evidence),
        origins=len(result.origins),
    )


def on_page(page: Document, say: Words) -> JsonObject:
    """Ask what is known about what a page is about."""
    title = " ".join((page.title or page.text).split())[:_TITLE].strip(" “”「」")
    return {"question": say("ask.page.question", title=title)} if title else {}


def follow_up(run: Run) -> JsonObject:
    """Ask further about what a run of any job has read, as of the same moment."""
    if not (run.result or {}).get("evidence"):
        return {}
    as_of = run.input.get("as_of")
    return {"after": run.id, **({"as_of": as_of} if as_of else {})}


def deeper(run: Run) -> JsonObject:
    """Ask the same with more rounds, up to the most that there may be, with what was read at hand."""
    deep, most = int(run.input.get("deep", 0)), MOST_ROUNDS
    if deep >= most:
        return {}
    after: JsonObject = (run.result or {}).get("after") or {}
    question: str = after.get("understood") or run.input["question"]
    rounds = min(deep + _ROUNDS, most)
    return {**run.input, "question": question, "deep": rounds, "after": run.id}


BAR = CommandBar(
    field="question",
    fits=_fits,
    names=("question", "q", "问", "問", "提问", "提問"),
    place=10,
    examples=("ask.example.1",),
)
SECTION = DeskSection(entry=_entry, place=30, most=4)


def teaches(result: AskResult) -> Sequence[Lesson]:
    from groundwire.jobs.ask.memory import lessons

    return lessons(result)


def prepare(settings: Settings, _door: str) -> JsonObject:
    return {"language": settings.language}


JOB = Job(
    kind="ask",
    input=AskInput,
    result=AskResult,
    run=partial(in_graph, "ask"),
    draw=partial(drawn, "ask"),
    steps=STEPS,
    bar=BAR,
    section=SECTION,
    options={"queries": None, "results": None, "pages": None, "passages": None},
    prepare=prepare,
    on_page=on_page,
    follow_up=follow_up,
    deeper=deeper,
    teaches=teaches,
)
