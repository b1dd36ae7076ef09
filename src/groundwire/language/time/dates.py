"""Dates that a text names, to be compared with those of another; no times, no counts, no guesses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from groundwire.language.text.characters import normalise
from groundwire.language.time import resolution as resolving
from groundwire.language.time.mentions import (
    ELSEWHERE,
    FESTIVAL,
    FISCAL,
    LUNAR,
    SEASON,
    Level,
    TimeMention,
)
from groundwire.language.time.resolution import Unresolved
from groundwire.language.time.scanner import readings
from groundwire.language.time.tense import tensed

Precision = Literal["day", "month", "quarter", "year"]
_RANK: dict[Precision, int] = {"day": 0, "month": 1, "quarter": 2, "year": 3}
# A half of a year is compared as its year; a week and a weekend with nothing.
_PRECISIONS: dict[Level | None, Precision] = {
    "day": "day", "month": "month", "quarter": "quarter", "half": "year", "year": "year",
    "fiscal_year": "year",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date in a text; `date` is the first day it can mean, None when its year is not known."""

    start: int
    end: int
    text: str
    date: date | None
    precision: Precision
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None  # Monday is 0; set for weekday names only


def date_mentions(text: str, reference: date | None = None) -> list[DateMention]:
    """Return every date in the text, in order; days without a year are read near the reference.

    A stretch that is written as one (March 10-15, 前三季度) is two dates at the same place: its
    first and its last.
    """
    normal = normalise(text)
    found: list[DateMention] = []
    for said in readings(normal.text):
        if reference is not None:
            said = tensed(said, normal.text)
        start, end = normal.original(said.start, said.end)
        for each in (said,) if said.until is None else resolving.ends(said):
            precision = _precision(each)
            if precision is not None:
                found.append(_mention(each, precision, start, end, text[start:end], reference))
    return found


def date_spans(flat: str) -> list[tuple[int, int]]:
    """Spans of dates, decades and times of day in text that is already in its normal form."""
    return [
        (said.start, said.end)
        for said in readings(flat)
        if said.kind == "time" or said.level == "decade" or _precision(said) is not None
    ]


def agrees(a: DateMention, b: DateMention) -> bool:
    """Tell whether two mentions can mean the same date, at the coarser of their precisions."""
    if any(each.weekday is not None and each.date is None for each in (a, b)):
        return _weekday(a) is not None and _weekday(a) == _weekday(b)
    coarse = b.precision if is_finer(a, b) else a.precision
    pairs = zip(_parts(a, coarse), _parts(b, coarse), strict=True)
    known = [(x, y) for x, y in pairs if x is not None and y is not None]
    return bool(known) and all(x == y for x, y in known)


def is_finer(a: DateMention, b: DateMention) -> bool:
    """Tell whether `a` names its date more exactly than `b`."""
    return _RANK[a.precision] < _RANK[b.precision]


def _weekday(said: DateMention) -> int | None:
    if said.weekday is not None or said.date is None or said.precision != "day":
        return said.weekday
    return said.date.weekday()


def _parts(said: DateMention, precision: Precision) -> tuple[int | None, ...]:
    """What is compared at a precision."""
    if precision == "quarter":
        return said.year, None if said.month is None else (said.month - 1) // 3
    return (said.year, said.month, said.day)[: {"day": 3, "month": 2, "year": 1}[precision]]


def _precision(said: TimeMention) -> Precision | None:
    """At which it can be compared; None for what is impossible, in doubt, or no date."""
    if said.why in (FESTIVAL, LUNAR):
        return "year" if said.has_year else None
    if said.kind != "date" or said.weak or said.why not in ("", ELSEWHERE, FISCAL, SEASON):
        return None
    return None if said.level == "half" and not said.has_year else _PRECISIONS.get(said.level)


def _mention(
    said: TimeMention, precision: Precision, start: int, end: int, text: str, reference: date | None
) -> DateMention:
    when = _first_day(said, precision, reference)
    known = said if when is None else when
    month = known.month if precision != "year" else None
    day = known.day if precision == "day" else None
    return DateMention(start, end, text, when, precision, known.year, month, day, said.weekday)


def _first_day(said: TimeMention, precision: Precision, reference: date | None) -> date | None:
    if said.why in (FISCAL, FESTIVAL, LUNAR):
        # Nothing is sure but the year.
        said = TimeMention(level="year", year=said.year, years=said.years)
    if said.why == SEASON:
        said = said._replace(why="")
    if said.why or (said.is_relative and reference is None):
        return None
    # What lies ahead is announced, and then moved.
    ahead = said.which == "next" or said.tense == "future" or (said.weeks or 0) > 0
    if said.weekday is not None and ahead:
        return None
    try:
        first = resolving.days(said, reference or date(2000, 1, 1))[0]
    except Unresolved:
        return None
    if precision == "year":
        return first.replace(month=1, day=1)
    return first.replace(day=1) if precision == "month" else first
