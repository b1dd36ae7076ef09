"""Scores of a timeline beside a reference, as published: aligned ROUGE (AR1, AR2) and date F1.

They count as PyPI `tilse` 0.2.1 does (Martschat and Markert 2017, "align+ m:1", with its own ROUGE): each date is
aligned with the date of the other timeline that is nearest in days and words, several may share one, and what they
share is worth 1 / (days apart + 1). Stop words and punctuation do not count; words are stemmed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import pairwise
from pathlib import Path
from string import punctuation

from lab.evaluation.porter import porter

# Sentences by their date, their tokens between spaces.
Timeline = Mapping[date, Sequence[str]]
_MARKS = frozenset([".", ",", ";", ":", "``", "''", "-", '"'])


@dataclass(frozen=True, slots=True)
class Scores:
    """How far a timeline agrees with a reference."""

    ar1: float
    ar2: float
    dates: float


@dataclass(frozen=True, slots=True)
class _Day:
    """What one date of a timeline says: its words as they are aligned, and as they are counted."""

    words: Counter[str]
    grams: tuple[Counter[tuple[str, ...]], ...]


def score(made: Timeline, reference: Timeline) -> Scores:
    """Score a timeline by a reference; both have at least one date."""
    ours, theirs = _days(made), _days(reference)
    precision = _shares(ours, theirs)
    recall = _shares(theirs, ours)
    ar1, ar2 = map(f1, precision, recall)
    return Scores(ar1, ar2, date_f1(made, reference))


def date_f1(made: Iterable[date], reference: Iterable[date]) -> float:
    """Compute the F1 of the dates of one timeline beside those of another."""
    ours, theirs = set(made), set(reference)
    shared = len(ours & theirs)
    return 2 * shared / (len(ours) + len(theirs)) if shared else 0.0


def f1(precision: float, recall: float) -> float:
    both = precision + recall
    return 2 * precision * recall / both if both else 0.0


def _shares(these: Mapping[date, _Day], others: Mapping[date, _Day]) -> list[float]:
    """Compute what share of the words and of the pairs of words of one timeline the other has."""
    aligned = [(day, *_nearest(when, day, others)) for when, day in these.items()]
    shares: list[float] = []
    for size in (0, 1):
        own = [(day.grams[size], others[when].grams[size], worth) for day, when, worth in aligned]
        count = sum(each.total() for each, _, _ in own)
        hits = sum((each & other).total() * worth for each, other, worth in own)
        shares.append(hits / count if count else 0.0)
    return shares


def _nearest(when: date, day: _Day, others: Mapping[date, _Day]) -> tuple[date, float]:
    """Return the date to align with, and what the words shared with it are worth."""
    worths = {other: 1 / (abs((when - other).days) + 1) for other in others}
    costs = {
        other: (1 - worth) * (1 - _likeness(day.words, others[other].words))
        for other, worth in worths.items()
    }
    best = min(costs, key=lambda other: (costs[other], other))
    return best, worths[best]


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    shared = (one & other).total()
    both = one.total() + other.total()
    return 2 * shared / both if shared else 0.0


def _days(timeline: Timeline) -> dict[date, _Day]:
    return {when: _day(timeline[when]) for when in sorted(timeline)}


def _day(sentences: Sequence[str]) -> _Day:
    tokens = [token for each in sentences for token in each.split()]
    # A token that stands in the row of punctuation marks, as the published alignment has it.
    words = Counter(token for token in tokens if token not in punctuation)
    low = [token.lower() for token in tokens]
    stems = [porter(token) for token in low if token not in _MARKS and token not in _stop_words()]
    pairs = pairwise(stems)
    return _Day(words, (Counter((stem,) for stem in stems), Counter(pairs)))


@cache
def _stop_words() -> frozenset[str]:
    text = (Path(__file__).parent / "smart_words.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return frozenset(word for line in lines for word in line.split())
