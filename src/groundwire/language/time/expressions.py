"""Expressions of time in a text, zh and en, resolved against a moment in a zone."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo

from groundwire.language.text.characters import Normalised, normalise
from groundwire.language.time import resolution as resolving
from groundwire.language.time.calendars import exists
from groundwire.language.time.mentions import ELSEWHERE, ORDER, TimeMention
from groundwire.language.time.resolution import Precision, Unresolved
from groundwire.language.time.scanner import readings
from groundwire.language.time.tense import tensed
from groundwire.language.time.zones import zone_beside, zone_named

__all__ = ["Expression", "Precision", "expressions", "up_to"]

# Between a date and a time of day, and the other way round.
_DATE_TIME = re.compile(
    r",? ?(?:at |from |between |around |about |at about |at around |in the |the )?|的|,"
)
_TIME_DATE = re.compile(r",? (?:on |of )?")
_TO = re.compile(r" ?(?:-|~|至|到|直至|to|through|until|till) ?")
_BETWEEN = re.compile(r"\bbetween $", re.IGNORECASE)
_AGAIN = re.compile(",? ?")
_OF_YEAR = re.compile(",? (?:of )?|的")
_LONGEST_GAP = 12
_YEARS_BESIDE = (0, -1, 1, -2, -3)  # stale news leave their year out


@dataclass(frozen=True, slots=True)
class Expression:
    """A time that a text names: `text == source[start:end]`.

    `begin` and `finish` are aware, in the zone that the text or else the caller names; `finish` is
    exclusive, the first moment after. Both are None unless `resolved`; then `why_unresolved` says
    why. `year` is the label of a year that is named, also where no stretch of time is sure
    (FY2024). `relative` is said of what another reference moment would make another time.
    """

    text: str
    start: int
    end: int
    begin: datetime | None
    finish: datetime | None
    precision: Precision
    relative: bool
    resolved: bool
    why_unresolved: str = ""
    year: int | None = None

    @property
    def first_day(self) -> date | None:
        """Return the day on which it begins, in its zone."""
        return None if self.begin is None else self.begin.date()

    @property
    def last_day(self) -> date | None:
        """Return the last day that it touches, in its zone."""
        return None if self.finish is None else resolving.last_day(self.finish)


def expressions(
    text: str, base: datetime, zone: tzinfo | None = None, language: str = ""
) -> tuple[Expression, ...]:
    """Return every expression of time, in order, without overlap.

    `base` is the moment from which the text speaks, such as its publication; `zone` is the zone
    in which it does, by default that of `base`. Weekdays, and days and months without a year, follow
    the tense of their sentence; where it tells none, weekdays are read as the nearest past, as
    news means them, days and months as the latest that is not far ahead. 11/03/2023 is read by the custom of the language's country
    (`en-US`, `en-GB`) or of the zone's, and stays unresolved where neither is known. Equal
    arguments give equal answers; the clock is never asked.
    """
    if base.tzinfo is None:
        raise ValueError("a moment needs its zone")
    home = zone or base.tzinfo
    normal = normalise(text)
    month_first = _month_first(language, str(home))
    found = [tensed(_ordered(said, month_first), normal.text) for said in readings(normal.text)]
    joined = _ranges(_joined(found, normal.text, base, home), normal.text)
    return tuple(
        _expression(said, normal, text, base, home)
        for said in joined
        if not (said.weak and said.until is None)
    )


def up_to(text: str, now: datetime | None, zone: tzinfo) -> datetime | None:
    """Return the moment up to which somebody means who writes one: the end of a day or a month.

    Without `now` what is counted from today (yesterday, 1月9日 without its year) cannot be read.
    """
    written = text.strip()
    with suppress(ValueError):
        at = datetime.fromisoformat(written)
        at = at if at.tzinfo is not None else at.replace(tzinfo=zone)
        # A day alone, 20240109 too.
        return at if re.search("[T:]", written) else at + timedelta(days=1, seconds=-1)
    base = now or datetime(2000, 1, 1, tzinfo=UTC)
    found = expressions(written, base.astimezone(zone), zone)
    if len(found) != 1 or found[0].text.strip() != written:
        return None
    said = found[0]
    if said.begin is None or said.finish is None or (said.relative and now is None):
        return None
    exact = said.precision in ("minute", "hour")
    return said.begin if exact else said.finish - timedelta(seconds=1)


def _expression(
    said: TimeMention, normal: Normalised, text: str, base: datetime, zone: tzinfo
) -> Expression:
    start, end = normal.original(said.start, said.end)
    begin = finish = None
    why = ""
    try:
        begin, finish = resolving.stretch(said, base, zone)
    except Unresolved as reason:
        why = str(reason)
    return Expression(
        text=text[start:end],
        start=start,
        end=end,
        begin=begin,
        finish=finish,
        precision=resolving.precision(said),
        relative=said.is_relative or (said.until is not None and said.until.is_relative),
        resolved=begin is not None,
        why_unresolved=why,
        year=said.year,
    )


# Countries by their language and then their zone: whether they write the month first.
_MONTH_FIRST = (
    ("en-us", True),
    ("en-(?:gb|au|nz|ie|in|za|sg|hk)|de|fr|es|it|pt|nl|ru|id|vi|pl|tr", False),
    (".* (?:america/(?:new_york|chicago|denver|los_angeles|phoenix|detroit|anchorage)|us/)", True),
    (".* pacific/honolulu", True),
    (".* (?:europe|australia|africa)/", False),
)


def _month_first(language: str, zone: str) -> bool | None:
    """Return how numbers are written there; None when nobody says."""
    place = f"{language} {zone}".lower()
    return next((first for where, first in _MONTH_FIRST if re.match(where, place)), None)


def _ordered(said: TimeMention, month_first: bool | None) -> TimeMention:
    if said.numbers is None or month_first is None:
        return said
    first, second = said.numbers
    month, day = (first, second) if month_first else (second, first)
    why = "" if exists(said.year, month, day) else ORDER
    return said._replace(month=month, day=day, why=why, numbers=None)


def _joined(found: list[TimeMention], flat: str, base: datetime, zone: tzinfo) -> list[TimeMention]:
    """Neighbours that say one time together: a date, a time of day, a zone, a weekday, a year."""
    out: list[TimeMention] = []
    for said in found:
        said = _with_zone(said, flat, zone)
        gap = flat[out[-1].end : said.start] if out else ""
        near = bool(out) and len(gap) < _LONGEST_GAP
        both = _together(out[-1], said, gap, flat, base, zone) if near else None
        out[len(out) - (both is not None) :] = [both or said]
    return out


def _with_zone(said: TimeMention, flat: str, home: tzinfo) -> TimeMention:
    """With the zone that is named behind it, or in Chinese right before it or in brackets."""
    if said.kind not in ("date", "time") or said.why:
        return said
    name, start, end = said.zone_name, said.start, said.end
    if not name:
        name, start, end = zone_beside(flat, start, end)
    if not name:
        return said
    zone = zone_named(name, home)
    return said._replace(start=start, end=end, zone=zone, placeless=zone is None, weak=False)


def _together(
    one: TimeMention, other: TimeMention, gap: str, flat: str, base: datetime, zone: tzinfo
) -> TimeMention | None:
    if one.why == ELSEWHERE and one.level == "day" and other.kind == "time" and gap in ("", " "):
        # 当晚8点: the hour is of that day, too.
        return _merged(one, other)
    if one.until is not None or other.until is not None or one.why or other.why:
        return None
    one = _counted_day(one)
    if _is_day(one) and other.kind == "time" and one.hour is None:
        if one.part is not None and other.part is not None:
            return None
        return _merged(one, other) if _DATE_TIME.fullmatch(gap) else None
    if one.kind == "time" and one.level is None and _is_day(other) and other.hour is None:
        fits = other.part is None and _TIME_DATE.fullmatch(gap)
        return _merged(other, one) if fits else None
    if one.kind == "time" and other.kind == "time" and gap in ("", " ", " in the "):
        # 9 in the morning, 晚上9点
        clash = one.hour is not None and other.hour is not None
        return None if clash else _merged(one, other)
    if one.kind != "date" or other.kind != "date":
        return None
    if _is_day(one) and _is_day(other):
        return _same(one, other, gap, flat, base, zone)
    if _is_open(one) and other.level == "year" and other.years is not None and not other.third:
        same = one._replace(years=other.years, end=other.end, which="", weak=False)
        return same if _OF_YEAR.fullmatch(gap) else None
    return None


def _counted_day(said: TimeMention) -> TimeMention:
    """Two days ago, as the day that a time of day may follow."""
    if said.kind != "count" or said.unit != "day" or said.toward != "ago" or said.amount is None:
        return said
    whole = said.amount.denominator == 1
    return TimeMention(said.start, said.end, level="day", days=-int(said.amount)) if whole else said


def _same(
    one: TimeMention, other: TimeMention, gap: str, flat: str, base: datetime, zone: tzinfo
) -> TimeMention | None:
    """A day said twice: Friday, March 10; 昨天（12日）; 3月10日（星期五）."""
    bracketed = gap in ("(", " (")
    named = one.weekday is not None or other.weekday is not None
    if one.hour is not None or not (bracketed or (named and _AGAIN.fullmatch(gap))):
        return None
    fuller, beside = (one, other) if one.day is not None and one.month is not None else (other, one)
    if _is_open(fuller) and fuller.years is None and beside.weekday is not None:
        fuller = _fitted(fuller, beside.weekday, base, zone)
    elif _first_day(one, base, zone) != _first_day(other, base, zone):
        return None
    if fuller is None:
        return None
    closed = bracketed and flat[other.end : other.end + 1] == ")"
    return fuller._replace(
        start=one.start, end=other.end + closed, weak=False, part=one.part or other.part
    )


def _fitted(said: TimeMention, weekday: int, base: datetime, zone: tzinfo) -> TimeMention | None:
    """A day and a month in the year that gives them their weekday: the meant one or one beside it."""
    if (meant := _first_day(said, base, zone)) is None:
        return None
    for year in (meant.year + step for step in _YEARS_BESIDE):
        dated = said._replace(year=year)
        day = _first_day(dated, base, zone)
        if day is not None and day.weekday() == weekday:
            return said if day == meant else dated
    return None


def _is_day(said: TimeMention) -> bool:
    return said.kind == "date" and said.level == "day"


def _is_open(said: TimeMention) -> bool:
    """A part of a year without the year."""
    open_levels = ("day", "month", "quarter", "half")
    return said.month is not None and said.level in open_levels and said.year is None


def _first_day(said: TimeMention, base: datetime, zone: tzinfo) -> date | None:
    try:
        return resolving.days(said, base.astimezone(zone).date())[0]
    except Unresolved:
        return None


def _merged(dated: TimeMention, timed: TimeMention) -> TimeMention:
    return dated._replace(
        hour=timed.hour if dated.hour is None else dated.hour,
        minute=timed.minute if dated.minute is None else dated.minute,
        part=timed.part or dated.part,
        zone=dated.zone or timed.zone,
        placeless=dated.placeless or timed.placeless,
        weak=False,
        start=min(dated.start, timed.start),
        end=max(dated.end, timed.end),
    )


def _ranges(found: list[TimeMention], flat: str) -> list[TimeMention]:
    """Two times of a kind with a word between them that means "to"."""
    out: list[TimeMention] = []
    for said in found:
        spans = bool(out) and _spans(out[-1], said, flat)
        out.append(_range(out.pop(), said) if spans else said)
    return out


def _range(first: TimeMention, last: TimeMention) -> TimeMention:
    if first.kind != "time" or last.kind == "time":
        return first._replace(until=last, end=last.end, weak=False)
    # 9 a.m. to 5 p.m. on May 14: the day is of both.
    until = TimeMention(
        last.start, last.end, "time", hour=last.hour, minute=last.minute, part=last.part
    )
    return last._replace(
        start=first.start, hour=first.hour, minute=first.minute, part=first.part, until=until
    )


def _spans(first: TimeMention, last: TimeMention, flat: str) -> bool:
    if first.until is not None or last.until is not None or first.why or last.why:
        return False
    if "count" in (first.kind, last.kind) or (last.kind == "time" and first.hour is None):
        return False
    same = first.level == last.level or (last.kind == "time" and first.hour is not None)
    if first.kind == "time" and _is_day(last):
        same = first.hour is not None and last.hour is not None
    gap = flat[first.end : last.start]
    if not same or len(gap) >= _LONGEST_GAP:
        return False
    if _TO.fullmatch(gap):
        return True
    before = _BETWEEN.search(flat, max(0, first.start - 10), first.start)
    return gap == " and " and bool(before or " between " in flat[first.start : first.end])
