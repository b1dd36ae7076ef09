"""Expressions of time in a text, zh and en, resolved against a moment in a zone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo

from groundwire.language.text.characters import Normalised, normalise
from groundwire.language.time import resolution as resolving
from groundwire.language.time.ancient import ancient
from groundwire.language.time.calendars import exists
from groundwire.language.time.mentions import ELSEWHERE, ORDER, TimeMention
from groundwire.language.time.resolution import Precision, Unresolved
from groundwire.language.time.scanner import time_mentions
from groundwire.language.time.tense import with_tense
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
_YEARS_BESIDE = (0, -1, 1, -2, -3)  # stale news omits its year


@dataclass(frozen=True, slots=True)
class Expression:
    """A time that a text names: `text == source[start:end]`.

    `begin` and `finish` are aware, in the zone that the text or else the caller names; `finish` is
    exclusive, the first moment after. Both are None unless `resolved`; then `why_unresolved` says
    why. `year` is the label of a year that is named, also where no stretch of time is sure
    (FY2024). `relative` marks what another reference moment would make another time.
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
        """The day on which it begins, in its zone."""
        return None if self.begin is None else self.begin.date()

    @property
    def last_day(self) -> date | None:
        """The last day that it touches, in its zone."""
        return None if self.finish is None else resolving.last_day(self.finish)


def expressions(
    text: str, base: datetime, zone: tzinfo | None = None, language: str = ""
) -> tuple[Expression, ...]:
    """Return every expression of time, in order, without overlap.

    `base` is the moment from which the text speaks, such as its publication; `zone` is the zone
    in which it does, by default that of `base`. Weekdays, and yearless days and months, follow
    the tense of their sentence; without one, weekdays are the nearest past, as in news, days and
    months the latest not far ahead. 11/03/2023 follows the custom of the language's country
    (`en-US`, `en-GB`) or of the zone's, and stays unresolved where neither is known. Equal
    arguments give equal answers; the clock is never read.
    """
    if base.tzinfo is None:
        raise ValueError("a moment needs its zone")
    home = zone or base.tzinfo
    normal = normalise(text)
    month_first = _month_first(language, str(home))
    found = _of_our_era(time_mentions(normal.text), normal.text)
    ordered = (_order_numbers(mention, month_first) for mention in found)
    mentions = [with_tense(mention, normal.text) for mention in ordered]
    joined = _join_ranges(_join_neighbours(mentions, normal.text, base, home), normal.text)
    return tuple(
        _expression(mention, normal, text, base, home)
        for mention in joined
        if not (mention.weak and mention.until is None)
    )


def _of_our_era(mentions: Iterable[TimeMention], text: str) -> Iterator[TimeMention]:
    """Leave out what a year before our era is read into: 15 March 44 BC is no day of this year."""
    spans = list(ancient(text))
    for mention in mentions:
        end = mention.end
        if not any(a < end <= b or (end <= a and not text[end:a].strip(" ,")) for a, b in spans):
            yield mention


