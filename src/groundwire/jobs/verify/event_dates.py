"""When the event of a text happened, by the times that its sentences name.

What may be background ("founded in 2014", 2022年的黑客事件) dates nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from groundwire.evidence.pages.presence import published
from groundwire.language.text.characters import folded, normalise
from groundwire.language.text.phrases import patterns
from groundwire.language.text.sentences import sentences
from groundwire.language.time.expressions import Expression, expressions
from groundwire.model.message import Message
from groundwire.model.source import Document

_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_ZONES = {"zh": "Asia/Shanghai", "zh-Hant": "Asia/Taipei", "ja": "Asia/Tokyo", "ko": "Asia/Seoul"}
_COARSE = ("week", "ten_days", "month", "year")
# Stretches over which something is counted, not days on which something happens.
_NEVER = ("quarter", "half", "decade", "fiscal_year", "range")

_told = patterns("event_dates.txt", "groundwire.jobs.verify")
_BACKGROUND = re.compile(_told("background"))
_SINCE_WHEN = re.compile(_told("since when"))
_BACKGROUND_AFTER = re.compile(_told("background after"))
_ATTRIBUTE = re.compile(_told("attribute"))
_COUNTED_AFTER = re.compile(_told("counted after"))
_COUNTED_BEFORE = re.compile(_told("counted before"))
_CREATED_AFTER = re.compile(r"[^,。;!?]{0,4}(?:成立|创立|创办|诞生|创建|建立|注册)")
_INTRODUCED = re.compile(_told("introduced"))
# What happened to somebody who is now in the news for something else.
_ASIDE = re.compile(r"\b(?:who|which|that|whose|where|when)\b[^,.;]{0,60}$")
# A dateline: when it is reported, not when it happened.
_DATELINE = re.compile(
    r" ?(?:\([^)]{2,24}\)|[午早晚]间)?(?:消息|讯|电|报道|快讯|获悉|[^,。]{0,4}据)|,? \([a-z .]{2,24}\) ?(?:-|—)| ?(?:—|-{1,2}) "
)
_ELSEWHERE = re.compile("[当當]地|local", re.IGNORECASE)
_HEAD = 60
_LEAD = 600  # characters with which a page begins, where news are dated
_NEAR = 160  # characters around a time that are looked at
_TO_COME = re.compile(_told("to come"))
_TO_COME_AFTER = re.compile(r"[^,。;!?\n称说示布]{0,8}(?:将|拟|即将|会(?!议|见|谈|长))")
_SAID = re.compile(_told("said"))
_AGO = re.compile(_told("ago"))
# Minutes before months before the rest: the first that a unit begins with.
_UNITS = {
    "mi": 1 / 60, "mo": 720, "h": 1, "d": 24, "w": 168, "y": 8760, "分钟": 1 / 60, "小时": 1, "钟头": 1,
    "天": 24, "日": 24, "周": 168, "星期": 168, "月": 720, "年": 8760,
}  # fmt: skip
_VAGUE_LEAST = 2  # "several" is more than one
_SPELLED = r"(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|half)) ?$"


class Dated(NamedTuple):
    """When an event happened by a text: the moments that it can mean, or still to come."""

    latest: datetime
    planned: bool
    words: str
    begin: datetime | None = None  # the first moment; None where only a count is given
    coarse: bool = False  # a week or more: which day is not said
    place: int = 0  # in its sentence
    exact: bool = False  # by the clock, not only by the day

    @property
    def day(self) -> date | None:
        """The day, where nothing finer is said."""
        return None if self.exact or self.begin is None or self.coarse else self.begin.date()


def zone_of(message: Message) -> tzinfo:
    """The zone in which the message's days are read: its own, else that of its language."""
    for name in (message.zone, _ZONES.get(message.language, ""), "UTC"):
        try:
            if name:
                return UTC if name == "UTC" else ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError):
            continue  # a name that no table knows says nothing
    return UTC


@lru_cache(maxsize=64)  # a run asks for its message at every step
def dated(text: str, at: datetime, zone: tzinfo) -> Dated | None:
    """When the event of a text happened: by its first sentence that dates anything."""
    for found in _by_sentence(text, at, zone):
        # A day to come is what is told; else the last of the days, which is the least age.
        return max(found, key=lambda each: (each.planned, each.latest))
    return None


@lru_cache(maxsize=256)
def happened(text: str, at: datetime, zone: tzinfo) -> Dated | None:
    """When the first sentence that dates anything says that it happened: by its first day, which
    is that of what it says first; days to come date nothing that has happened."""
    for found in _by_sentence(text, at, zone):
        if past := [each for each in found if not each.planned]:
            return min(past, key=lambda each: each.place)
    return None


