"""Days, weeks, months and years as half-open stretches of days; pure arithmetic."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta

from groundwire.language.time.mentions import Third

# From the first day to the first day after.
Days = tuple[date, date]
# A day named without a year lies in the past of its text, or at most this far ahead of it.
_AHEAD = timedelta(days=45)
_WEEK = timedelta(days=7)
_DAY = timedelta(days=1)
_FAR = timedelta(days=183)


def one_day(day: date) -> Days:
    return day, day + _DAY


def week_of(day: date, weeks: int = 0) -> Days:
    """Return the calendar week, from Monday, that many weeks on."""
    monday = day - timedelta(days=day.weekday()) + weeks * _WEEK
    return monday, monday + _WEEK


def shift_month(year: int, month: int, months: int) -> tuple[int, int]:
    """Return the month that many months on."""
    index = year * 12 + month - 1 + months
    return index // 12, index % 12 + 1


def months_from(year: int, month: int, count: int) -> Days:
    """Return that many whole months."""
    return date(year, month, 1), date(*shift_month(year, month, count), 1)


def third_of_month(year: int, month: int, third: Third) -> Days:
    """Return a third of a month (上旬, 中旬, 下旬): ten days, ten days, and the rest."""
    first, after = months_from(year, month, 1)
    tenth, twentieth = first + timedelta(days=10), first + timedelta(days=20)
    return {"early": (first, tenth), "mid": (tenth, twentieth), "late": (twentieth, after)}[third]


def third_of_year(year: int | None, third: Third, today: date) -> Days:
    """Return a year's first quarter, middle four months or last quarter; by default the latest."""
    first, count = {"early": (1, 3), "mid": (5, 4), "late": (10, 3)}[third]
    if year is None:
        year = today.year if first <= today.month else today.year - 1
    return months_from(year, first, count)


def same_day(day: date, months: int) -> date:
    """Return the day of that number that many months on, or the last one of a shorter month."""
    first, after = months_from(*shift_month(day.year, day.month, months), 1)
    return min(first + timedelta(days=day.day - 1), after - _DAY)


def nearest_date(month: int, day: int, today: date, tense: str = "") -> date | None:
    """Return the latest such day not far ahead, or the next if it is still to come; of a day that
    was planned for, the nearest."""
    years = [(year, month) for year in range(today.year - 8, today.year + 9)]
    return _choose_date(years, day, today, tense, _AHEAD)


def day_of_month(day: int, today: date, tense: str) -> date | None:
    """Return the latest day of that number in these months, a week ahead at most, or the next."""
    months = [shift_month(today.year, today.month, step) for step in (-2, -1, 0, 1, 2)]
    return _choose_date(months, day, today, tense, _WEEK)


def weekday_before(weekday: int, today: date, *, strictly: bool) -> date:
    """Return the latest day of that name; today counts unless `strictly`."""
    back = (today.weekday() - weekday) % 7
    return today - timedelta(days=back or (7 if strictly else 0))


def exists(year: int | None, month: int | None, day: int | None) -> bool:
    """Tell whether a calendar has it; what is not given may be anything."""
    month, year = 1 if month is None else month, 2000 if year is None else year
    if not (1 <= month <= 12 and 1 <= year <= 9000):
        return False
    return day is None or 1 <= day <= monthrange(year, month)[1]


def _choose_date(
    months: Sequence[tuple[int, int]], day: int, today: date, tense: str, ahead: timedelta
) -> date | None:
    dates = [date(year, month, day) for year, month in months if exists(year, month, day)]
    if tense == "meant":
        return min(dates, key=lambda when: abs(when - today), default=None)
    # For a day farther off, the text would name the year.
    coming = [when for when in dates if today <= when < today + _FAR]
    if tense == "future" and coming:
        return min(coming)
    # What has happened is not ahead, except for those east of the reader.
    limit = today + (_DAY if tense == "past" else ahead)
    return max((when for when in dates if when <= limit), default=None)
