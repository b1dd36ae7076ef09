"""Which passages contradict each other about the same thing: another value, or the opposite."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from groundwire.jobs.watch import find_contradictions_exam
from groundwire.jobs.watch.differing import differing
from groundwire.jobs.watch.ledger.claims import Holder
from groundwire.jobs.watch.plan_watch import names_of
from groundwire.language.text.links import has_link
from groundwire.model.base import JsonObject, Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import NumberedPassage
from groundwire.reasoning.exam import Exam
from groundwire.reasoning.passages import render_passages
from groundwire.reasoning.question import Question

_MOST = 8


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


class ContradictionInput(Value):
    """The subject, and passages about it."""

    subject: str
    language: str
    passages: tuple[NumberedPassage, ...]
    drafted: Points = Points(points=())  # what code finds; only an exam compares the two


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


def _read(given: JsonObject) -> ContradictionInput:
    item = find_contradictions_exam.ItemGiven.model_validate(given)
    shown = find_contradictions_exam.passages_of(item)
    numbers = {each.evidence_id: each.number for each in shown}

    def side(holder: Holder) -> QuotedSide:
        return QuotedSide(passage=numbers[holder.evidence_id], quote=holder.quote)

    held = tuple(
        Point(point=each.attribute, sides=(side(each.citations[0]), side(each.denials[0])))
        for each in find_contradictions_exam.contested(item)
    )
    dated = tuple(
        Point(
            point=each.point,
            sides=tuple(
                QuotedSide(passage=numbers[c.evidence_id], quote=c.quote)
                for c in (side.citations[0] for side in each.sides)
            ),
        )
        for each in differing(
            find_contradictions_exam.pages_of(item), names_of(item.subject), item.language
        )
    )
    known = {frozenset(side.passage for side in each.sides) for each in held}
    apart = (e for e in dated if frozenset(side.passage for side in e.sides) not in known)
    return ContradictionInput(
        subject=item.subject,
        language=item.language,
        passages=shown,
        drafted=Points(points=(*held, *apart)),
    )


def _score(given: ContradictionInput, found: Points, expect: JsonObject) -> float:
    return find_contradictions_exam.score(given.passages, found, expect)


QUESTION: Question[ContradictionInput, Points] = Question(
    prompt="watch/find_contradictions",
    tier="heavy",
    output=Points,
    variables=_variables,
    # What the embedded reasoner finds is read in the claims before anybody is asked.
    embedded=lambda given: given.drafted,
    fault_of=_fault_of,
    prose=lambda found: "\n".join(each.point for each in found.points),
    exam=Exam(items="watch/find_contradictions", read=_read, score=_score),
)
