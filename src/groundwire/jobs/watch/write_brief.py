"""The brief in a few sentences, each with quotes from numbered passages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from groundwire.errors import NoEvidence
from groundwire.language.text.links import has_link
from groundwire.model.base import Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import NumberedPassage
from groundwire.reasoning.passages import render_passages
from groundwire.reasoning.question import Question

MOST = 6


class Known(Value):
    """A claim that code has read and checked: how it stands, and the passage that says it."""

    part: Literal["new", "changed", "contested", "standing"]
    text: str
    passage: int
    quote: str


class BriefInput(Value):
    """What is watched, the claims that were read, most important first, and their passages."""

    command: str
    subject: str
    language: str
    today: str
    claims: tuple[Known, ...]
    passages: tuple[NumberedPassage, ...]


class Quoted(Value):
    """Words copied from a passage."""

    passage: int = Field(description="number of the passage")
    quote: str = Field(description="copied from the passage character by character")


class Said(Value):
    """A sentence and the quotes it stands on."""

    text: str
    quotes: tuple[Quoted, ...]


class Brief(Value):
    """The brief before its quotes are checked."""

    sentences: tuple[Said, ...] = Field(max_length=MOST)


def _variables(given: BriefInput, seed: str) -> Mapping[str, str]:
    return {
        "command": given.command,
        "subject": given.subject,
        "language": given.language,
        "today": given.today,
        "most": str(MOST),
        "claims": "\n".join(f"- [{each.passage}] {each.part}" for each in given.claims) or "-",
        "passages": render_passages(given.passages, seed),
    }


def _fault_of(given: BriefInput, brief: Brief) -> Phrase | None:
    numbers = {each.number for each in given.passages}
    if not brief.sentences:
        return phrase("fault.nothing_said")
    for place, each in enumerate(brief.sentences, start=1):
        if not each.quotes:
            return phrase("fault.no_quote", n=place)
        if has_link(each.text):
            return phrase("fault.sentence_link", n=place)
        unknown = next((q.passage for q in each.quotes if q.passage not in numbers), None)
        if unknown is not None:
            return phrase("fault.no_passage", n=unknown)
    return None


def _embedded(given: BriefInput) -> Brief:
    """Say the most important claims in the pages' own sentences. Raises `NoEvidence` (law 5)."""
    if not given.passages:
        raise NoEvidence
    return Brief(
        sentences=tuple(
            Said(text=each.text, quotes=(Quoted(passage=each.passage, quote=each.quote),))
            for each in given.claims[:MOST]
        )
    )


QUESTION: Question[BriefInput, Brief] = Question(
    prompt="watch/write_brief",
    tier="heavy",
    output=Brief,
    variables=_variables,
    embedded=_embedded,
    fault_of=_fault_of,
    prose=lambda brief: "\n".join(each.text for each in brief.sentences),
)
