"""Which passages contradict each other about the same thing: another value, or the opposite."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import permutations

from pydantic import Field

from groundwire.evidence.questions.candidates import Candidate, candidates
from groundwire.evidence.questions.contested import Kind, StatedValue, contradictions
from groundwire.evidence.questions.intent import parse_question
from groundwire.evidence.reading.analysis import analyse
from groundwire.jobs.watch import find_contradictions_exam
from groundwire.jobs.watch.ledger.claims import Holder
from groundwire.language.text.links import has_link
from groundwire.model.base import JsonObject, Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import NumberedPassage
from groundwire.reasoning.exam import Exam
from groundwire.reasoning.passages import render_passages
from groundwire.reasoning.question import Question

_KINDS: tuple[Kind, ...] = ("figure", "date")
POINTS = {"figure": "watch.point.figure", "date": "watch.point.date"}
_NUMBERED = re.compile(r"(?P<name>[A-Za-z][\w-]*[ -]?\d\w*)(?: (?P<more>[A-Z][A-Za-z]+))?")
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
    drafted: Points = Points(points=())  # that the ledger holds; only an exam compares the two


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


def by_value(subject: str, passages: Sequence[NumberedPassage]) -> Points:
    """Compare the figures and days that sentences of several origins give for one thing.

    A plan beside what came of it is no contradiction, nor is a thing beside its sibling.
    """
    pool = candidates(parse_question(subject), passages)
    found = (
        Point(point=POINTS[each.kind], sides=tuple(_side(side) for side in each.sides))
        for each in contradictions(pool, _KINDS, None)
    )
    return Points(points=tuple(each for each in found if _are_of_one_thing(each)))


def _side(side: Sequence[StatedValue]) -> QuotedSide:
    best: Candidate = max((each.candidate for each in side), key=lambda each: each.quality)
    return QuotedSide(passage=best.passage.number, quote=best.text)


def _are_of_one_thing(point: Point) -> bool:
    texts = [each.quote for each in point.sides]
    planned = {_is_planned(each) for each in texts}
    return len(planned) == 1 and not any(_is_sibling(*pair) for pair in permutations(texts, 2))


def _is_planned(text: str) -> bool:
    return "plans" in analyse(text, whole=True).lead.manners


def _is_sibling(text: str, other: str) -> bool:
    """Tell whether a text names with one word more what the other names: Aurin 5 Pro beside Aurin 5."""
    plain = {each["name"] for each in _NUMBERED.finditer(other) if not each["more"]}
    return any(each["name"] in plain and each["more"] for each in _NUMBERED.finditer(text))


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
    taken = {each.passage for point in held for each in point.sides}
    valued = by_value(item.subject, shown).points
    apart = (e for e in valued if not taken.issuperset(each.passage for each in e.sides))
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
