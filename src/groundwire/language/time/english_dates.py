"""Dates in English text: named months, weekdays, quarters, years, and what is said of today."""

from __future__ import annotations

import re

from groundwire.language.text.phrases import patterns
from groundwire.language.time.calendars import exists
from groundwire.language.time.mentions import (
    ELSEWHERE,
    FESTIVAL,
    FISCAL,
    NO_SUCH,
    VAGUE,
    Rule,
    Third,
    TimeMention,
    Which,
    rule,
)

_said = patterns("english_dates.txt", flags=re.ASCII | re.IGNORECASE)
_NAMES = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_WEEKDAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_WEEKDAY_NUMBER = {name[:3]: number for number, name in enumerate(_WEEKDAYS.split("|"))}

_LEAD = re.compile(_said("lead"), re.IGNORECASE)
_EDGES: dict[str, Third] = {
    "early": "early", "beginning": "early", "start": "early", "mid": "mid", "middle": "mid",
    "late": "late", "end": "late",
}  # fmt: skip
_DECADE = re.compile(r"(?:(?P<y>(?:1\d|20)\d0)|(?<=')(?P<yy>\d0))s\b", re.IGNORECASE | re.ASCII)
_RECURRING = re.compile(_said("recurring"), re.IGNORECASE)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_FISCAL_LEAD = re.compile(_said("fiscal lead"), re.IGNORECASE)
_WHICH: dict[str, Which] = {
    "last": "last", "this past": "last", "past": "last", "this": "this", "next": "next",
    "this coming": "coming", "coming": "coming",
}  # fmt: skip
_STEP = {"last": -1, "this": 0, "next": 1}


def _day(match: re.Match[str]) -> TimeMention | None:
    got = match.groupdict()
    if got["m"][:1].islower() and not got["y"]:
        return None  # "may 5", "march": verbs
    said = _dated(got["m"], got["y"], got["d"])
    if not got["to"]:
        return said
    return said._replace(until=_dated(got["m"], got["y"], got["to"]))


def _dated(month: str, year: str | None, day: str | None) -> TimeMention:
    number = int(day) if day else None
    when = TimeMention(
        level="month" if number is None else "day",
        year=int(year) if year else None,
        month=_NAMES.index(month[:3].lower()) + 1,
        day=number,
    )
    return when if exists(when.year, when.month, when.day) else when._replace(why=NO_SUCH)


def _month(match: re.Match[str]) -> TimeMention | None:
    if match["m"][:1].islower():
        return None
    before = match.string[max(0, match.start() - 10) : match.start()]
    led = match["y"] or _LEAD.search(before)
    said = _dated(match["m"], match["y"], None)
    if led:
        return said
    which = re.search(r"\b(last|this|next) $", before, re.IGNORECASE)
    if which is None:
        return said._replace(weak=True)
    return said._replace(which=_WHICH[which[1].lower()], start=match.start() - len(which[0]))


@rule(_said("edge"), re.ASCII | re.IGNORECASE)
def edge(match: re.Match[str]) -> TimeMention | None:
    got = match.groupdict()
    third = _EDGES[re.sub(r"\b(?:the|of|in)\b", "", got["edge"].lower()).split()[0]]
    if got["which"]:
        step = _STEP[got["which"].lower()]
        if got["of"].lower() == "year":
            return TimeMention(level="year", years=step, third=third)
        return TimeMention(level="month", months=step, third=third)
    if got["m"]:
        if got["m"][:1].islower():
            return None
        return _dated(got["m"], got["y"], None)._replace(third=third)
    if got["yy"]:
        return TimeMention(level="decade", year=_decade_of(int(got["yy"])))
    year = int(got["y2"])
    if got["s"]:
        return TimeMention(level="decade", year=year) if year % 10 == 0 else None
    return TimeMention(level="year", year=year, third=third)


def _decade(match: re.Match[str]) -> TimeMention:
    if match["y"]:
        return TimeMention(level="decade", year=int(match["y"]))
    year = _decade_of(int(match["yy"]))
    return TimeMention(level="decade", year=year, start=match.start() - 1, end=match.end())


def _decade_of(tens: int) -> int:
    return tens + (2000 if tens < 30 else 1900)


