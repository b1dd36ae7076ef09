"""Dates as pages write them: ISO, Chinese, Korean, named months of a dozen languages, numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time

from groundwire.language.data import lines_of
from groundwire.language.text.phrases import patterns
from groundwire.language.time.zones import offset

EARLIEST = date(1990, 1, 1)

_MONTHS = {
    name: number
    for number, names in enumerate(lines_of("groundwire.fetch.data", "months.txt"), 1)
    for name in names.split()
}
_pattern = patterns("days.txt", "groundwire.fetch.data")
_ISO = re.compile(_pattern("iso"))
_ROC = re.compile(_pattern("roc"))
_DAY_FIRST = re.compile(_pattern("day first"))
_MONTH_FIRST = re.compile(_pattern("month first"))
_NUMBERS = re.compile(_pattern("numbers"))
_COMPACT = re.compile(_pattern("compact"))
_STAMP = re.compile(r"\d{10}(?:\d{3})?")
# Cheap, and true of every text in which one of the patterns can find something.
CAN_HOLD_DATE = re.compile(r"(?:19|20)\d\d|\d[./-]\s?\d{1,2}[./-]\s?\d\d|民[国國]")


def parse_date(text: str, latest: date, *, month_first: bool = False) -> str | None:
    """Parse the date in a text to ISO; None if there is none.

    It is a day, or a moment where hour and zone are given, in the zone in which it was written, so
    that its day is the one that the page shows. `month_first` reads 3/4/2026 as March 4th.
    """
    found = find_date(text, latest, month_first=month_first)
    return found[0] if found else None


def find_date(text: str, latest: date, *, month_first: bool = False) -> tuple[str, int, int] | None:
    """Find the date, and its place; the safest ways of writing are tried first."""
    text = text[:2000]
    if _STAMP.fullmatch(text.strip()):
        moment = datetime.fromtimestamp(int(text.strip()[:10]), UTC)
        within = EARLIEST <= moment.date() <= latest
        return (moment.isoformat(), 0, len(text)) if within else None
    for match, day in _readings(text, month_first):
        if day is not None and EARLIEST <= day <= latest:
            return _moment(day, match) or day.isoformat(), match.start(), match.end()
    return None


def _readings(text: str, month_first: bool) -> Iterator[tuple[re.Match[str], date | None]]:
    for match in _ISO.finditer(text):
        yield match, day_of(match["y"], match["m"], match["d"])
    for match in _ROC.finditer(text):
        yield match, day_of(str(int(match["y"]) + 1911), match["m"], match["d"])
    for pattern in (_DAY_FIRST, _MONTH_FIRST):
        for match in pattern.finditer(text):
            month = _MONTHS.get(match["m"].lower())
            yield match, day_of(match["y"], str(month), match["d"]) if month else None
    for match in _NUMBERS.finditer(text):
        yield match, _numbered(match, month_first)
    for match in _COMPACT.finditer(text):
        yield match, day_of(match["y"], match["m"], match["d"])


def _numbered(match: re.Match[str], month_first: bool) -> date | None:
    """Read 3/4/2026: a number over 12 is the day, else the page's country decides."""
    year = match["y"] if len(match["y"]) == 4 else f"20{match['y']}"
    first, second = match["a"], match["b"]
    # Only slashes are written month first.
    if (month_first and match["mark"] == "/" and int(first) <= 12) or int(second) > 12:
        return day_of(year, first, second)
    return day_of(year, second, first)


def day_of(year: str, month: str, number: str) -> date | None:
    """Return the day; None if there is no such day."""
    try:
        return date(int(year), int(month), int(number))
    except ValueError:
        return None


def _moment(day: date, match: re.Match[str]) -> str | None:
    """Return date and time where the time has a zone; without one only the day is sure."""
    groups = match.groupdict()
    if not (groups.get("hour") and groups.get("zone")):
        return None
    zone = offset(groups["zone"])
    if zone is None:
        return None
    try:
        clock = time(
            int(groups["hour"]), int(groups["minute"]), int(groups["second"] or 0), tzinfo=zone
        )
    except ValueError:
        return None
    return datetime.combine(day, clock).isoformat()
