"""What a stretch of text says of a time, before anyone asks which day that is."""

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
# A date or a time of day of its own; a zone; a count of units; or words that no calendar holds.
Kind = Literal["date", "time", "zone", "count", "words"]
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
    """Numbers as they are said, shifts from the reader's own day, and why there is no more.

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
    tense: Literal["", "past", "future"] = ""  # of its sentence, where the day hangs on it
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
    weak: bool = False  # says something only beside a date
    why: str = ""

    @property
    def is_relative(self) -> bool:
        """Tell whether another reader's day would make another date of it."""
        if self.kind == "time" or self.toward:
            return True
        if any(shift is not None for shift in (self.years, self.months, self.weeks, self.days)):
            return True
        return self.kind == "date" and self.year is None


def counted(
    amount: Fraction | None, unit: Unit, toward: Toward, level: Level = "day"
) -> TimeMention | None:
    """So many units ago, past or to come; None units are said vaguely, and none at all say nothing."""
    if amount is None:
        return TimeMention(kind="words", level=level, why=VAGUE)
    return TimeMention(kind="count", amount=amount, unit=unit, toward=toward) if amount else None


# A pattern, and what a match of it says; None when its numbers say nothing.
Rule = tuple[re.Pattern[str], Callable[[re.Match[str]], TimeMention | None]]


def rule(
    pattern: str, flags: re.RegexFlag = re.NOFLAG
) -> Callable[[Callable[[re.Match[str]], TimeMention | None]], Rule]:
    """Make a rule of the reader that follows and of this pattern."""
    return lambda say: (re.compile(pattern, flags), say)
