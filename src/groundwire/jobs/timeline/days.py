"""Days on which something happened, and how likely each is a milestone: a few bounded counts, weighed as learned.

The weights are data (`days.json`, made by `lab.training.milestones`); none is below zero.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from importlib.resources import files

from groundwire.jobs.timeline.acts import has_act
from groundwire.jobs.timeline.collection import Collection
from groundwire.jobs.timeline.pages import LEAD, Account, Page
from groundwire.jobs.timeline.stated import Precision

NAMES = (
    "sentences",  # distinct sentences that name the day
    "bearing",  # what they bear on the topic
    "near",  # the same, with the sentence before and the headline
    "origins",  # independent origins that name it
    "spread",  # days of publication on which it is named
    "ahead",  # named before it came
    "kept",  # origins that name it more than a month later
    "lead",  # named in the first sentences of a page
    "subject",  # named where the topic opens the sentence
    "acts",  # named where something was done
    "published",  # what pages of that day bear on the topic
    "next",  # pages of the day after
    "burst",  # all this beside the weeks around
    "opening",  # all this beside the week before
    "peak",  # more than on any day beside it
)
_DAY = timedelta(days=1)
_BEARING, _PUBLISHED = NAMES.index("bearing"), NAMES.index("published")
_OPENING = 4  # words of content
_MONTH, _AROUND, _BEFORE, _BESIDE = 30, 14, 7, 2
_ABOVE = 3.0, 2.0  # times the usual: a burst, an opening


@dataclass(slots=True)
class Day:
    """A day, the sentences that name it, and the pages published on it; or a longer time."""

    day: date
    named: list[Account] = field(default_factory=list[Account])
    pages: list[Page] = field(default_factory=list[Page])
    last: date | None = None  # of a longer time
    precision: Precision = "day"


@dataclass(frozen=True, slots=True)
class RankedDay:
    """A day and how likely it is a milestone, beside the others."""

    day: Day
    score: float


def days_of(collection: Collection) -> dict[date, Day]:
    """Collect the days that sentences name and on which pages were published."""
    found: dict[date, Day] = {}
    for account in collection.accounts:
        for when in dict.fromkeys(each.day for each in account.times):
            if when is not None:
                found.setdefault(when, Day(when)).named.append(account)
    for page in collection.pages:
        if page.day is not None:
            found.setdefault(page.day, Day(page.day)).pages.append(page)
    return dict(sorted(found.items()))


def ranked(
    collection: Collection, found: Mapping[date, Day], periods: Sequence[Day] = ()
) -> list[RankedDay]:
    """Rank days and longer times, the likeliest milestone first."""
    every = [*found.values(), *periods]
    learned = weights()
    rows = features(collection, found, periods)
    scores = [sum(a * b for a, b in zip(learned, row, strict=True)) for row in rows]
    pairs = zip(every, scores, strict=True)
    return sorted((RankedDay(*each) for each in pairs), key=_rank)


def _rank(one: RankedDay) -> tuple[float, date, date]:
    return -one.score, one.day.day, one.day.last or one.day.day


def features(
    collection: Collection, found: Mapping[date, Day], periods: Sequence[Day] = ()
) -> list[tuple[float, ...]]:
    """Compute the features of each day, then of each longer time, in the order of `NAMES`.

    Each is in [0, 1] beside all the others; of a longer time nothing is known that is seen by the day.
    """
    leads = {id(page): _lead(collection, page) for page in collection.pages}
    rows = [_counts(collection, day, found, leads) for day in found.values()]
    busy = {when: row[_BEARING] + row[_PUBLISHED] for when, row in zip(found, rows, strict=True)}
    rows = [
        (*row, *_beside(busy, when, row[_PUBLISHED + 1]))
        for when, row in zip(found, rows, strict=True)
    ]
    rows += [(*_counts(collection, each, {}, leads), 0.0, 0.0, 0.0) for each in periods]
    most = [max(column) or 1.0 for column in zip(*rows, strict=True)]
    return [tuple(value / top for value, top in zip(row, most, strict=True)) for row in rows]


def _lead(collection: Collection, page: Page) -> float:
    """Rate how far the headline and the first sentences bear on the topic."""
    text = (
        page.text[: page.accounts[min(LEAD, len(page.accounts)) - 1].end] if page.accounts else ""
    )
    words = {word for each in page.accounts[:LEAD] for word in each.words}
    words.update(page.title)
    return collection.topic.bearing(words, f"{page.evidence.document.title}\n{text}")


def _counts(
    collection: Collection, day: Day, found: Mapping[date, Day], leads: Mapping[int, float]
) -> tuple[float, ...]:
    bearing = [collection.bearing(each) for each in day.named]
    near = [_near(collection, *each, leads) for each in zip(day.named, bearing, strict=True)]
    bear = [each for each, worth in zip(day.named, bearing, strict=True) if worth]
    lags = [(each, _lag(each, day.day)) for each in bear]
    stems = collection.topic.stems
    after = found.get(day.day + _DAY)
    counts = (
        len(day.named),
        sum(bearing),
        sum(near),
        len({_origin(each) for each in bear}),
        len({each.page.day for each in bear}),
        sum(lag < 0 for _, lag in lags),
        len({_origin(each) for each, lag in lags if lag > _MONTH}),
        sum(each.order < LEAD for each in bear),
        sum(not stems.isdisjoint(each.words[:_OPENING]) for each in bear),
        sum(has_act(each.words) for each in bear),
        sum(leads[id(page)] for page in day.pages),
        sum(leads[id(page)] for page in after.pages) if after else 0.0,
    )
    return tuple(map(math.log1p, counts))


def _origin(account: Account) -> str:
    evidence = account.page.evidence
    return evidence.origin_id or evidence.id


def _lag(account: Account, day: date) -> int:
    return ((account.page.day or account.page.seen) - day).days


def _near(
    collection: Collection, account: Account, bearing: float, leads: Mapping[int, float]
) -> float:
    """Rate a sentence together with what stands around it: "He resigned on Monday"."""
    if bearing:
        return bearing
    return max(collection.before(account), leads[id(account.page)] if account.order < LEAD else 0.0)


def _beside(busy: Mapping[date, float], when: date, after: float) -> tuple[float, float, float]:
    own = busy[when]

    def mean(first: int, last: int) -> float:
        total = sum(busy.get(when + step * _DAY, 0.0) for step in range(first, last + 1) if step)
        return total / sum(step != 0 for step in range(first, last + 1))

    burst = max(0.0, own + after - _ABOVE[0] * mean(-_AROUND, _AROUND))
    opening = max(0.0, own + after - _ABOVE[1] * mean(-_BEFORE, -1))
    beside = max(busy.get(when + step * _DAY, 0.0) for step in range(-_BESIDE, _BESIDE + 1) if step)
    return burst, opening, float(own > beside)


@cache
def weights() -> tuple[float, ...]:
    """Load the weights, once."""
    found = json.loads(files("groundwire.jobs.timeline").joinpath("days.json").read_text("utf-8"))
    return tuple(float(found["weights"][name]) for name in NAMES)
