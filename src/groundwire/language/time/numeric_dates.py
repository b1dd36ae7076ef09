"""Dates written in numbers alone: 2023-03-11T09:00Z, 2023/3/11, 11/03/2023, a bare year."""

from __future__ import annotations

import re
from datetime import UTC, timedelta, timezone, tzinfo

from groundwire.language.time.calendars import exists
from groundwire.language.time.mentions import NO_SUCH, ORDER, Rule, TimeMention

_YEAR = "(?:19|20)[0-9]{2}"
# Nouns that make a bare four-digit number a count.
_COUNTED = (
    "people|persons|employees|workers|staff|users|customers|units|jobs|shares|banks|companies|"
    "firms|deaths|cases|homes|cars|vehicles|gpus?|chips|points|miles|kilometers|km|tons|tonnes|"
    "dollars|euros|pounds|yuan|btc|eth|investors|branches|stores|patients|soldiers|troops"
)
_MEASURES = "亿万千百多余元美欧英港日人名家个次台部条件种枚只股吨倍点米公"

_FULL = re.compile(
    rf"(?<![\w./-])(?P<y>{_YEAR})(?P<sep>[-/.])(?P<m>\d{{1,2}})(?P=sep)(?P<d>\d{{1,2}})"
    r"(?:(?![\d/-]|\.\d)|(?=T\d\d:))(?:[T ](?P<h>[012]\d):(?P<min>[0-5]\d)(?::[0-5]\d(?:\.\d{1,9})?)?"
    r"(?P<z> ?Z\b|[+-]\d\d:?\d\d)?)?(?![\d:])",
    re.ASCII,
)
_YEAR_MONTH = re.compile(rf"(?<![\w./-])(?P<y>{_YEAR})-(?P<m>0[1-9]|1[0-2])(?![\d-])", re.ASCII)
_SLASHED = re.compile(
    rf"(?<![\w./-])(?P<a>\d{{1,2}})(?P<sep>[/.-])(?P<b>\d{{1,2}})(?P=sep)(?P<y>{_YEAR})(?![\w/]|\.\d)",
    re.ASCII,
)
_BARE_YEAR = re.compile(
    rf"(?<![\w.$€£¥/+])(?<!\d,)(?<![a-z]\d-)(?<!(?<!\d)\d{{3}}-)(?<![$€£¥]\d{{4}}-)(?P<y>{_YEAR})(?![\w%/+{_MEASURES}]|[.,]\d"
    rf"|-{_YEAR}[%{_MEASURES}]| (?:{_COUNTED}|hundred|thousand|million|billion|trillion|bn|percent|basis|per)\b)",
    re.IGNORECASE | re.ASCII,
)

# What carries a number of its own.
_NUMBERED = re.compile(
    r"\b(?:windows|office|room|page|rfc|iso|gb|no\.|number|model|route|flight|suite|section|line|bus) $",
    re.IGNORECASE,
)


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
        zone=_offset(match["z"].strip()) if match["z"] else None,
        why="" if possible else NO_SUCH,
    )


def _offset(mark: str) -> tzinfo | None:
    if mark[0] == "Z":
        return UTC
    size = timedelta(hours=int(mark[1:3]), minutes=int(mark[-2:]))
    if size >= timedelta(hours=24):
        return None
    return timezone(size if mark[0] == "+" else -size)


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


RULES: tuple[Rule, ...] = ((_FULL, _full), (_SLASHED, _slashed), (_YEAR_MONTH, _year_month))
# Last of all: every other reading of the number says more.
YEAR_RULES: tuple[Rule, ...] = ((_BARE_YEAR, _bare_year),)
