"""When the event of a text happened, by the times that its sentences name.

Background ("founded in 2014", 2022年的黑客事件) dates nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from groundwire.evidence.pages.presence import published
from groundwire.language.text.characters import folded, normalise
from groundwire.language.text.phrases import patterns
from groundwire.language.text.sentences import sentences
from groundwire.language.time.expressions import Expression, expressions
from groundwire.language.time.scanner import time_mentions
from groundwire.language.time.zones import home_zone
from groundwire.model.message import Message
from groundwire.model.source import Document

_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_COARSE = ("week", "ten_days", "month", "year")
# Periods over which something is counted, not days on which something happens.
_NEVER = ("quarter", "half", "decade", "fiscal_year", "range")

_phrases = patterns("event_dates.txt", "groundwire.jobs.verify")
_BACKGROUND = re.compile(_phrases("background"))
_SINCE_WHEN = re.compile(_phrases("since when"))
_BACKGROUND_AFTER = re.compile(_phrases("background after"))
_ATTRIBUTE = re.compile(_phrases("attribute"))
_COUNTED_AFTER = re.compile(_phrases("counted after"))
_COUNTED_BEFORE = re.compile(_phrases("counted before"))
_CREATED_AFTER = re.compile(r"[^,。;!?]{0,4}(?:成立|创立|创办|诞生|创建|建立|注册)")
_INTRODUCED = re.compile(_phrases("introduced"))
# A relative clause: background of somebody who is in the news for something else.
_ASIDE = re.compile(r"\b(?:who|which|that|whose|where|when)\b[^,.;]{0,60}$")
# A dateline tells when it is reported, not when it happened.
_DATELINE = re.compile(
    r" ?(?:\([^)]{2,24}\)|[午早晚]间)?(?:消息|讯|电|报道|快讯|获悉|[^,。]{0,4}据)|,? \([a-z .]{2,24}\) ?(?:-|—)| ?(?:—|-{1,2}) "
)
_ELSEWHERE = re.compile("[当當]地|local", re.IGNORECASE)
_HEAD = 60
_LEAD = 600  # characters at the beginning of a page, where news is dated
_NEAR = 160  # characters around a time that are read with it
_TO_COME = re.compile(_phrases("to come"))
_TO_COME_AFTER = re.compile(r"[^,。;!?\n称说示布]{0,8}(?:将|拟|即将|会(?!议|见|谈|长))")
_SAID = re.compile(_phrases("said"))
_AGO = re.compile(_phrases("ago"))
# The first key that a unit begins with counts, so minutes and months come first.
_UNITS = {
    "mi": 1 / 60, "mo": 720, "h": 1, "d": 24, "w": 168, "y": 8760, "分钟": 1 / 60, "小时": 1, "钟头": 1,
    "天": 24, "日": 24, "周": 168, "星期": 168, "月": 720, "年": 8760,
}  # fmt: skip
_DAY_HOURS = 24
_VAGUE_LEAST = 2  # "several" is more than one
_SPELLED = r"(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|half)) ?$"


class Dated(NamedTuple):
    """When an event happened according to a text: the moments it can mean, or still to come."""

    latest: datetime
    planned: bool
    words: str
    begin: datetime | None = None  # the first moment; None where only a count is given
    coarse: bool = False  # which day is not said: a week or more, or a count of days
    place: int = 0  # in its sentence
    exact: bool = False  # by the clock, not only by the day

    @property
    def day(self) -> date | None:
        """The day, where nothing finer is said."""
        return None if self.exact or self.begin is None or self.coarse else self.begin.date()


def zone_of(message: Message) -> tzinfo:
    """Return the zone in which the message's days are read: its own, else its language's."""
    with suppress(ZoneInfoNotFoundError, ValueError):  # an unknown zone name
        if message.zone:
            return UTC if message.zone == "UTC" else ZoneInfo(message.zone)
    return home_zone(message.language)


@lru_cache(maxsize=64)  # a run asks for its message at every step
def dated(text: str, at: datetime, zone: tzinfo) -> Dated | None:
    """Tell when the event of a text happened, by its first sentence that dates anything."""
    for found in _by_sentence(text, at, zone):
        # A day to come is the news; else the last of the days, which is the least age.
        return max(found, key=lambda each: (each.planned, each.latest))
    return None


@lru_cache(maxsize=256)
def happened(text: str, at: datetime, zone: tzinfo) -> Dated | None:
    """Tell when it happened, by the first past day in the first sentence that has one."""
    for found in _by_sentence(text, at, zone):
        if past := [each for each in found if not each.planned]:
            return min(past, key=lambda each: each.place)
    return None


def counts_from_today(text: str) -> bool:
    """Tell whether a text names a time that only its own day tells: today, 三天前, on Friday.

    A day of a month without its year is none: it can be compared as it is.
    """
    return any(
        each.is_relative and each.month is None for each in time_mentions(normalise(text).text)
    )


def event_day(document: Document, quote: str, told: datetime | None = None) -> Dated | None:
    """Tell when what a page is quoted for happened: by the quote, else by the page's lead.

    `told` is when, and in which zone, its words were first told, if it is a copy: its "yesterday"
    is not its own.
    """
    when = told or published(document)
    if when is None:
        return None
    zone = when.tzinfo or UTC
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
    """Return the text before and after, in lower case, with the space that normalising trims."""
    left = sentence[max(0, each.start - _NEAR) : each.start]
    right = sentence[each.end : each.end + _NEAR]
    before = folded(normalise(left).text).rstrip() + (" " if left.endswith(" ") else "")
    after = (" " if right.startswith(" ") else "") + folded(normalise(right).text).lstrip()
    return before, after


def _read(each: Expression, before: str, after: str, at: datetime) -> Dated | None:
    """Tell what one expression says of the event; None when it is background."""
    if each.begin is None or each.finish is None or each.precision in _NEVER:
        return None
    if _is_to_come(each, before, after):
        return Dated(at, True, each.text)  # its real day, a week ahead, does not matter
    if each.begin > at:
        return Dated(each.finish, True, each.text, each.begin, each.precision in _COARSE)
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
    # "Three hours ago" is exact, not the end of that hour.
    counted = exact and re.search("前|ago", each.text, re.IGNORECASE)
    latest = each.begin if counted else each.finish
    begin = each.begin
    if _ELSEWHERE.search(before[-8:] + each.text):
        begin = begin.replace(tzinfo=UTC)  # a day of an unnamed place, not of the reader's
    return Dated(latest, False, each.text, begin, each.precision in _COARSE, each.start, exact)


def _is_to_come(each: Expression, before: str, after: str) -> bool:
    """Tell whether a day that reads as the nearest past one means a day to come."""
    # A day of a month is already read as one to come; a weekday is not.
    past = r"\d|last|past|yesterday|ago|前|上|昨|去年|earlier"
    if not each.relative or re.search(past, each.text, re.IGNORECASE) or _SAID.search(before):
        return False
    return bool(_TO_COME.search(before) or _TO_COME_AFTER.match(after))


def _counted(low: str, at: datetime) -> list[Dated]:
    """Find counts that no calendar holds: "2h ago", "a few days ago", 几天前."""
    found: list[Dated] = []
    for match in _AGO.finditer(low):
        unit = match["short"] or match["unit"] or match["zh"]
        if low[match.end() :].startswith("的"):
            continue  # 几个月前的漏洞: the news is what happens with it now
        if match["unit"] and re.search(_SPELLED, low[: match.start()]):
            continue  # three days ago: already read as an expression
        hours = next(size for key, size in _UNITS.items() if unit.startswith(key))
        amount = int(match["n"]) if match["n"] else _VAGUE_LEAST
        # 5000y ago would be before the first datetime.
        ago = min(timedelta(hours=amount * hours), at - _LONG_AGO)
        words, coarse = match.group().strip(), hours >= _DAY_HOURS
        found.append(Dated(at - ago, False, words, coarse=coarse, place=match.start()))
    return found
