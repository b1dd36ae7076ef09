"""Events: what several pages tell of one day in words of their own; a day may have more than one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from groundwire.jobs.timeline.choice import Told
from groundwire.jobs.timeline.collection import Collection, Vector, added, cosine, unit
from groundwire.jobs.timeline.days import RankedDay
from groundwire.jobs.timeline.stated import Precision

_FIRST = 80  # of a day's sentences, best first
_ALIKE = 0.2  # from this likeness on two sentences tell of one event
_LEAST = 0.25  # of the best sentence of its day: below it no event begins
_MOST = 5  # events of a day
_TELLING = 3  # sentences by which events are compared
_SAME = 0.35


@dataclass(frozen=True, slots=True)
class Event:
    """What happened on a day or in a longer time, with the sentences that tell of it, best first."""

    first: date
    last: date
    precision: Precision
    score: float
    told: Sequence[Told]

    def vector(self, collection: Collection) -> Vector:
        """Return what its best sentences say."""
        return unit(added(collection.telling(each.account) for each in self.told[:_TELLING]))


def events_of(collection: Collection, ranked: RankedDay, told: Sequence[Told]) -> list[Event]:
    """Part what is told of a day into its events; the first has the day's score, others a share."""
    left = list(told[:_FIRST])
    groups: list[list[Told]] = []
    while left and len(groups) < _MOST and left[0].score >= _LEAST * told[0].score:
        centre = collection.telling(left[0].account)
        alike = [cosine(centre, collection.telling(each.account)) >= _ALIKE for each in left]
        alike[0] = True
        groups.append([each for each, same in zip(left, alike, strict=True) if same])
        left = [each for each, same in zip(left, alike, strict=True) if not same]
    weights = [sum(each.score for each in group) for group in groups]
    top = max(weights, default=1.0)
    day = ranked.day
    last = day.last or day.day
    return [
        Event(day.day, last, day.precision, ranked.score * weight / top, group)
        for group, weight in zip(groups, weights, strict=True)
    ]


def is_same(collection: Collection, event: Event, other: Event) -> bool:
    """Tell whether times that overlap are told in the same words: one event."""
    if event.first > other.last or other.first > event.last:
        return False
    return cosine(event.vector(collection), other.vector(collection)) >= _SAME
