"""The brief in a few sentences, each with quotes from numbered passages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from groundwire.errors import NoEvidence
from groundwire.jobs.watch import write_brief_exam
from groundwire.model.base import JsonObject, Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import NumberedPassage
from groundwire.reasoning.exam import Exam
from groundwire.reasoning.passages import render_passages
from groundwire.reasoning.question import Question
from groundwire.reasoning.quoting import Quoted, Said, fault_of_sentences

MOST = 6
Part = Literal["changed", "contested", "new", "standing"]


class Known(Value):
    """A claim that code has read and checked: how it stands, and the passage that says it."""

    part: Part
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
    if not brief.sentences:
        return phrase("fault.nothing_said")
    return fault_of_sentences(brief.sentences, given.passages)


def in_own_words(given: BriefInput, part: Part | None = None) -> Brief:
    """Say the most important claims, or those of a part, in the pages' own sentences.

    Raises `NoEvidence` (law 5).
    """
    if not given.passages:
        raise NoEvidence
    claims = [each for each in given.claims if part in (None, each.part)]
    return Brief(
        sentences=tuple(
            Said(text=each.text, quotes=(Quoted(passage=each.passage, quote=each.quote),))
            for each in claims[:MOST]
        )
    )


def _read(given: JsonObject) -> BriefInput:
    item = write_brief_exam.ItemGiven.model_validate(given)
    return BriefInput(
        command=item.command,
        subject=item.subject,
        language=item.language,
        today=item.today,
        claims=tuple(
            Known.model_validate({**each.model_dump(), "text": each.quote}) for each in item.claims
        ),
        passages=item.shown(),
    )


QUESTION: Question[BriefInput, Brief] = Question(
    prompt="watch/write_brief",
    tier="heavy",
    output=Brief,
    variables=_variables,
    embedded=in_own_words,
    fault_of=_fault_of,
    prose=lambda brief: "\n".join(each.text for each in brief.sentences),
    exam=Exam(items="watch/write_brief", read=_read, score=write_brief_exam.score),
)
