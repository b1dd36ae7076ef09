"""The detail of an event from the passages that support it: facts, effects, causes, people, figures, words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from pydantic import Field

from groundwire.jobs.timeline import write_detail_exam
from groundwire.jobs.timeline.result import Detail
from groundwire.model.base import JsonObject, Value
from groundwire.model.phrase import Phrase
from groundwire.model.result import Sentence
from groundwire.model.source import Evidence, NumberedPassage
from groundwire.reasoning.exam import Exam
from groundwire.reasoning.passages import render_passages
from groundwire.reasoning.question import Question
from groundwire.reasoning.quoting import Quoted, fault_of_numbers, fault_of_sentences

Part = Literal["fact", "impact", "context"]
MOST_FACTS, MOST_LINES, MOST_PEOPLE, MOST_FIGURES = 5, 3, 6, 6
REQUESTS = 4  # of one call, repairs included


class Said(Value):
    """A sentence, what it adds to the event, and the quotes it stands on."""

    part: Part = "fact"
    text: str
    quotes: tuple[Quoted, ...]


class NamedPerson(Quoted):
    """Somebody who took part, and as what."""

    name: str
    role: str = ""


class NamedFigure(Quoted):
    """A figure as the passage writes it, and the sentence that it stands in."""

    text: str


class Written(Value):
    """A detail before its quotes are checked; what is left empty is told as code drafted it."""

    sentences: tuple[Said, ...] = ()
    people: tuple[NamedPerson, ...] = ()
    figures: tuple[NamedFigure, ...] = ()
    words: tuple[Quoted, ...] = Field(default=(), description="what somebody said, word for word")
    location: str = ""
    tags: tuple[str, ...] = ()

    def of(self, part: Part) -> tuple[Said, ...]:
        most = MOST_FACTS if part == "fact" else MOST_LINES
        return tuple(each for each in self.sentences if each.part == part)[:most]


class WriteInput(Value):
    """An event, and the numbered passages from which alone it is told in detail."""

    topic: str
    title: str
    date: str
    language: str
    passages: tuple[NumberedPassage, ...]
    drafted: Written = Written()  # as code would tell it; only an exam compares the two


def _variables(given: WriteInput, seed: str) -> Mapping[str, str]:
    return {
        "topic": given.topic,
        "title": given.title,
        "date": given.date,
        "language": given.language,
        "passages": render_passages(given.passages, seed),
    }


def _fault_of(given: WriteInput, written: Written) -> Phrase | None:
    quotes = (*written.people, *written.figures, *written.words)
    return fault_of_sentences(written.sentences, given.passages) or fault_of_numbers(
        (each.passage for each in quotes), given.passages
    )


def _read(given: JsonObject) -> WriteInput:
    item = write_detail_exam.ItemGiven.model_validate(given)
    pages = item.pages()
    return WriteInput(
        topic=item.topic,
        title=item.title,
        date=item.date,
        language=item.language,
        passages=item.shown(),
        drafted=_written(write_detail_exam.drafted(item, pages), pages),
    )


def _written(detail: Detail, pages: Sequence[Evidence]) -> Written:
    """Write what code drafted in the form in which a model answers."""
    numbers = {each.id: number for number, each in enumerate(pages, start=1)}

    def quotes(said: Sentence) -> Iterator[Quoted]:
        for each in said.citations:
            yield Quoted(passage=numbers[each.evidence_id], quote=each.quote)

    parts: tuple[tuple[Part, tuple[Sentence, ...]], ...] = (
        ("fact", detail.key_features),
        ("impact", detail.impact),
        ("context", detail.context),
    )
    return Written(
        sentences=tuple(
            Said(part=part, text=each.text, quotes=tuple(quotes(each)))
            for part, told in parts
            for each in told
        ),
        people=tuple(
            NamedPerson(name=each.name, role=each.role, **next(quotes(each.sentence)).model_dump())
            for each in detail.key_people
        ),
        figures=tuple(
            NamedFigure(text=each.text, **next(quotes(each.sentence)).model_dump())
            for each in detail.key_numbers
        ),
        words=() if detail.quote is None else tuple(quotes(detail.quote))[:1],
    )


QUESTION: Question[WriteInput, Written] = Question(
    prompt="timeline/write_detail",
    tier="heavy",
    output=Written,
    variables=_variables,
    # What the embedded reasoner tells is drafted from the pages before anybody is asked.
    embedded=lambda given: given.drafted,
    fault_of=_fault_of,
    prose=lambda written: "\n".join(each.text for each in written.sentences),
    exam=Exam(items="timeline/write_detail", read=_read, score=write_detail_exam.score),
    requests=REQUESTS,
)
