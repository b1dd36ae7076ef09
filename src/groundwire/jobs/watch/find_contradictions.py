"""Which passages contradict each other about the same thing: another value, or the opposite."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from groundwire.jobs.watch import find_contradictions_exam
from groundwire.jobs.watch.differing import differing
from groundwire.jobs.watch.plan_watch import names_of
from groundwire.language.text.links import has_link
from groundwire.model.base import JsonObject, Value
from groundwire.model.claim import CitationView
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import NumberedPassage
from groundwire.reasoning.exam import Exam
from groundwire.reasoning.passages import render_passages
from groundwire.reasoning.question import Question
from groundwire.reasoning.quoting import Quoted, fault_of_numbers

_MOST = 8


class Point(Value):
    """One thing on which passages differ, and what each says."""

    point: str = Field(description="what they differ on, in a few words")
    sides: tuple[Quoted, ...] = Field(min_length=2)


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
    if len(found.points) > _MOST:
        return phrase("watch.fault.many_points", n=_MOST)
    for each in found.points:
        if fault := fault_of_numbers((side.passage for side in each.sides), given.passages):
            return fault
        if has_link(each.point):
            return phrase("fault.beside_link")
    return None


def _read(given: JsonObject) -> ContradictionInput:
    item = find_contradictions_exam.ItemGiven.model_validate(given)
    shown = item.shown()
    numbers = {each.evidence_id: each.number for each in shown}

    def side(citation: CitationView) -> Quoted:
        return Quoted(passage=numbers[citation.evidence_id], quote=citation.quote)

    held = tuple(
        Point(point=each.attribute, sides=(side(each.citations[0]), side(each.denials[0])))
        for each in find_contradictions_exam.contested(item)
    )
    differ = differing(tuple(item.pages()), names_of(item.subject), item.language)
    dated = tuple(
        Point(point=each.point, sides=tuple(side(one.citations[0]) for one in each.sides))
        for each in differ
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