def up_to(text: str, now: datetime | None, zone: tzinfo) -> datetime | None:
    """Return the moment up to which a text reaches: the end of the day or month that it names.

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
    only = found[0]
    if only.begin is None or only.finish is None or (only.relative and now is None):
        return None
    exact = only.precision in ("minute", "hour")
    return only.begin if exact else only.finish - timedelta(seconds=1)


def _expression(
    mention: TimeMention, normal: Normalised, text: str, base: datetime, zone: tzinfo
) -> Expression:
    start, end = normal.original(mention.start, mention.end)
    begin = finish = None
    why = ""
    try:
        begin, finish = resolving.stretch(mention, base, zone)
    except Unresolved as reason:
        why = str(reason)
    return Expression(
        text=text[start:end],
        start=start,
        end=end,
        begin=begin,
        finish=finish,
        precision=resolving.precision(mention),
        relative=mention.is_relative or (mention.until is not None and mention.until.is_relative),
        resolved=begin is not None,
        why_unresolved=why,
        year=mention.year,
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
    """Tell whether the month is written first there; None if unknown."""
    place = f"{language} {zone}".lower()
    return next((first for where, first in _MONTH_FIRST if re.match(where, place)), None)


def _order_numbers(mention: TimeMention, month_first: bool | None) -> TimeMention:
    if mention.numbers is None or month_first is None:
        return mention
    first, second = mention.numbers
    month, day = (first, second) if month_first else (second, first)
    why = "" if exists(mention.year, month, day) else ORDER
    return mention._replace(month=month, day=day, why=why, numbers=None)


def _join_neighbours(
    mentions: list[TimeMention], flat: str, base: datetime, zone: tzinfo
) -> list[TimeMention]:
    """Join neighbours that form one time: a date, a time of day, a zone, a weekday, a year."""
    out: list[TimeMention] = []
    for mention in mentions:
        mention = _with_zone(mention, flat, zone)
        gap = flat[out[-1].end : mention.start] if out else ""
        near = bool(out) and len(gap) < _LONGEST_GAP
        both = _combine(out[-1], mention, gap, flat, base, zone) if near else None
        out[len(out) - (both is not None) :] = [both or mention]
    return out


def _with_zone(mention: TimeMention, flat: str, home: tzinfo) -> TimeMention:
    """Add the zone named after it, or in Chinese right before it or in brackets."""
    if mention.kind not in ("date", "time") or mention.why:
        return mention
    name, start, end = mention.zone_name, mention.start, mention.end
    if not name:
        name, start, end = zone_beside(flat, start, end)
    if not name:
        return mention
    zone = zone_named(name, home)
    return mention._replace(start=start, end=end, zone=zone, placeless=zone is None, weak=False)


def _combine(
    one: TimeMention, other: TimeMention, gap: str, flat: str, base: datetime, zone: tzinfo
) -> TimeMention | None:
    if one.why == ELSEWHERE and one.level == "day" and other.kind == "time" and gap in ("", " "):
        # 当晚8点: the hour belongs to that day, too.
        return _merge(one, other)
    if one.until is not None or other.until is not None or one.why or other.why:
        return None
    one = _counted_day(one)
    if _is_day(one) and other.kind == "time" and one.hour is None:
        if one.part is not None and other.part is not None:
            return None
        return _merge(one, other) if _DATE_TIME.fullmatch(gap) else None
    if one.kind == "time" and one.level is None and _is_day(other) and other.hour is None:
        fits = other.part is None and _TIME_DATE.fullmatch(gap)
        return _merge(other, one) if fits else None
    if one.kind == "time" and other.kind == "time" and gap in ("", " ", " in the "):
        # 9 in the morning, 晚上9点
        clash = one.hour is not None and other.hour is not None
        return None if clash else _merge(one, other)
    if one.kind != "date" or other.kind != "date":
        return None
    if _is_day(one) and _is_day(other):
        return _merge_same_day(one, other, gap, flat, base, zone)
    if _is_open(one) and other.level == "year" and other.years is not None and not other.third:
        same = one._replace(years=other.years, end=other.end, which="", weak=False)
        return same if _OF_YEAR.fullmatch(gap) else None
    return None


def _counted_day(mention: TimeMention) -> TimeMention:
    """Turn a count of days ago into the day, which a time of day may follow."""
    amount, counted = mention.amount, (mention.kind, mention.unit, mention.toward)
    if counted != ("count", "day", "ago") or amount is None or amount.denominator != 1:
        return mention
    return TimeMention(mention.start, mention.end, level="day", days=-int(amount))


def _merge_same_day(
    one: TimeMention, other: TimeMention, gap: str, flat: str, base: datetime, zone: tzinfo
) -> TimeMention | None:
    """Merge a day that is given twice: Friday, March 10; 昨天（12日）; 3月10日（星期五）."""
    bracketed = gap in ("(", " (")
    named = one.weekday is not None or other.weekday is not None
    if one.hour is not None or not (bracketed or (named and _AGAIN.fullmatch(gap))):
        return None
    fuller, beside = (one, other) if one.day is not None and one.month is not None else (other, one)
    if _is_open(fuller) and fuller.years is None and beside.weekday is not None:
        fuller = _fit_year(fuller, beside.weekday, base, zone)
    elif fuller.year is not None and beside.weekday is not None and beside.weeks is None:
        # Thursday 11 January 2024 is no other Thursday.
        day = _first_day(fuller, base, zone)
        if day is None or day.weekday() != beside.weekday:
            return None
    elif _first_day(one, base, zone) != _first_day(other, base, zone):
        return None
    if fuller is None:
        return None
    closed = bracketed and flat[other.end : other.end + 1] == ")"
    return fuller._replace(
        start=one.start, end=other.end + closed, weak=False, part=one.part or other.part
    )


def _fit_year(
    mention: TimeMention, weekday: int, base: datetime, zone: tzinfo
) -> TimeMention | None:
    """Find the year in which a day of a month has this weekday: the nearest or one beside it."""
    if (meant := _first_day(mention, base, zone)) is None:
        return None
    for year in (meant.year + step for step in _YEARS_BESIDE):
        dated = mention._replace(year=year)
        day = _first_day(dated, base, zone)
        if day is not None and day.weekday() == weekday:
            return mention if day == meant else dated
    return None


def _is_day(mention: TimeMention) -> bool:
    return mention.kind == "date" and mention.level == "day"


def _is_open(mention: TimeMention) -> bool:
    """Tell whether it is a part of a year without the year."""
    open_levels = ("day", "month", "quarter", "half")
    return mention.month is not None and mention.level in open_levels and mention.year is None


def _first_day(mention: TimeMention, base: datetime, zone: tzinfo) -> date | None:
    try:
        return resolving.days(mention, base.astimezone(zone).date())[0]
    except Unresolved:
        return None


def _merge(dated: TimeMention, timed: TimeMention) -> TimeMention:
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


def _join_ranges(mentions: list[TimeMention], flat: str) -> list[TimeMention]:
    """Join two times of a kind with a word between them that means "to"."""
    out: list[TimeMention] = []
    for mention in mentions:
        spans = bool(out) and _is_range(out[-1], mention, flat)
        out.append(_make_range(out.pop(), mention) if spans else mention)
    return out


def _make_range(first: TimeMention, last: TimeMention) -> TimeMention:
    if first.kind != "time" or last.kind == "time":
        return first._replace(until=last, end=last.end, weak=False)
    # 9 a.m. to 5 p.m. on May 14: both are on that day.
    until = TimeMention(
        last.start, last.end, "time", hour=last.hour, minute=last.minute, part=last.part
    )
    return last._replace(
        start=first.start, hour=first.hour, minute=first.minute, part=first.part, until=until
    )


def _is_range(first: TimeMention, last: TimeMention, flat: str) -> bool:
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
