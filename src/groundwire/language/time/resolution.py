"""Which stretch of time is meant, seen from a moment in a zone; a reason where none is sure."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from fractions import Fraction
from typing import Literal

from groundwire.language.time import calendars
from groundwire.language.time.calendars import Days
from groundwire.language.time.mentions import (
    BACKWARDS,
    NO_SUCH,
    PLACE,
    SKIPPED,
    Part,
    TimeMention,
    Unit,
)

Precision = Literal[
    "minute", "hour", "part_of_day", "day", "week", "ten_days", "month", "quarter", "half", "year",
    "decade", "range", "fiscal_year",
]  # fmt: skip
# From the first moment to the first moment after.
Stretch = tuple[datetime, datetime]

# Hours; a part of the day ends where the next one may begin.
_PARTS: dict[Part, tuple[int, int]] = {
    "small_hours": (0, 6), "dawn": (5, 8), "early_morning": (6, 10), "morning": (6, 12),
    "noon": (11, 13), "afternoon": (12, 18), "dusk": (17, 19), "evening": (18, 24),
    "night": (22, 24),
}  # fmt: skip
_AFTER_NOON = frozenset[Part | None](["afternoon", "dusk", "evening", "night", "noon"])
# Half an hour is counted in minutes, half a year in months, half a month in weeks.
_FINER: dict[Unit, Precision] = {"hour": "minute", "year": "month", "month": "week"}
_MONTHS: dict[Unit, int] = {"month": 1, "quarter": 3, "year": 12}


class Unresolved(Exception):
    """Why no stretch of time can be given; the reason is the message."""


def precision(said: TimeMention) -> Precision:
    """Return how exactly it is said."""
    if said.until is not None or said.toward in ("past", "future"):
        return "range"
    if said.kind == "count":
        unit, whole = said.unit or "day", said.amount is None or said.amount.denominator == 1
        return unit if whole else _FINER.get(unit, unit)
    if said.placeless and said.level == "day":
        return "day"
    if said.hour is not None:
        return "hour" if said.minute is None else "minute"
    if said.part is not None:
        return "part_of_day"
    if said.third is not None:
        if said.level == "month":
            return "ten_days"
        return "range" if said.third == "mid" else "quarter"
    return "range" if said.level == "weekend" else said.level or "day"


def stretch(said: TimeMention, base: datetime, zone: tzinfo) -> Stretch:
    """Begin and the exclusive end, in the zone that is said or else the given one.

    Raises `Unresolved`.
    """
    if said.why:
        raise Unresolved(said.why)
    if said.until is not None:
        return _between(said, said.until, base, zone)
    home = said.zone or zone
    if said.kind == "count":
        return _counted(said, base, home)
    today = base.astimezone(home).date()
    # At a place that is not named the day is sure, its hour is not.
    if (said.hour is None and said.part is None) or (said.placeless and said.level == "day"):
        first, after = days(said, today)
        return _at(first, home), _at(after, home)
    if said.placeless:
        raise Unresolved(PLACE)
    day = today if said.level is None else days(said, today)[0]
    return _within(day, said, home)


def days(said: TimeMention, today: date) -> Days:
    """Return the days that are meant, without the time of day. Raises `Unresolved`."""
    if said.why:
        raise Unresolved(said.why)
    try:
        return _LEVELS[said.level or "day"](said, today)
    except (ValueError, OverflowError) as error:
        raise Unresolved(NO_SUCH) from error


def _day(said: TimeMention, today: date) -> Days:
    if said.days is not None:
        return calendars.one_day(today + timedelta(days=said.days))
    if said.weekday is not None and said.day is None:
        return calendars.one_day(_weekday(said.weekday, said, today))
    day = said.day or 1
    if said.months is not None:
        found = date(*calendars.shifted(today.year, today.month, said.months), day)
    elif said.month is None:
        found = calendars.day_of_month(day, today, said.tense)
    elif (year := _year_of(said, today)) is not None:
        found = date(year, said.month, day)
    else:
        found = calendars.near(said.month, day, today, said.tense)
    if found is None:
        raise Unresolved(NO_SUCH)
    return calendars.one_day(found)


def _weekday(weekday: int, said: TimeMention, today: date) -> date:
    """Chinese counts calendar weeks; a bare name is the latest day of that name, or the next one of
    what is still to come."""
    weeks = {"this": 0, "next": 1}.get(said.which) if said.weeks is None else said.weeks
    if weeks is not None:
        return calendars.week_of(today, weeks)[0] + timedelta(days=weekday)
    if not said.which and said.tense == "future":
        return today + timedelta(days=(weekday - today.weekday()) % 7)
    if said.which == "coming":
        return today + timedelta(days=(weekday - today.weekday()) % 7 or 7)
    return calendars.weekday_before(weekday, today, strictly=said.which == "last")


def _year_of(said: TimeMention, today: date) -> int | None:
    return today.year + said.years if said.years is not None else said.year


def _week(said: TimeMention, today: date) -> Days:
    first, after = calendars.week_of(today, said.weeks or 0)
    if said.level == "week":
        return first, after
    # A weekend that is not named is the latest one that has begun.
    back = timedelta(days=7 if said.weeks is None and today.weekday() < 5 else 0)
    return first + timedelta(days=5) - back, after - back


def _months(said: TimeMention, today: date) -> Days:
    """A month, a third of one, a quarter or a half."""
    size = {"quarter": 3, "half": 6}.get(said.level or "", 1)
    if said.months is not None:
        first = today.month if size == 1 else (today.month - 1) // 3 * 3 + 1
        year, month = calendars.shifted(today.year, first, said.months)
    else:
        month = said.month or (today.month if size == 1 else 1)
        named = _year_of(said, today)
        year = _year_of_month(said, month, today) if named is None else named
    if said.third is not None:
        return calendars.third_of_month(year, month, said.third)
    return calendars.months_from(year, month, size)


def _year_of_month(said: TimeMention, month: int, today: date) -> int:
    """Last May is before this month, next May after it; a tense may mean this month, too."""
    if said.which == "last" or (not said.which and said.tense == "past"):
        return today.year - (month > today.month or (month == today.month and bool(said.which)))
    if said.which == "next" or (not said.which and said.tense == "future"):
        return today.year + (month < today.month or (month == today.month and bool(said.which)))
    found = None if said.which else calendars.near(month, 1, today)
    return found.year if found else today.year


def _year(said: TimeMention, today: date) -> Days:
    year = _year_of(said, today)
    if said.third is not None:
        return calendars.third_of_year(year, said.third, today)
    size = 120 if said.level == "decade" else 12
    return calendars.months_from(today.year if year is None else year, 1, size)


_LEVELS = {
    "day": _day, "week": _week, "weekend": _week, "month": _months, "quarter": _months,
    "half": _months, "year": _year, "fiscal_year": _year, "decade": _year,
}  # fmt: skip


def _within(day: date, said: TimeMention, zone: tzinfo) -> Stretch:
    """An hour, a minute or a part of a day, by the clock on the wall."""
    if said.hour is None:
        first, after = _PARTS[said.part or "morning"]
        return _at(day, zone, first), _at(day, zone, after)
    hour = _hour(said.hour, said.part)
    begin = _at(day, zone, hour, said.minute or 0)
    if begin.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != begin.replace(tzinfo=None):
        raise Unresolved(SKIPPED)
    return begin, begin + timedelta(minutes=60 if said.minute is None else 1)


def _hour(hour: int, part: Part | None) -> int:
    """晚8时 is 20, 晚12点 is 24, 夜里2点 is 26, 中午12点 is 12, 凌晨12点 is 0."""
    if part in ("evening", "night") and hour < 5:
        return hour + 24
    if part in _AFTER_NOON and hour < 12:
        # 中午11点 is before noon.
        return hour if part == "noon" and hour >= 10 else hour + 12
    if hour == 12 and part in ("evening", "night"):
        return 24
    return 0 if hour == 12 and part == "small_hours" else hour


def _at(day: date, zone: tzinfo, hour: int = 0, minute: int = 0) -> datetime:
    """Return when the wall's clock shows it; hour 24 is the next day's midnight."""
    return datetime.combine(day + timedelta(days=hour // 24), time(hour % 24, minute), zone)


def _counted(said: TimeMention, base: datetime, zone: tzinfo) -> Stretch:
    amount, unit = said.amount or Fraction(0), said.unit or "day"
    try:
        if unit in ("minute", "hour"):
            return _counted_hours(said, amount, unit, base, zone)
        today = base.astimezone(zone).date()
        first, after = _counted_days(said, amount, unit, today)
    except (ValueError, OverflowError) as error:
        raise Unresolved(NO_SUCH) from error
    return _at(first, zone), _at(after, zone)


def _counted_hours(
    said: TimeMention, amount: Fraction, unit: Unit, base: datetime, zone: tzinfo
) -> Stretch:
    """By the seconds that pass, whatever the clock on the wall does."""
    length = timedelta(minutes=float(amount * (60 if unit == "hour" else 1)))
    moment = base.astimezone(UTC).replace(second=0, microsecond=0)
    begin = moment if said.toward == "future" else moment - length
    if said.toward == "ago":
        begin = begin.replace(second=0, microsecond=0)
        length = timedelta(hours=1) if precision(said) == "hour" else timedelta(minutes=1)
    return begin.astimezone(zone), (begin + length).astimezone(zone)


def _counted_days(said: TimeMention, amount: Fraction, unit: Unit, today: date) -> Days:
    if said.toward == "ago":
        return _ago(amount, unit, today)
    step = 1 if said.toward == "future" else -1
    start = today + timedelta(days=1) if step > 0 else today
    if unit in _MONTHS:
        end = calendars.same_day(start, step * int(amount * _MONTHS[unit]))
    else:
        end = start + timedelta(days=step * int(amount * (7 if unit == "week" else 1)))
    return min(start, end), max(start, end)


def _ago(amount: Fraction, unit: Unit, today: date) -> Days:
    if unit == "day":
        return calendars.one_day(today - timedelta(days=int(amount)))
    if unit == "week" or (unit == "month" and amount.denominator > 1):
        return calendars.week_of(
            today - timedelta(days=int(amount * (7 if unit == "week" else 30)))
        )
    whole = amount.denominator == 1
    year, month = calendars.shifted(today.year, today.month, -int(amount * _MONTHS[unit]))
    if unit == "year" and whole:
        return calendars.months_from(year, 1, 12)
    if unit == "quarter":
        return calendars.months_from(year, (month - 1) // 3 * 3 + 1, 3)
    return calendars.months_from(year, month, 1)


def ends(said: TimeMention) -> tuple[TimeMention, TimeMention]:
    """Return the first and the last of a stretch, the last with what it leaves out."""
    first = said._replace(until=None)
    return first, first if said.until is None else _completed(said.until, first)


def _between(first: TimeMention, last: TimeMention, base: datetime, zone: tzinfo) -> Stretch:
    """From the begin of one to the end of the other; each lends the other what it leaves out."""
    opening = first._replace(until=None)
    closing = _completed(last, opening)
    adding_up = opening.level == "quarter" or (opening.level == "month" and opening.month == 1)
    if adding_up and not opening.has_year and closing.month is not None:
        # 前三季度, 1-9月: of the year whose last one has begun.
        year = _year_of_month(closing, closing.month, base.astimezone(zone).date())
        closing = closing if closing.has_year else closing._replace(year=year)
    if not opening.has_year:
        opening = opening._replace(year=closing.year)
    begin, finish = stretch(opening, base, zone)[0], _end(closing, base, zone)
    if finish > begin:
        return begin, finish
    if opening.weekday is not None and opening.weeks is None:
        start = calendars.weekday_before(opening.weekday, last_day(finish), strictly=False)
        begin = _at(start, opening.zone or zone)
    elif last.level is None:
        finish += timedelta(days=1)  # 晚10点至凌晨2点
    elif opening.year is not None and not first.has_year:
        begin = stretch(opening._replace(year=opening.year - 1), base, zone)[0]
    elif not last.has_year and closing.month is not None:
        finish = _end(_a_year_on(closing, last_day(finish)), base, zone)
    if finish <= begin:
        raise Unresolved(BACKWARDS)
    return begin, finish


def _a_year_on(said: TimeMention, day: date) -> TimeMention:
    if said.years is not None:
        return said._replace(years=said.years + 1)
    return said._replace(year=(said.year or day.year) + 1)


def _end(last: TimeMention, base: datetime, zone: tzinfo) -> datetime:
    """To Wednesday is with Wednesday; to eleven o'clock is no later."""
    begin, finish = stretch(last, base, zone)
    return finish if last.hour is None else begin


def _completed(last: TimeMention, first: TimeMention) -> TimeMention:
    if last.level is None:
        # 9时至11时: on the same day, and in the same half of it.
        same = first._replace(hour=last.hour, minute=last.minute, part=last.part or first.part)
        return same._replace(start=last.start, end=last.end, zone=last.zone or first.zone)
    if last.weekday is not None:
        return last._replace(weeks=first.weeks) if last.weeks is None else last
    if not (last.has_year or last.is_shifted):
        last = last._replace(year=first.year, years=first.years)
        if last.month is None:
            last = last._replace(month=first.month, months=first.months)
    return last._replace(zone=last.zone or first.zone)


def last_day(finish: datetime) -> date:
    """Return the last day of a stretch that ends there."""
    return (finish - timedelta(microseconds=1)).date()
