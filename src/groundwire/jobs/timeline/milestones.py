"""Milestones: what happened, when, by whose word, each sentence quoted from a stored page."""

from __future__ import annotations

from datetime import date

from groundwire.jobs.timeline.choice import Told
from groundwire.jobs.timeline.stated import Precision
from groundwire.model.base import Value, short_id
from groundwire.model.claim import Citation
from groundwire.model.source import Passage

_LENGTHS: dict[Precision, int] = {"day": 10, "month": 7, "quarter": 7, "year": 4, "decade": 4}


class Sentence(Value):
    """A sentence of a milestone, word for word, with its citation."""

    text: str
    citation: Citation


class Milestone(Value):
    """An event of a timeline with its date, as exactly as it is known."""

    id: str
    date: str  # reduced ISO: 2023, 2023-05, 2023-05-06
    precision: Precision
    interval: tuple[date, date]
    score: float
    sentences: tuple[Sentence, ...]


def milestone(
    first: date, last: date, precision: Precision, score: float, told: list[Told]
) -> Milestone:
    """Build the milestone of a day from the sentences that tell of it."""
    sentences = tuple(Sentence(text=each.account.text, citation=citation(each)) for each in told)
    return Milestone(
        id=short_id("ms", [first.isoformat(), precision, *(each.text for each in sentences)]),
        date=reduced(first, precision),
        precision=precision,
        interval=(first, last),
        score=score,
        sentences=sentences,
    )


def reduced(day: date, precision: Precision) -> str:
    """Write a date as exactly as it is known: a year is a year, not 1 January."""
    return day.isoformat()[: _LENGTHS[precision]]


def citation(told: Told) -> Citation:
    """Quote a sentence from the passage in which it stands."""
    account = told.account
    evidence = account.page.evidence
    return Citation(
        evidence_id=evidence.id,
        passage_id=_passage(evidence.passages, account.start).id,
        quote=account.text,
        start=account.start,
        end=account.end,
        checks=("quote",),
    )


def _passage(passages: tuple[Passage, ...], start: int) -> Passage:
    return next(each for each in passages if each.start <= start < each.end)
