"""Dates that a text names, to be compared with those of another; no times, counts or guesses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from groundwire.language.text.characters import normalise
from groundwire.language.text.spans import Span
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
from groundwire.language.time.scanner import time_mentions
from groundwire.language.time.tense import with_tense

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

    A stretch written as one (March 10-15, 前三季度) is two dates at the same place: its first and
    its last.
    """
    normal = normalise(text)
    dates: list[DateMention] = []
    for mention in time_mentions(normal.text):
        if reference is not None:
            mention = with_tense(mention, normal.text)
        span = normal.original(mention.start, mention.end)
        for each in (mention,) if mention.until is None else resolving.ends(mention):
            precision = _precision(each)
            if precision is not None:
                dates.append(_mention(each, precision, span, text[slice(*span)], reference))
    return dates


def date_spans(flat: str) -> list[tuple[int, int]]:
    """Find dates, decades and times of day in text that is already in its normal form."""
    return [
        (mention.start, mention.end)
        for mention in time_mentions(flat)
        if mention.kind == "time" or mention.level == "decade" or _precision(mention) is not None
    ]


def agrees(a: DateMention, b: DateMention) -> bool:
    """Tell whether two mentions can mean the same date, at the coarser of their precisions."""
    if any(each.weekday is not None and each.date is None for each in (a, b)):
        return _weekday(a) is not None and _weekday(a) == _weekday(b)
    coarse = b.precision if is_finer(a, b) else a.precision
    pairs = zip(_parts(a, coarse), _parts(b, coarse), strict=True)
    known = [(x, y) for x, y in pairs if x is not None and y is not None]
    return bool(known) and all(x == y for x, y in known)


def writes_year(mention: DateMention) -> bool:
    """Tell whether a mention gives its year in so many figures."""
    return mention.year is not None and str(mention.year) in mention.text


def is_finer(a: DateMention, b: DateMention) -> bool:
    """Tell whether `a` names its date more exactly than `b`."""
    return _RANK[a.precision] < _RANK[b.precision]


def _weekday(mention: DateMention) -> int | None:
    if mention.weekday is not None or mention.date is None or mention.precision != "day":
        return mention.weekday
    return mention.date.weekday()


def _parts(mention: DateMention, precision: Precision) -> tuple[int | None, ...]:
    """Return the parts that are compared at a precision."""
    if precision == "quarter":
        return mention.year, None if mention.month is None else (mention.month - 1) // 3
    size = {"day": 3, "month": 2, "year": 1}[precision]
    return (mention.year, mention.month, mention.day)[:size]


def _precision(mention: TimeMention) -> Precision | None:
    """Return the precision for comparison; None for what is impossible, in doubt, or no date."""
    if mention.why in (FESTIVAL, LUNAR):
        return "year" if mention.has_year else None
    if mention.kind != "date" or mention.weak or mention.why not in ("", ELSEWHERE, FISCAL, SEASON):
        return None
    yearless_half = mention.level == "half" and not mention.has_year
    return None if yearless_half else _PRECISIONS.get(mention.level)


def _mention(
    mention: TimeMention, precision: Precision, span: Span, text: str, reference: date | None
) -> DateMention:
    when = _first_day(mention, precision, reference)
    known = mention if when is None else when
    month = known.month if precision != "year" else None
    day = known.day if precision == "day" else None
    return DateMention(*span, text, when, precision, known.year, month, day, mention.weekday)


def _first_day(mention: TimeMention, precision: Precision, reference: date | None) -> date | None:
    if mention.why in (FISCAL, FESTIVAL, LUNAR):
        # Only the year is sure.
        mention = TimeMention(level="year", year=mention.year, years=mention.years)
    if mention.why == SEASON:
        mention = mention._replace(why="")
    if mention.why or (mention.is_relative and reference is None):
        return None
    # What lies ahead is announced, and often moved.
    ahead = mention.which == "next" or mention.tense in ("future", "meant")
    ahead = ahead or (mention.weeks or 0) > 0
    if mention.weekday is not None and ahead:
        return None
    try:
        first = resolving.days(mention, reference or date(2000, 1, 1))[0]
    except Unresolved:
        return None
    if precision == "year":
        return first.replace(month=1, day=1)
    return first.replace(day=1) if precision == "month" else first
