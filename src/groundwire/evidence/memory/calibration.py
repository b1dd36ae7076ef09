"""What scores proved to be worth: Brier score, reliability, and an isotonic fit on outcomes."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from groundwire.model.outcome import Calibration, Labelled, Outcome, Tenth

FEWEST = 30  # labelled signals, below which nothing is changed
_BINS = 10
_PLACES = 6
_CERTAIN = 1.959964  # standard deviations around the mean that hold 95 %
WORTH: dict[Outcome, float] = {"true": 1.0, "partly": 0.5, "false": 0.0}


class Pair(NamedTuple):
    """A score in [0, 1] and its outcome: 1 true, 0 false, 0.5 partly."""

    score: float
    value: float


def pairs_of(labelled: Sequence[Labelled]) -> tuple[Pair, ...]:
    return tuple(Pair(each.score, WORTH[each.outcome]) for each in labelled)


def brier(pairs: Sequence[Pair]) -> float | None:
    """Compute the mean squared distance of score and outcome: 0 is perfect, 0.25 a coin toss."""
    if not pairs:
        return None
    return round(sum((pair.score - pair.value) ** 2 for pair in pairs) / len(pairs), _PLACES)


def reliability(pairs: Sequence[Pair]) -> tuple[Tenth, ...]:
    """Sort the pairs into ten bins of equal width, the last with its upper end."""
    bins: list[list[Pair]] = [[] for _ in range(_BINS)]
    for pair in pairs:
        # In thousandths, so that 0.3 is not a hair below 3 tenths.
        bins[min(_BINS - 1, round(pair.score * 1_000_000) // (1_000_000 // _BINS))].append(pair)
    return tuple(
        Tenth(
            low=at / _BINS,
            high=(at + 1) / _BINS,
            samples=len(members),
            score=_mean([pair.score for pair in members]),
            value=_mean([pair.value for pair in members]),
        )
        for at, members in enumerate(bins)
    )


def interval(share: float, samples: int) -> tuple[float, float]:
    """Return where the true share lies with 95 % certainty (Wilson): wide for few samples."""
    if samples <= 0:
        return 0.0, 1.0
    square = _CERTAIN * _CERTAIN
    middle = share + square / (2 * samples)
    spread = _CERTAIN * math.sqrt(share * (1 - share) / samples + square / (4 * samples**2))
    low, high = ((middle + side * spread) / (1 + square / samples) for side in (-1, 1))
    return round(max(0.0, low), _PLACES), round(min(1.0, high), _PLACES)


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), _PLACES) if values else None


class _Block(NamedTuple):
    left: float  # the lowest score in it
    size: int
    total: float

    @property
    def mean(self) -> float:
        return self.total / self.size


def isotonic(pairs: Sequence[Pair]) -> tuple[tuple[float, float], ...]:
    """Fit never-falling steps (left end, value) to the outcomes, by pooling adjacent violators."""
    by_score: dict[float, list[float]] = {}
    for pair in sorted(pairs):
        by_score.setdefault(pair.score, []).append(pair.value)
    blocks: list[_Block] = []
    for score, values in by_score.items():
        block = _Block(score, len(values), sum(values))
        while blocks and blocks[-1].mean >= block.mean:
            last = blocks.pop()
            block = _Block(last.left, last.size + block.size, last.total + block.total)
        blocks.append(block)
    return tuple((block.left, round(block.mean, _PLACES)) for block in blocks)


def fit(pairs: Sequence[Pair], at: datetime) -> Calibration | None:
    """Fit what scores are worth by what is known at a moment; None below thirty labels."""
    if len(pairs) < FEWEST:
        return None
    steps = isotonic(pairs)
    return Calibration(
        fitted_at=at,
        samples=len(pairs),
        scores=tuple(left for left, _ in steps),
        values=tuple(value for _, value in steps),
    )


def apply(calibration: Calibration | None, score: float) -> float:
    """Return what the score proved to be worth; without a calibration, the score itself.

    Below the lowest labelled score the first step holds.
    """
    if calibration is None or calibration.samples < FEWEST or not calibration.values:
        return score
    step = max(0, bisect_right(calibration.scores, score) - 1)
    return calibration.values[step]
