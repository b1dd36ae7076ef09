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
    """No stretch of time can be given; the message is the reason."""


def precision(mention: TimeMention) -> Precision:
    """Return how exactly the time is given."""
    if mention.until is not None or mention.toward in ("past", "future"):
        return "range"
    if mention.kind == "count":
        unit = mention.unit or "day"
        whole = mention.amount is None or mention.amount.denominator == 1
        return unit if whole else _FINER.get(unit, unit)
    if mention.placeless and mention.level == "day":
        return "day"
    if mention.hour is not None:
        return "hour" if mention.minute is None else "minute"
    if mention.part is not None:
        return "part_of_day"
    if mention.third is not None:
        if mention.level == "month":
            return "ten_days"
        return "range" if mention.third == "mid" else "quarter"
    return "range" if mention.level == "weekend" else mention.level or "day"


def stretch(mention: TimeMention, base: datetime, zone: tzinfo) -> Stretch:
    """Return the begin and the exclusive end, in the zone that is named or else the given one.

    Raises `Unresolved`.
    """
    if mention.why:
        raise Unresolved(mention.why)
    if mention.until is not None:
        return _between(mention, mention.until, base, zone)
    home = mention.zone or zone
    if mention.kind == "count":
        return _counted(mention, base, home)
    today = base.astimezone(home).date()
    # At an unnamed place the day is sure, but not its hour.
    untimed = mention.hour is None and mention.part is None
    if untimed or (mention.placeless and mention.level == "day"):
        first, after = days(mention, today)
        return _at(first, home), _at(after, home)
    if mention.placeless:
        raise Unresolved(PLACE)
    day = today if mention.level is None else days(mention, today)[0]
    return _within(day, mention, home)


def days(mention: TimeMention, today: date) -> Days:
    """Return the days that are meant, without the time of day. Raises `Unresolved`."""
    if mention.why:
        raise Unresolved(mention.why)
    try:
        return _LEVELS[mention.level or "day"](mention, today)
    except (ValueError, OverflowError) as error:
        raise Unresolved(NO_SUCH) from error


def _day(mention: TimeMention, today: date) -> Days:
    if mention.days is not None:
        return calendars.one_day(today + timedelta(days=mention.days))
    if mention.weekday is not None and mention.day is None:
        return calendars.one_day(_weekday(mention.weekday, mention, today))
    day = mention.day or 1
    if mention.months is not None:
        date_meant = date(*calendars.shift_month(today.year, today.month, mention.months), day)
    elif mention.month is None:
        date_meant = calendars.day_of_month(day, today, mention.tense)
    elif (year := _year_of(mention, today)) is not None:
        date_meant = date(year, mention.month, day)
    else:
        date_meant = calendars.nearest_date(mention.month, day, today, mention.tense)
    if date_meant is None:
        raise Unresolved(NO_SUCH)
    return calendars.one_day(date_meant)


def _weekday(weekday: int, mention: TimeMention, today: date) -> date:
    """Return the day: Chinese counts calendar weeks; a bare name is the latest, or the next to come."""
    weeks = {"this": 0, "next": 1}.get(mention.which) if mention.weeks is None else mention.weeks
    if weeks is not None:
        return calendars.week_of(today, weeks)[0] + timedelta(days=weekday)
    if not mention.which and mention.tense in ("future", "meant"):
        return today + timedelta(days=(weekday - today.weekday()) % 7)
    if mention.which == "coming":
        return today + timedelta(days=(weekday - today.weekday()) % 7 or 7)
    return calendars.weekday_before(weekday, today, strictly=mention.which == "last")


def _year_of(mention: TimeMention, today: date) -> int | None:
    return today.year + mention.years if mention.years is not None else mention.year


def _week(mention: TimeMention, today: date) -> Days:
    first, after = calendars.week_of(today, mention.weeks or 0)
    if mention.level == "week":
        return first, after
    # An unspecified weekend is the latest one that has begun.
    back = timedelta(days=7 if mention.weeks is None and today.weekday() < 5 else 0)
    return first + timedelta(days=5) - back, after - back


def _months(mention: TimeMention, today: date) -> Days:
    """Return a month, a third of one, a quarter or a half."""
    size = {"quarter": 3, "half": 6}.get(mention.level or "", 1)
    if mention.months is not None:
        first = today.month if size == 1 else (today.month - 1) // 3 * 3 + 1
        year, month = calendars.shift_month(today.year, first, mention.months)
    else:
        month = mention.month or (today.month if size == 1 else 1)
        named = _year_of(mention, today)
        year = _year_of_month(mention, month, today) if named is None else named
    if mention.third is not None:
        return calendars.third_of_month(year, month, mention.third)
    return calendars.months_from(year, month, size)


