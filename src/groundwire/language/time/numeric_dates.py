"""Dates written in numbers alone: 2023-03-11T09:00Z, 2023/3/11, 11/03/2023, a bare year."""

from __future__ import annotations

import re

from groundwire.language.text.phrases import patterns
from groundwire.language.time.calendars import exists
from groundwire.language.time.mentions import NO_SUCH, ORDER, Rule, TimeMention
from groundwire.language.time.zones import offset

_said = patterns("numeric_dates.txt", flags=re.ASCII)

_BARE_YEAR = re.compile(_said("bare year"), re.ASCII | re.IGNORECASE)

# What carries a number of its own.
_NUMBERED = re.compile(_said("numbered"), re.IGNORECASE)


def _full(match: re.Match[str]) -> TimeMention:
    year, month, day = int(match["y"]), int(match["m"]), int(match["d"])
    hour = int(match["h"]) if match["h"] else None
    possible = exists(year, month, day) and (hour is None or hour < 24)
    return TimeMention(
        level="day",
        year=year,
        month=month,
        day=day,
        hour=hour,
        minute=int(match["min"]) if match["min"] else None,
        zone=offset(match["z"]) if match["z"] else None,
        why="" if possible else NO_SUCH,
    )


def _year_month(match: re.Match[str]) -> TimeMention:
    return TimeMention(level="month", year=int(match["y"]), month=int(match["m"]))


def _slashed(match: re.Match[str]) -> TimeMention | None:
    """The number that can be no month is the day; dots are written day first everywhere."""
    first, second, year = int(match["a"]), int(match["b"]), int(match["y"])
    if match["sep"] == "." or first > 12:
        day, month = first, second
    elif second > 12:
        day, month = second, first
    elif first == second:
        day = month = first
    else:
        return TimeMention(level="day", year=year, numbers=(first, second), why=ORDER)
    when = TimeMention(level="day", year=year, month=month, day=day)
    return when if exists(year, month, day) else None


def _bare_year(match: re.Match[str]) -> TimeMention | None:
    before = match.string[max(0, match.start() - 12) : match.start()]
    if _NUMBERED.search(before):
        return None
    return TimeMention(level="year", year=int(match["y"]))


RULES: tuple[Rule, ...] = (
    (_said["full"], _full),
    (_said["slashed"], _slashed),
    (_said["year month"], _year_month),
)
# Last of all: every other reading of the number says more.
YEAR_RULES: tuple[Rule, ...] = ((_BARE_YEAR, _bare_year),)
