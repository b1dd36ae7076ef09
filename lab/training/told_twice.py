"""Learn what the signs of `jobs.timeline.likeness` are worth, from pairs written for it (`data/told_twice.tsv`).

`python -m lab.training.told_twice` prints precision and recall learned without each sixth of the pairs, then writes
what was learned from all. A pair that is one event is learned on other days, too: on one day, a day apart, and with
only its month known; and a pair that is two events also on those days, so that days alone decide nothing.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from groundwire.jobs.timeline.likeness import SIGNS, Telling, signs
from groundwire.language.time.calendars import months_from
from groundwire.language.time.expressions import expressions

Floats = NDArray[np.float64]
_PAIRS = Path(__file__).parent / "data/told_twice.tsv"
_WEIGHTS = Path(__file__).parents[2] / "src/groundwire/jobs/timeline/likeness.json"
_DAY = timedelta(days=1)
_STEPS, _RATE, _SHRINK, _FOLDS = 1500, 0.03, 0.02, 6
_LENGTHS = {4: 12, 7: 1}  # of a written date: the months that it spans


@dataclass(frozen=True)
class Example:
    """Two tellings, whether they are one event, and which pair they were made from."""

    one: Telling
    other: Telling
    same: bool
    pair: int
    written: bool = True  # as the pair was written, not on other days


def examples() -> list[Example]:
    """Read the pairs, each as it was written and on other days."""
    lines = _PAIRS.read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    found: list[Example] = []
    for number, (same, *sides) in enumerate(rows):
        one, other = telling(*sides[:3]), telling(*sides[3:])
        found.append(Example(one, other, same == "1", number))
        if one.first == one.last and other.first == other.last:
            first, last = _span(one.first.isoformat()[:7])
            for begin, end in (
                (one.first, one.last),
                (one.first + _DAY, one.last + _DAY),
                (first, last),
            ):
                moved = replace(other, first=begin, last=end)
                found.append(Example(one, moved, same == "1", number, written=False))
    return found


def telling(day: str, head: str, text: str) -> Telling:
    """Make a telling that was published when its date ends."""
    first, last = _span(day)
    named = frozenset(
        (each.first_day, each.last_day)
        for each in expressions(text, datetime(last.year, last.month, last.day, 12, tzinfo=UTC))
        if each.resolved and each.first_day is not None and each.last_day is not None
    )
    return Telling(head, text, first, last, last, named)


def _span(day: str) -> tuple[date, date]:
    if len(day) not in _LENGTHS:
        return date.fromisoformat(day), date.fromisoformat(day)
    year, month = (*map(int, day.split("-")), 1)[:2]
    return date(year, month, 1), months_from(year, month, _LENGTHS[len(day)])[1] - _DAY


def learn(rows: Floats, same: Floats) -> tuple[Floats, float]:
    """Learn the weights, each on its own side of zero; both answers weigh the same."""
    ones = float(same.sum())
    mass = same * (0.5 / ones) + (1 - same) * (0.5 / (len(same) - ones))
    spread = rows.std(0) + 1e-6
    middle = rows.mean(0)
    scaled = (rows - middle) / spread
    sides = np.array(list(SIGNS.values()), dtype=np.float64)
    found = np.zeros(len(SIGNS))
    start = 0.0
    first, second = np.zeros_like(found), np.zeros_like(found)
    for step in range(1, _STEPS + 1):
        wrong = mass * (1 / (1 + np.exp(-(scaled @ found + start))) - same)
        slope = scaled.T @ wrong + _SHRINK * found
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope * slope
        found -= _RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        found = sides * np.maximum(found * sides, 0.0)
        start -= 3 * _RATE * float(wrong.sum())
    return found / spread, start - float((found / spread) @ middle)


def main() -> None:
    every = examples()
    rows = np.array([list(signs(each.one, each.other).values()) for each in every])
    same = np.array([each.same for each in every], dtype=np.float64)
    folds = np.array([each.pair % _FOLDS for each in every])
    written = np.array([each.written for each in every])
    said = np.zeros(len(every))
    for fold in range(_FOLDS):
        values, start = learn(rows[folds != fold], same[folds != fold])
        said[folds == fold] = rows[folds == fold] @ values + start
    for name, part in (("as written", written), ("with other days", np.ones_like(written))):
        joined = (said > 0) & part
        right = float(same[joined].sum())
        sys.stdout.write(
            f"{name}: {int(part.sum())} pairs, precision {right / max(1, int(joined.sum())):.3f},"
            f" recall {right / float(same[part].sum()):.3f}\n"
        )
    values, start = learn(rows, same)
    named = {name: round(float(value), 3) for name, value in zip(SIGNS, values, strict=True)}
    origin = "learned by lab.training.told_twice from pairs written for the project"
    text = json.dumps({"origin": origin, "start": round(start, 3), "weights": named}, indent=2)
    _WEIGHTS.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