def _year_of_month(mention: TimeMention, month: int, today: date) -> int:
    """Return the year: last May is before this month, next May after; a tense allows this month."""
    if mention.which == "last" or (not mention.which and mention.tense == "past"):
        return today.year - (month > today.month or (month == today.month and bool(mention.which)))
    if mention.which == "next" or (not mention.which and mention.tense == "future"):
        return today.year + (month < today.month or (month == today.month and bool(mention.which)))
    nearest = None if mention.which else calendars.nearest_date(month, 1, today, mention.tense)
    return nearest.year if nearest else today.year


def _year(mention: TimeMention, today: date) -> Days:
    year = _year_of(mention, today)
    if mention.third is not None:
        return calendars.third_of_year(year, mention.third, today)
    size = 120 if mention.level == "decade" else 12
    return calendars.months_from(today.year if year is None else year, 1, size)


_LEVELS = {
    "day": _day, "week": _week, "weekend": _week, "month": _months, "quarter": _months,
    "half": _months, "year": _year, "fiscal_year": _year, "decade": _year,
}  # fmt: skip


def _within(day: date, mention: TimeMention, zone: tzinfo) -> Stretch:
    """Return an hour, a minute or a part of a day, by the wall clock."""
    if mention.hour is None:
        first, after = _PARTS[mention.part or "morning"]
        return _at(day, zone, first), _at(day, zone, after)
    hour = _hour(mention.hour, mention.part)
    begin = _at(day, zone, hour, mention.minute or 0)
    if begin.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != begin.replace(tzinfo=None):
        raise Unresolved(SKIPPED)
    return begin, begin + timedelta(minutes=60 if mention.minute is None else 1)


def _hour(hour: int, part: Part | None) -> int:
    """Convert to 24 hours: 晚8时 is 20, 晚12点 is 24, 夜里2点 is 26, 中午12点 is 12, 凌晨12点 is 0."""
    if part in ("evening", "night") and hour < 5:
        return hour + 24
    if part in _AFTER_NOON and hour < 12:
        # 中午11点 is before noon.
        return hour if part == "noon" and hour >= 10 else hour + 12
    if hour == 12 and part in ("evening", "night"):
        return 24
    return 0 if hour == 12 and part == "small_hours" else hour


def _at(day: date, zone: tzinfo, hour: int = 0, minute: int = 0) -> datetime:
    """Return when the wall clock shows it; hour 24 is the next day's midnight."""
    return datetime.combine(day + timedelta(days=hour // 24), time(hour % 24, minute), zone)


def _counted(mention: TimeMention, base: datetime, zone: tzinfo) -> Stretch:
    amount, unit = mention.amount or Fraction(0), mention.unit or "day"
    try:
        if unit in ("minute", "hour"):
            return _counted_hours(mention, amount, unit, base, zone)
        today = base.astimezone(zone).date()
        first, after = _counted_days(mention, amount, unit, today)
    except (ValueError, OverflowError) as error:
        raise Unresolved(NO_SUCH) from error
    return _at(first, zone), _at(after, zone)


def _counted_hours(
    mention: TimeMention, amount: Fraction, unit: Unit, base: datetime, zone: tzinfo
) -> Stretch:
    """Count the hours or minutes that pass, whatever the wall clock does."""
    length = timedelta(minutes=float(amount * (60 if unit == "hour" else 1)))
    moment = base.astimezone(UTC).replace(second=0, microsecond=0)
    begin = moment if mention.toward == "future" else moment - length
    if mention.toward == "ago":
        begin = begin.replace(second=0, microsecond=0)
        length = timedelta(hours=1) if precision(mention) == "hour" else timedelta(minutes=1)
    return begin.astimezone(zone), (begin + length).astimezone(zone)


def _counted_days(mention: TimeMention, amount: Fraction, unit: Unit, today: date) -> Days:
    if mention.toward == "ago":
        return _ago(amount, unit, today)
    step = 1 if mention.toward == "future" else -1
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
    year, month = calendars.shift_month(today.year, today.month, -int(amount * _MONTHS[unit]))
    if unit == "year" and whole:
        return calendars.months_from(year, 1, 12)
    if unit == "quarter":
        return calendars.months_from(year, (month - 1) // 3 * 3 + 1, 3)
    return calendars.months_from(year, month, 1)


def ends(mention: TimeMention) -> tuple[TimeMention, TimeMention]:
    """Return the first and the last of a stretch, the last with what it leaves out."""
    first = mention._replace(until=None)
    return first, first if mention.until is None else _completed(mention.until, first)


def _between(first: TimeMention, last: TimeMention, base: datetime, zone: tzinfo) -> Stretch:
    """Return from the start of one to the end of the other; each lends what the other omits."""
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


def _a_year_on(mention: TimeMention, day: date) -> TimeMention:
    if mention.years is not None:
        return mention._replace(years=mention.years + 1)
    return mention._replace(year=(mention.year or day.year) + 1)


def _end(last: TimeMention, base: datetime, zone: tzinfo) -> datetime:
    """Return the end: to Wednesday includes Wednesday, to eleven o'clock is no later."""
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
