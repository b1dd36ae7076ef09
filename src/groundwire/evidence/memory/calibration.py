"""What a score was worth so far: Brier score, reliability, and an isotonic fit on known outcomes."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from groundwire.model.outcome import Calibration, Labelled, Outcome

FEWEST = 30  # labelled signals, below which nothing is changed
_BINS = 10
_PLACES = 6
_CERTAIN = 1.959964  # standard deviations around the mean that hold 95 %
WORTH: dict[Outcome, float] = {"true": 1.0, "partly": 0.5, "false": 0.0}


class Pair(NamedTuple):
    """A score in [0, 1], and what came of it: 1 true, 0 false, a half partly."""

    score: float
    value: float


class Bin(NamedTuple):
    """A tenth of the scale: how many scores fell into it, their mean, and the share of true ones;
    both None where there is none."""

    low: float
    high: float
    samples: int
    score: float | None
    value: float | None


def pairs_of(labelled: Sequence[Labelled]) -> tuple[Pair, ...]:
    return tuple(Pair(each.score, WORTH[each.outcome]) for each in labelled)


def brier(pairs: Sequence[Pair]) -> float | None:
    """The mean squared distance between score and outcome: 0 is perfect, 0.25 is a coin."""
    if not pairs:
        return None
    return round(sum((pair.score - pair.value) ** 2 for pair in pairs) / len(pairs), _PLACES)


def reliability(pairs: Sequence[Pair]) -> tuple[Bin, ...]:
    """Ten bins of equal width, the last with its upper end; empty ones are there, too."""
    bins: list[list[Pair]] = [[] for _ in range(_BINS)]
    for pair in pairs:
        # In thousandths, so that 0.3 is not a hair below 3 tenths.
        bins[min(_BINS - 1, round(pair.score * 1_000_000) // (1_000_000 // _BINS))].append(pair)
    return tuple(
        Bin(
            low=at / _BINS,
            high=(at + 1) / _BINS,
            samples=len(found),
            score=_mean([pair.score for pair in found]),
            value=_mean([pair.value for pair in found]),
        )
        for at, found in enumerate(bins)
    )


def interval(share: float, samples: int) -> tuple[float, float]:
    """Return where the true share lies with 95 % certainty (Wilson): wide while there is little."""
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
    """The never-falling step function nearest to the outcomes, by pooling adjacent violators:
    (left end, value) of each step, ascending."""
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
    """Return what scores are worth by what is known at a moment; None below thirty labels."""
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
    """Return the score as it was worth so far; without a calibration as it is.

    Below the lowest score that was ever labelled the first step holds.
    """
    if calibration is None or calibration.samples < FEWEST or not calibration.values:
        return score
    step = max(0, bisect_right(calibration.scores, score) - 1)
    return calibration.values[step]