def page_zone(document: Document) -> tzinfo:
    """Return the zone in which a page's days are read: that of its language."""
    return ZoneInfo(_ZONES[document.language]) if document.language in _ZONES else UTC


def told_day(document: Document, quote: str) -> Dated | None:
    """When what a page is quoted with happened: by the quote, else by how the page begins."""
    when = published(document)
    if when is None:
        return None
    zone = page_zone(document)
    return happened(quote, when, zone) or happened(document.text[:_LEAD], when, zone)


def _by_sentence(text: str, at: datetime, zone: tzinfo) -> Iterator[list[Dated]]:
    for start, end in sentences(text) or [(0, len(text))]:
        if found := _dates(text[start:end], at, zone):
            yield found


def _dates(sentence: str, at: datetime, zone: tzinfo) -> list[Dated]:
    found = _counted(folded(normalise(sentence).text), at)
    datelines: list[Dated] = []
    for each in expressions(sentence, at, zone):
        before, after = _around(sentence, each)
        one = _read(each, before, after, at)
        if one is None:
            continue
        is_dateline = each.start < _HEAD and _DATELINE.match(after) and not one.planned
        (datelines if is_dateline else found).append(one)
    return found or datelines


def _around(sentence: str, each: Expression) -> tuple[str, str]:
    """What stands before and after, in small letters, with the space that a normal form trims."""
    left = sentence[max(0, each.start - _NEAR) : each.start]
    right = sentence[each.end : each.end + _NEAR]
    before = folded(normalise(left).text).rstrip() + (" " if left.endswith(" ") else "")
    after = (" " if right.startswith(" ") else "") + folded(normalise(right).text).lstrip()
    return before, after


def _read(each: Expression, before: str, after: str, at: datetime) -> Dated | None:
    """What one expression says of the event; None when it is background."""
    if each.begin is None or each.finish is None or each.precision in _NEVER:
        return None
    if _is_to_come(each, before, after):
        return Dated(at, True, each.text)  # a week ahead: what is told has not to wait for it
    if each.begin > at:
        return Dated(each.finish, True, each.text, each.begin)
    if _BACKGROUND.search(before) or _BACKGROUND_AFTER.match(after):
        return None
    if each.precision in _COARSE and (
        _SINCE_WHEN.search(before)
        or _CREATED_AFTER.match(after)
        or _COUNTED_AFTER.match(after)
        or _COUNTED_BEFORE.search(before)
        or _ATTRIBUTE.match(after)
        or _ASIDE.search(before)
        or not (each.relative or _INTRODUCED.search(before))
    ):
        return None
    exact = each.precision in ("hour", "minute")
    # Three hours ago is three hours, not the end of that hour.
    counted = exact and re.search("前|ago", each.text, re.IGNORECASE)
    latest = each.begin if counted else each.finish
    begin = each.begin
    if _ELSEWHERE.search(before[-8:] + each.text):
        begin = begin.replace(tzinfo=UTC)  # a day of a place that is not named, not of the reader's
    return Dated(latest, False, each.text, begin, each.precision in _COARSE, each.start, exact)


def _is_to_come(each: Expression, before: str, after: str) -> bool:
    """Whether a day that is read as the nearest past one is meant as a day to come."""
    # A day of a month is read as a day to come where it is one; a weekday is not.
    past = r"\d|last|past|yesterday|ago|前|上|昨|去年|earlier"
    if not each.relative or re.search(past, each.text, re.IGNORECASE) or _SAID.search(before):
        return False
    return bool(_TO_COME.search(before) or _TO_COME_AFTER.match(after))


def _counted(low: str, at: datetime) -> list[Dated]:
    """Counts that no calendar holds: "2h ago", "a few days ago", 几天前."""
    found: list[Dated] = []
    for match in _AGO.finditer(low):
        unit = match["short"] or match["unit"] or match["zh"]
        if low[match.end() :].startswith("的"):
            continue  # 几个月前的漏洞: it is told what happens with it now
        if match["unit"] and re.search(_SPELLED, low[: match.start()]):
            continue  # three days ago: the calendar's rules have read it
        hours = next(size for key, size in _UNITS.items() if unit.startswith(key))
        amount = int(match["n"]) if match["n"] else _VAGUE_LEAST
        # 5000y ago: before all calendars.
        ago = min(timedelta(hours=amount * hours), at - _LONG_AGO)
        found.append(Dated(at - ago, False, match.group().strip(), place=match.start()))
    return found
