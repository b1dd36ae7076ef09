"""What a stretch of text says of a time, before it is resolved to a day."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import tzinfo
from fractions import Fraction
from typing import Literal, NamedTuple

Level = Literal[
    "day", "week", "weekend", "month", "quarter", "half", "year", "decade", "fiscal_year"
]
Unit = Literal["minute", "hour", "day", "week", "month", "quarter", "year"]
Third = Literal["early", "mid", "late"]
Part = Literal[
    "small_hours", "dawn", "early_morning", "morning", "noon", "afternoon", "dusk", "evening", "night"
]  # fmt: skip
# A date or a time of day of its own; a count of units; or words that no calendar holds.
Kind = Literal["date", "time", "count", "words"]
Which = Literal["", "last", "this", "next", "coming"]
Toward = Literal["", "ago", "past", "future"]

VAGUE = "vague: no day is meant exactly"
ELSEWHERE = "counted from another day that the text speaks of"
LUNAR = "a day of the lunar calendar"
FESTIVAL = "a festival; its day differs from year to year or place to place"
FISCAL = "a fiscal year begins when its owner says"
NO_SUCH = "there is no such day or month"
ORDER = "day or month first: nobody says"
SEASON = "a quarter, or a season of a show"
PLACE = "local time, and the place is not named"
SKIPPED = "skipped when the clocks went forward"
BACKWARDS = "it ends before it begins"


class TimeMention(NamedTuple):
    """Numbers as stated, shifts from the reader's own day, and why there is no more.

    `start` and `end` are offsets in the text's normal form; -1 where the pattern found it.
    """

    start: int = -1
    end: int = -1
    kind: Kind = "date"
    level: Level | None = None
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None  # Monday is 0
    years: int | None = None  # from this year
    months: int | None = None
    weeks: int | None = None
    days: int | None = None
    tense: Literal["", "past", "future", "meant"] = ""  # of its sentence, where it decides the day
    which: Which = ""  # of an English weekday or month name
    third: Third | None = None
    hour: int | None = None
    minute: int | None = None
    part: Part | None = None
    zone: tzinfo | None = None
    zone_name: str = ""
    placeless: bool = False  # "local time"
    amount: Fraction | None = None
    unit: Unit | None = None
    toward: Toward = ""
    numbers: tuple[int, int] | None = None  # 11/03: which is the month?
    until: TimeMention | None = None
    weak: bool = False  # counts only beside a date
    why: str = ""

    @property
    def is_shifted(self) -> bool:
        """Whether it is counted from the reader's own day."""
        shifts = (self.years, self.months, self.weeks, self.days)
        return any(shift is not None for shift in shifts)

    @property
    def is_relative(self) -> bool:
        """Whether another reader's day would make another date of it."""
        if self.kind == "time" or self.toward or self.is_shifted:
            return True
        return self.kind == "date" and self.year is None

    @property
    def has_year(self) -> bool:
        """Whether it names its year, as a number or relative to this one."""
        return self.year is not None or self.years is not None


# Reads a match of a pattern; None when its numbers say nothing.
Reader = Callable[[re.Match[str]], TimeMention | None]
Rule = tuple[re.Pattern[str], Reader]
_LEAD = 20  # characters


def groups(match: re.Match[str]) -> dict[str, str]:
    """Return the named groups that matched, in lower case; `d2` is another place for `d`."""
    matched = match.groupdict().items()
    return {name.rstrip("0123456789"): text.lower() for name, text in matched if text is not None}


def lead_before(match: re.Match[str], lead: re.Pattern[str]) -> re.Match[str] | None:
    """Match what stands right before a match."""
    return lead.search(match.string, max(0, match.start() - _LEAD), match.start())
