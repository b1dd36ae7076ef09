"""The detail of an event from the passages that support it: facts, effects, causes, people, figures, words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from groundwire.language.text.links import has_link
from groundwire.model.base import Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import NumberedPassage
from groundwire.reasoning.passages import render_passages
from groundwire.reasoning.question import Question

Part = Literal["fact", "impact", "context"]
MOST_FACTS, MOST_LINES, MOST_PEOPLE, MOST_FIGURES = 5, 3, 6, 6


class Quoted(Value):
    """Words copied from a passage."""

    passage: int = Field(description="number of the passage")
    quote: str = Field(description="copied from the passage character by character")


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


class WriteInput(Value):
    """An event, and the numbered passages from which alone it is told in detail."""

    topic: str
    title: str
    date: str
    language: str
    passages: tuple[NumberedPassage, ...]


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


def _variables(given: WriteInput, seed: str) -> Mapping[str, str]:
    return {
        "topic": given.topic,
        "title": given.title,
        "date": given.date,
        "language": given.language,
        "passages": render_passages(given.passages, seed),
    }


def _fault_of(given: WriteInput, written: Written) -> Phrase | None:
    numbers = {each.number for each in given.passages}
    quotes = [quoted for each in written.sentences for quoted in each.quotes]
    quotes += [*written.people, *written.figures, *written.words]
    for place, each in enumerate(written.sentences, start=1):
        if not each.quotes:
            return phrase("fault.no_quote", n=place)
        if has_link(each.text):
            return phrase("fault.sentence_link", n=place)
    unknown = next((each.passage for each in quotes if each.passage not in numbers), None)
    return None if unknown is None else phrase("fault.no_passage", n=unknown)


QUESTION: Question[WriteInput, Written] = Question(
    prompt="timeline/write_detail",
    tier="heavy",
    output=Written,
    variables=_variables,
    # What the embedded reasoner tells is drafted from the pages before anybody is asked.
    embedded=lambda _given: Written(),
    fault_of=_fault_of,
    prose=lambda written: "\n".join(each.text for each in written.sentences),
)
