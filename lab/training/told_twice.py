"""Learn what the signs of `jobs.timeline.likeness` are worth, from pairs and stories written for it (`data/told_twice*.tsv`).

`python -m lab.training.told_twice` prints precision and recall learned without each sixth of the matters, then writes
what was learned from all. Any two tellings of a story are a pair. A pair that is one event is learned on other days, too: on one day, a day apart, and with
only its month known; and a pair that is two events also on those days, so that days alone decide nothing.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import combinations, groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from groundwire.jobs.timeline.likeness import SIGNS, SURE, Telling, signs
from groundwire.language.time.calendars import months_from
from groundwire.language.time.expressions import expressions

Floats = NDArray[np.float64]
_PAIRS = Path(__file__).parent / "data/told_twice.tsv"
_STORIES = Path(__file__).parent / "data/told_twice_stories.tsv"
_WEIGHTS = Path(__file__).parents[2] / "src/groundwire/jobs/timeline/likeness.json"
_DAY = timedelta(days=1)
_STEPS, _RATE, _SHRINK, _FOLDS = 1500, 0.03, 0.02, 6
_OF_STORY, _WRITTEN = (
    0.1,
    3.0,
)  # a story makes many pairs of few tellings; days as written beside those made up
_LENGTHS = {4: 12, 7: 1}  # of a written date: the months that it spans


@dataclass(frozen=True)
class Example:
    """Two tellings, whether they are one event, and of which matter they are: pairs of one matter are learned together."""

    one: Telling
    other: Telling
    same: bool
    matter: int
    told: bool = False  # in a story
    written: bool = True  # as the pair was written, not on other days

    @property
    def mass(self) -> float:
        return (_OF_STORY if self.told else 1.0) * (_WRITTEN if self.written else 1.0)


def examples() -> list[Example]:
    """Read the pairs, each as it was written and on other days."""
    found: list[Example] = []
    matters = [*((False, each) for each in _pairs()), *((True, each) for each in _stories())]
    for number, (told, pairs) in enumerate(matters):
        for same, one, other in pairs:
            found.append(Example(one, other, same, number, told))
            found += (
                Example(*moved, same, number, told, written=False) for moved in _moved(one, other)
            )
    return found


_Pair = tuple[bool, Telling, Telling]


def _pairs() -> Iterator[list[_Pair]]:
    """Yield the pairs that were written as pairs, those that begin with one headline together."""
    for _, rows in groupby(_rows(_PAIRS), key=lambda row: row[2]):
        yield [(same == "1", telling(*a[:3]), telling(*a[3:])) for same, *a in rows]


def _stories() -> Iterator[list[_Pair]]:
    """Yield all pairs of each story, whose tellings are marked with their event."""
    for _, rows in groupby(_rows(_STORIES), key=lambda row: row[0].partition(".")[0]):
        told = [(event, telling(*rest)) for event, *rest in rows]
        found = [(a[0] == b[0], a[1], b[1]) for a, b in combinations(told, 2)]
        yield found + [(same, _bare(a), _bare(b)) for same, a, b in found]


def _bare(telling: Telling) -> Telling:
    """Return a telling as it stands in the middle of a page."""
    return replace(telling, head=telling.said)


def _rows(path: Path) -> list[list[str]]:
    lines = path.read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def _moved(one: Telling, other: Telling) -> Iterator[tuple[Telling, Telling]]:
    """Yield the other telling on the day of the one, on the day after, in its month, and where each names its own day."""
    if one.first != one.last or other.first != other.last:
        return
    month = _span(one.first.isoformat()[:7])
    for first, last in ((one.first, one.last), (one.first + _DAY, one.last + _DAY), month):
        yield one, replace(other, first=first, last=last)
    day = one.first + 2 * _DAY
    yield (
        replace(one, named=frozenset({(one.first, one.first)})),
        replace(other, first=day, last=day, named=frozenset({(day, day)})),
    )


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


def learn(rows: Floats, same: Floats, mass: Floats) -> tuple[Floats, float]:
    """Learn the weights, each on its own side of zero; both answers weigh the same."""
    ones = float((mass * same).sum())
    mass = mass * (same * (0.5 / ones) + (1 - same) * (0.5 / (float(mass.sum()) - ones)))
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
    folds = np.array([each.matter % _FOLDS for each in every])
    written = np.array([each.written for each in every])
    told = np.array([each.told for each in every])
    mass = np.array([each.mass for each in every])
    said = np.zeros(len(every))
    for fold in range(_FOLDS):
        values, start = learn(*(each[folds != fold] for each in (rows, same, mass)))
        said[folds == fold] = rows[folds == fold] @ values + start
    for name, part in (
        ("pairs", written & ~told),
        ("stories", written & told),
        ("pairs on other days, too", ~told),
    ):
        joined = (said > math.log(SURE / (1 - SURE))) & part
        right = float(same[joined].sum())
        sys.stdout.write(
            f"{name}: {int(part.sum())} pairs, precision {right / max(1, int(joined.sum())):.3f},"
            f" recall {right / float(same[part].sum()):.3f}\n"
        )
    values, start = learn(rows, same, mass)
    named = {name: round(float(value), 3) for name, value in zip(SIGNS, values, strict=True)}
    origin = "learned by lab.training.told_twice from pairs written for the project"
    text = json.dumps({"origin": origin, "start": round(start, 3), "weights": named}, indent=2)
    _WEIGHTS.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
