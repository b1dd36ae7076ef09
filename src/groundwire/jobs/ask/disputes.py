"""Where the sentences that answer a question differ, and whether a side is hearsay alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from groundwire.evidence.questions.candidates import Candidate
from groundwire.evidence.questions.contested import Contradiction, Kind, StatedValue, contradictions
from groundwire.evidence.questions.coverage import day_of
from groundwire.evidence.questions.intent import Intent
from groundwire.evidence.questions.polarity import hedges
from groundwire.jobs.ask.directness import NARROW, answering, quoted_only, relevant

_WIDE = 0.6  # of the widest breadth; narrower sentences are about something else
_ONE_TIME = 60  # days within which pages speak of the same state of things


def disputed(asked: Intent, candidates: Sequence[Candidate]) -> tuple[Contradiction, ...]:
    """Points on which sentences that answer the question differ; rumours take part here."""
    if asked.sort == "meaning":
        return ()
    pool = [each for each in candidates if relevant(asked, each)]
    broad = [_breadth(asked, each) for each in pool]
    widest = max(broad, default=0.0)
    facets = frozenset(asked.facets)
    kinds: list[Kind] = []
    if facets - {"when", "who", "where"}:
        kinds.append("figure")
    if facets - {"who", "where"}:
        kinds.append("date")
    narrow = facets <= frozenset(NARROW)
    wide = [
        each
        for each, breadth in zip(pool, broad, strict=True)
        if breadth >= _WIDE * widest
        and not quoted_only(asked, each)
        and (not narrow or any(answering(asked, each).values()))
    ]
    found = [each for view in _views(asked) for each in contradictions(wide, kinds, view)]
    unique = {each.kind: each for each in reversed(found)}
    return tuple(
        dispute
        for kind in kinds
        if kind in unique and len((dispute := _of_one_time(unique[kind])).sides) > 1
    )


def _views(asked: Intent) -> Iterator[Intent]:
    """The question as a whole, then each of its parts: one of two questions may be disputed."""
    yield asked
    for _, words in asked.parts if len(asked.parts) > 1 else ():
        others = frozenset(asked.telling) - frozenset(words)
        terms = (replace(t, light=t.light or n in others) for n, t in enumerate(asked.terms))
        yield replace(asked, terms=tuple(terms))


def _of_one_time(dispute: Contradiction) -> Contradiction:
    """Without the sides that are told of another time: prices change, and both are right."""
    first = dispute.sides[0]
    others = tuple(side for side in dispute.sides[1:] if _days_apart(first, side) <= _ONE_TIME)
    return replace(dispute, sides=(first, *others))


def _days_apart(one: Sequence[StatedValue], other: Sequence[StatedValue]) -> int:
    days = [[day_of(said.candidate.passage) for said in side] for side in (one, other)]
    return min((abs((a - b).days) for a in days[0] for b in days[1] if a and b), default=0)


def hearsay(candidate: Candidate) -> bool:
    """Whether nobody stands behind a sentence: a post, or words that are only heard."""
    return candidate.passage.tier == "social" or hedges(candidate.text)


def _breadth(asked: Intent, candidate: Candidate) -> float:
    """Share of what is asked that a sentence has; a doubted amount is what the sides differ in."""
    terms = [(n, term.weight) for n, term in enumerate(asked.terms) if term.figure is None]
    total = sum(weight for _, weight in terms)
    here = sum(w if n in candidate.own else 0.5 * w * (n in candidate.near) for n, w in terms)
    return here / total if total else candidate.coverage
