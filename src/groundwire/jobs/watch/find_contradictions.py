"""Which passages contradict each other about the same thing: another value, or the opposite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import Field

from groundwire.evidence.questions.candidates import Candidate, candidates
from groundwire.evidence.questions.contested import Kind, StatedValue, contradictions
from groundwire.evidence.questions.intent import parse_question
from groundwire.language.text.links import has_link
from groundwire.model.base import Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import NumberedPassage
from groundwire.reasoning.passages import render_passages
from groundwire.reasoning.question import Question

_KINDS: tuple[Kind, ...] = ("figure", "date")
POINTS = {"figure": "watch.point.figure", "date": "watch.point.date"}
_MOST = 8


class ContradictionInput(Value):
    """The subject, and passages about it."""

    subject: str
    language: str
    passages: tuple[NumberedPassage, ...]


class QuotedSide(Value):
    """What one passage says, in its own words."""

    passage: int = Field(description="number of the passage")
    quote: str = Field(description="copied from the passage character by character")


class Point(Value):
    """One thing on which passages differ, and what each says."""

    point: str = Field(description="what they differ on, in a few words")
    sides: tuple[QuotedSide, ...] = Field(min_length=2)


class Points(Value):
    """The contradictions among the passages."""

    points: tuple[Point, ...]


def _variables(given: ContradictionInput, seed: str) -> Mapping[str, str]:
    return {
        "subject": given.subject,
        "language": given.language,
        "passages": render_passages(given.passages, seed),
    }


def _fault_of(given: ContradictionInput, found: Points) -> Phrase | None:
    numbers = {each.number for each in given.passages}
    if len(found.points) > _MOST:
        return phrase("watch.fault.many_points", n=_MOST)
    for each in found.points:
        unknown = next((side.passage for side in each.sides if side.passage not in numbers), None)
        if unknown is not None:
            return phrase("fault.no_passage", n=unknown)
        if has_link(each.point):
            return phrase("fault.beside_link")
    return None


def _embedded(given: ContradictionInput) -> Points:
    """Compare the figures and days that sentences of several origins give for one thing."""
    intent = parse_question(given.subject)
    pool = candidates(intent, given.passages)
    return Points(
        points=tuple(
            Point(
                point=POINTS[each.kind],
                sides=tuple(_side(side) for side in each.sides),
            )
            for each in contradictions(pool, _KINDS, None)
        )
    )


def _side(side: Sequence[StatedValue]) -> QuotedSide:
    best: Candidate = max((each.candidate for each in side), key=lambda each: each.quality)
    return QuotedSide(passage=best.passage.number, quote=best.text)


QUESTION: Question[ContradictionInput, Points] = Question(
    prompt="watch/find_contradictions",
    tier="heavy",
    output=Points,
    variables=_variables,
    embedded=_embedded,
    fault_of=_fault_of,
    prose=lambda found: "\n".join(each.point for each in found.points),
)
