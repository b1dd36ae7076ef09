"""A period of time: the last days, or a month."""

from __future__ import annotations

import calendar
import re
from datetime import UTC, date, datetime, timedelta

from groundwire.errors import InputError
from groundwire.model.base import Instant, Value

_MOST_DAYS = 366


class Period(Value):
    """From, inclusive, to, exclusive, in UTC; days that are yet to come are not in it."""

    name: str  # a month by its number, else the first day and the last: 2026-11-12/2026-11-18
    since: Instant
    until: Instant

    @property
    def days(self) -> list[date]:
        last = (self.until - timedelta(microseconds=1)).date()
        count = (last - self.since.date()).days + 1
        return [self.since.date() + timedelta(days=number) for number in range(count)]


def period(now: datetime, *, days: int | None = None, month: str = "") -> Period:
    """Build the period of the last days, or of a month: this one by default."""
    if days is not None and month:
        raise InputError("error.days_or_month")
    if days is not None:
        if not 1 <= days <= _MOST_DAYS:
            raise InputError("error.days_range", most=_MOST_DAYS)
        first = now.date() - timedelta(days=days - 1)
        name = str(first) if days == 1 else f"{first}/{now.date()}"
        until = _midnight(now.date() + timedelta(days=1))
        return Period(name=name, since=_midnight(first), until=until)
    since = _first_of(month, now)
    last = since.date().replace(day=calendar.monthrange(since.year, since.month)[1])
    until = _midnight(min(last, max(now.date(), since.date())) + timedelta(days=1))
    return Period(name=f"{since:%Y-%m}", since=since, until=until)


def _first_of(text: str, now: datetime) -> datetime:
    if not text:
        return datetime(now.year, now.month, 1, tzinfo=UTC)
    found = re.fullmatch(r"([0-9]{4})-(0[1-9]|1[0-2])", text.strip())
    if found is None or not 1970 <= int(found[1]) <= 9998:
        raise InputError("error.no_month", text=text, hint="hint.month")
    return datetime(int(found[1]), int(found[2]), 1, tzinfo=UTC)


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
