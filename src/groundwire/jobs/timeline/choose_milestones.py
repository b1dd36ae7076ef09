"""Which ranked, dated passages are milestones, which tell the same event, and what each is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from groundwire.jobs.timeline import choose_milestones_exam
from groundwire.jobs.timeline.result import Significance
from groundwire.jobs.timeline.titles import shortened
from groundwire.language.text.links import has_link
from groundwire.language.text.sentences import sentences
from groundwire.model.base import JsonObject, Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import NumberedPassage
from groundwire.reasoning.exam import Exam
from groundwire.reasoning.passages import render_passages
from groundwire.reasoning.question import Question
from groundwire.reasoning.quoting import fault_of_numbers

_LONGEST_TITLE = 120
REQUESTS = 4  # of one call, repairs included


class ChooseInput(Value):
    """Dated passages of one thread, ranked by code; their dates are settled and not up for choice."""

    topic: str
    thread: str
    description: str
    language: str
    most: int
    passages: tuple[NumberedPassage, ...]
    titles: tuple[str, ...]  # of the passages, as code would title them
    significance: tuple[Significance, ...]


class Event(Value):
    """One event: the passages that tell of it, the one that tells it best first."""

    passages: tuple[int, ...] = Field(min_length=1, description="numbers of passages")
    title: str = Field(description="what happened, in a few words; no date")
    significance: Literal["revolutionary", "high", "medium"] = "medium"


class Chosen(Value):
    """The events of a thread."""

    events: tuple[Event, ...]


def _variables(given: ChooseInput, seed: str) -> Mapping[str, str]:
    return {
        "topic": given.topic,
        "thread": given.thread,
        "description": given.description,
        "language": given.language,
        "most": str(given.most),
        "passages": render_passages(given.passages, seed),
    }


def _fault_of(given: ChooseInput, chosen: Chosen) -> Phrase | None:
    seen: set[int] = set()
    for place, each in enumerate(chosen.events, start=1):
        if fault := fault_of_numbers(each.passages, given.passages):
            return fault
        if has_link(each.title):
            return phrase("fault.sentence_link", n=place)
        if seen.intersection(each.passages):
            return phrase("timeline.fault.twice", n=place)
        if not each.title.strip() or len(each.title) > _LONGEST_TITLE:
            return phrase("timeline.fault.title", n=place)
        seen.update(each.passages)
    return None


def _embedded(given: ChooseInput) -> Chosen:
    """Take the first passages, as ranked, each as an event of its own under code's title."""
    rows = zip(given.passages, given.titles, given.significance, strict=True)
    return Chosen(
        events=tuple(
            Event(passages=(each.number,), title=title, significance=significance)
            for each, title, significance in rows
        )[: given.most]
    )


def _read(given: JsonObject) -> ChooseInput:
    item = choose_milestones_exam.ItemGiven.model_validate(given)
    return ChooseInput(
        topic=item.topic,
        thread=item.thread,
        description=item.description,
        language=item.language,
        most=item.most,
        passages=tuple(
            choose_milestones_exam.numbered_passage(each, number)
            for number, each in enumerate(item.passages, start=1)
        ),
        titles=tuple(shortened(_first(each.text)) for each in item.passages),
        significance=tuple("medium" for _ in item.passages),
    )


def _first(text: str) -> str:
    start, end = next(iter(sentences(text)))
    return text[start:end]


QUESTION: Question[ChooseInput, Chosen] = Question(
    prompt="timeline/choose_milestones",
    tier="heavy",
    output=Chosen,
    variables=_variables,
    embedded=_embedded,
    fault_of=_fault_of,
    prose=lambda chosen: "\n".join(each.title for each in chosen.events),
    exam=Exam(items="timeline/choose_milestones", read=_read, score=choose_milestones_exam.score),
    requests=REQUESTS,
)