@rule(_said("weekday"), re.ASCII | re.IGNORECASE)
def weekday(match: re.Match[str]) -> TimeMention | None:
    if match["short"]:
        return TimeMention(
            level="day", weekday=_WEEKDAY_NUMBER[match["short"][:3].lower()], weak=True
        )
    before = match.string[max(0, match.start() - 8) : match.start()]
    if _RECURRING.search(before):
        return None
    which = _WHICH[match["which"].lower()] if match["which"] else ""
    return TimeMention(level="day", weekday=_WEEKDAY_NUMBER[match["w"][:3].lower()], which=which)


@rule(_said("period"), re.ASCII | re.IGNORECASE)
def period(match: re.Match[str]) -> TimeMention:
    step = _STEP[match["which"].lower()]
    of = match["of"].lower()
    if of == "year":
        return TimeMention(level="year", years=step)
    if of == "month":
        return TimeMention(level="month", months=step)
    if of == "quarter":
        return TimeMention(level="quarter", months=3 * step)
    return TimeMention(level="week" if of == "week" else "weekend", weeks=step)


_DAYS = {"today": 0, "yesterday": -1, "tomorrow": 1}


@rule(_said("today"), re.ASCII | re.IGNORECASE)
def today(match: re.Match[str]) -> TimeMention:
    got = {name: value.lower() for name, value in match.groupdict().items() if value}
    if "vague" in got:
        return TimeMention(kind="words", level="day", why=VAGUE)
    if "text" in got:
        return TimeMention(kind="words", level="day", why=ELSEWHERE)
    if "tight" in got:
        return TimeMention(level="day", days=0 if got["tight"] == "tonight" else -1, part="evening")
    if "two" in got:
        return TimeMention(level="day", days=-2 if "before" in got["two"] else 2)
    return TimeMention(level="day", days=_DAYS[got["day"]])


@rule(_said("fiscal"), re.ASCII | re.IGNORECASE)
def fiscal_year(match: re.Match[str]) -> TimeMention:
    said = match["y"] or match["y2"]
    year = int(said) if len(said) == 4 else 2000 + int(said)
    return TimeMention(level="fiscal_year", year=year, why=FISCAL)


@rule(_said("quarter"), re.ASCII | re.IGNORECASE)
def quarter(match: re.Match[str]) -> TimeMention | None:
    got = {name: value.lower() for name, value in match.groupdict().items() if value}
    years = [int(got[name]) for name in ("y", "y2", "y3", "y4") if name in got]
    year = years[0] if years else 2000 + int(got["yy"]) if "yy" in got else None
    if "q" in got or "o" in got:
        number = int(got["q"]) if "q" in got else _ORDINALS[got["o"]]
        before = match.string[max(0, match.start() - 20) : match.start()]
        why = FISCAL if "fy" in got or _FISCAL_LEAD.search(before) else ""
        return TimeMention(level="quarter", year=year, month=3 * number - 2, why=why)
    if "h" in got and match.group()[0] == "h":
        return None  # an element of a page
    number = int(got["h"]) if "h" in got else _ORDINALS[got["ho"]]
    return TimeMention(
        level="half", year=year, years=-1 if "ago" in got else None, month=6 * number - 5
    )


def _year_quarter(match: re.Match[str]) -> TimeMention | None:
    year, kind = match["y"] or match["y2"], (match["k"] or match["k2"]).lower()
    number = int(match["n"] or match["n2"])
    full = int(year) if len(year) == 4 else 2000 + int(year)
    if kind == "q":
        return TimeMention(level="quarter", year=full, month=3 * number - 2)
    return TimeMention(level="half", year=full, month=6 * number - 5) if number <= 2 else None


@rule(_said("festival"), re.ASCII | re.IGNORECASE)
def festive(match: re.Match[str]) -> TimeMention:
    return TimeMention(kind="words", level="day", why=FESTIVAL)


# For numbers: 11 March, 1990s, 2023Q1.
DIGIT_RULES: tuple[Rule, ...] = (
    (_said["day month"], _day),
    (_said["hyphenated"], _day),
    (_DECADE, _decade),
    (_said["year quarter"], _year_quarter),
)
MONTH_RULES: tuple[Rule, ...] = ((_said["month day"], _day), (_said["month"], _month))
