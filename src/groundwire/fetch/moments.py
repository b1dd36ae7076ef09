"""Parses moments as feeds, tables and mails write them: tolerant of form, never of meaning."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from email.utils import parsedate_to_datetime
from math import isnan

from groundwire.language.time.zones import offset

_EARLIEST = date(1970, 1, 2)
_NUMBER = re.compile(r"[+-]?\d{9,19}(?:\.\d+)?\Z")
_COMPACT = re.compile(r"((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])\Z")
_CLOCK = r"(\d{1,2})[:：时時點点](\d{1,2})?(?:[:：分](\d{1,2}))?秒?(?:[.,]\d+)?"
_NUMERIC = re.compile(
    r"((?:19|20)\d\d)\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*[日号號]?"
    rf"(?:[T,，\s]*(上午|下午|中午|晚上|凌晨|早上|晚間|晚间)?\s*{_CLOCK})?\s*"
    r"([ap]\.?m\.?)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?",
    re.IGNORECASE,
)
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_ENGLISH = re.compile(
    r"(?:(\d{1,2})(?:st|nd|rd|th)?[\s-]+)?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
    r"\.?[\s-]+(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?((?:19|20)\d\d)\b"
    r"(?:[,\s]+(?:at\s+)?(\d{1,2}):(\d\d)(?::(\d\d))?\s*([ap]\.?m\.?)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?",
    re.IGNORECASE,
)
_MORNING = ("上午", "凌晨", "早上", "am")
_EVENING = ("晚上", "晚間", "晚间")
_AFTERNOON = ("下午", "中午", "pm", *_EVENING)


def moment(written: object, latest: date | None = None) -> datetime | None:
    """Parse a moment, in the zone that it names; None for what is none or is after `latest`.

    Without a zone it is taken as UTC: a guess by language would be wrong by hours as often.
    """
    found = _number(written) if isinstance(written, int | float) else _text(str(written or ""))
    if found is None:
        return None
    try:
        found = found if found.tzinfo else found.replace(tzinfo=UTC)
        found.astimezone(UTC)
    except OverflowError:
        return None
    last = (latest or date(2100, 1, 1)) + timedelta(days=2)  # zones
    return found if _EARLIEST <= found.date() <= last else None


def _number(value: float) -> datetime | None:
    """Convert seconds since 1970, or a finer unit, recognised by its size."""
    if isinstance(value, bool) or isnan(value):
        return None
    for _ in range(3):
        if abs(value) < 1e11:
            break
        value /= 1000
    try:
        return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _text(written: str) -> datetime | None:
    text = " ".join(written.split())[:120]
    if not text:
        return None
    if _NUMBER.match(text):
        return _number(float(text))
    if compact := _COMPACT.match(text):
        return _build(*compact.groups())
    return _iso(text) or _mail(text) or _numeric(text) or _english(text)


def _iso(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00").replace("z", "+00:00"))
    except ValueError:
        return None


def _mail(text: str) -> datetime | None:
    """Parse RFC 5322, which feeds and mails use."""
    if not re.search(r"\d{1,2} [A-Za-z]{3,9}\.? \d{2,4} \d", text):
        return None
    try:
        return parsedate_to_datetime(text)
    except ValueError:
        return None


def _numeric(text: str) -> datetime | None:
    match = _NUMERIC.search(text)
    if match is None:
        return None
    year, month, day, part, hour, minute, second, half, zone = match.groups()
    found = _build(year, month, day, hour, minute, second)
    return _apply_clock(found, part or half, offset(zone) if zone else None)


def _english(text: str) -> datetime | None:
    match = _ENGLISH.search(text)
    if match is None:
        return None
    before, month, after, year, hour, minute, second, half, zone = match.groups()
    day = before or after
    if day is None:
        return None
    number = _MONTHS.index(month[:3].lower()) + 1
    found = _build(year, number, day, hour, minute, second)
    return _apply_clock(found, half, offset(zone) if zone else None)


def _apply_clock(found: datetime | None, half: str | None, zone: tzinfo | None) -> datetime | None:
    """Apply a twelve-hour clock and a zone: 12 a.m. is midnight, 晚上12点 the one that follows."""
    if found is None:
        return None
    part = (half or "").lower().replace(".", "")
    if found.hour == 12 and part in _MORNING:
        found = found.replace(hour=0)
    elif found.hour == 12 and part in _EVENING:
        found += timedelta(hours=12)
    elif part in _AFTERNOON and found.hour < (10 if part == "中午" else 12):
        found = found.replace(hour=found.hour + 12)
    return found if zone is None else found.replace(tzinfo=zone)


def _build(*parts: str | int | None) -> datetime | None:
    """Build a moment from year, month, day, and any of hour, minute and second."""
    numbers = [int(part or 0) for part in parts]
    year, month, day, hour, minute, second = (*numbers, *[0] * (6 - len(numbers)))
    try:
        return datetime(year, month, day, hour, minute, min(second, 59), tzinfo=UTC)
    except ValueError:
        return None
