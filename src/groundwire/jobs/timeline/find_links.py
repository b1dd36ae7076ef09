"""Which event brought about, made possible or was answered by which other, from passages that say so."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from groundwire.jobs.timeline import find_links_exam
from groundwire.jobs.timeline.result import Relation
from groundwire.jobs.timeline.write_detail import REQUESTS
from groundwire.model.base import JsonObject, Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import NumberedPassage
from groundwire.reasoning.exam import Exam
from groundwire.reasoning.passages import enclosed, render_passages
from groundwire.reasoning.question import Question
from groundwire.reasoning.quoting import Quoted, fault_of_numbers


class NumberedEvent(Value):
    """An event as it is told, with the number that an answer calls it by."""

    number: int
    date: str
    text: str


class JoinedEvents(Quoted):
    """Two events by their numbers, and the words that join them."""

    cause: int = Field(description="number of the event that came first or is answered")
    effect: int = Field(description="number of the event that came of it or answers it")
    relation: Relation


class Joined(Value):
    """The links of a history before their words are checked."""

    links: tuple[JoinedEvents, ...] = ()


class LinksInput(Value):
    """The events of a history in their order, and the passages that may join them."""

    topic: str
    language: str
    events: tuple[NumberedEvent, ...]
    passages: tuple[NumberedPassage, ...]
    drafted: tuple[JoinedEvents, ...] = ()  # as code joins them; only an exam compares the two


def _variables(given: LinksInput, seed: str) -> Mapping[str, str]:
    lines = (f"({each.number}) {each.date} {' '.join(each.text.split())}" for each in given.events)
    return {
        "topic": given.topic,
        "language": given.language,
        "events": enclosed("\n".join(lines), seed),
        "passages": render_passages(given.passages, seed),
    }


def _fault_of(given: LinksInput, joined: Joined) -> Phrase | None:
    events = {each.number for each in given.events}
    for each in joined.links:
        if fault := fault_of_numbers([each.passage], given.passages):
            return fault
        unknown = next((n for n in (each.cause, each.effect) if n not in events), None)
        if unknown is not None:
            return phrase("timeline.fault.event", n=unknown)
        if each.cause == each.effect:
            return phrase("timeline.fault.itself", n=each.cause)
    return None


def _read(given: JsonObject) -> LinksInput:
    item = find_links_exam.ItemGiven.model_validate(given)
    events, pages = find_links_exam.nodes_of(item), item.pages()
    return LinksInput(
        topic=item.topic,
        language=item.language,
        events=tuple(
            NumberedEvent(number=number, date=each.date, text=each.title)
            for number, each in enumerate(events, start=1)
        ),
        passages=item.shown(),
        drafted=tuple(
            JoinedEvents(cause=cause, effect=effect, relation=relation, passage=n, quote=quote)
            for cause, effect, relation, n, quote in find_links_exam.drafted(item, events, pages)
        ),
    )


QUESTION: Question[LinksInput, Joined] = Question(
    prompt="timeline/find_links",
    tier="heavy",
    output=Joined,
    variables=_variables,
    # What code finds is found in the pages before anybody is asked.
    embedded=lambda given: Joined(links=given.drafted),
    fault_of=_fault_of,
    prose=lambda _: "",  # every word of it is a quote
    exam=Exam(items="timeline/find_links", read=_read, score=find_links_exam.score),
    requests=REQUESTS,
)
