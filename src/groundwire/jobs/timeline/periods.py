"""Events of which no page names the day: a month, a quarter, a year, a decade, told in sentences that are alike.

A year is named for many things, so it is no event by itself: the sentences that name it are grouped by what they say.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from groundwire.jobs.timeline.acts import has_act
from groundwire.jobs.timeline.collection import Collection, cosine
from groundwire.jobs.timeline.days import Day
from groundwire.jobs.timeline.pages import Account
from groundwire.jobs.timeline.stated import Precision
from groundwire.language.time.calendars import months_from

_ALIKE = 0.3
_MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
_MOST = 120  # sentences of a period that are grouped

_Period = tuple[date, date, Precision]


def interval_of(written: str, precision: Precision) -> tuple[date, date]:
    """Return the days of a date as it is written: 2023, 2023-05, 2023-05-06."""
    year, month, day = (*map(int, written.split("-")), 1, 1)[:3]
    first = date(year, month, day)
    if precision == "day":
        return first, first
    return first, months_from(year, month, _MONTHS[precision])[1] - timedelta(days=1)


def periods_of(collection: Collection) -> list[Day]:
    """Collect the events of longer times, each with the sentences that tell of it."""
    named: dict[_Period, list[Account]] = {}
    for account in collection.accounts:
        if account.times and all(each.day is None for each in account.times):
            spans: list[_Period] = [
                (t.first, t.last, t.precision)
                for t in account.times
                # This year is when a page was written, not when something happened.
                if account.page.day is None or not t.first <= account.page.day <= t.last
            ]
            for each in dict.fromkeys(spans):
                if collection.bearing(account) and has_act(account.words):
                    named.setdefault(each, []).append(account)
    return [
        Day(first, group, [], last, precision)
        for (first, last, precision), accounts in sorted(named.items())
        for group in _groups(collection, accounts[:_MOST])
    ]


def _groups(collection: Collection, accounts: list[Account]) -> Iterator[list[Account]]:
    """Group sentences that are alike, around those that most are like."""
    vectors = [collection.vector(each) for each in accounts]
    near = [
        [n for n, other in enumerate(vectors) if cosine(one, other) >= _ALIKE] for one in vectors
    ]
    left = set(range(len(accounts)))
    for centre in sorted(range(len(near)), key=lambda n: (-len(near[n]), n)):
        if centre in left:
            group = [n for n in near[centre] if n in left]
            left.difference_update(group)
            yield [accounts[n] for n in group]
