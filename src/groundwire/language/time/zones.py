"""Time zones as texts name them, Chinese and English."""

from __future__ import annotations

import re
from datetime import UTC, timedelta, timezone, tzinfo
from functools import cache
from zoneinfo import ZoneInfo

from groundwire.language.data import data_lines

# Names of an offset, whatever the season.
_FIXED = {
    "est": -5, "edt": -4, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "bst": 1,
    "cest": 2, "eest": 3, "eet": 2, "aest": 10, "aedt": 11,
}  # fmt: skip
_NAMES = {
    name: key
    for key, names in (line.split("\t") for line in data_lines("zones.tsv"))
    for name in names.split("|")
}
# Languages whose readers nearly all live in one zone.
_HOMES = {"zh": "Asia/Shanghai", "zh-Hant": "Asia/Taipei", "ja": "Asia/Tokyo", "ko": "Asia/Seoul"}
_LONGEST_FIRST = sorted(_NAMES, key=len, reverse=True)
_ZH = "|".join(name for name in _LONGEST_FIRST if not name.isascii())
_EN_PLACES = "|".join(name for name in _LONGEST_FIRST if name.isascii() and len(name) > 3)
_SHORT = "|".join([*(n for n in _NAMES if n.isascii() and len(n) <= 3), *_FIXED, "cst"])
_OFFSET = r"(?:utc|gmt) ?[+-] ?\d{1,2}(?::?\d{2})?"
# Chinese names stand before the time, English ones after it.
ZH_ZONE = f"(?:{_ZH}|[Uu][Tt][Cc]|[Gg][Mm][Tt])(?:标准)?时间|世界时|(?:当地|本地|现地)时间"
EN_ZONE = rf"{_OFFSET}|(?:{_EN_PLACES})(?: standard| daylight)? time|local time|(?:{_SHORT})\b"
_BEFORE = re.compile(f"(?:{ZH_ZONE})$")
_BEHIND = re.compile(rf"\((?P<zone>{ZH_ZONE})\)")
_OFFSET_PARTS = re.compile(r"([+-]) ?(\d{1,2}):?(\d{2})?")
_FARTHEST = timedelta(hours=14)
_LOCAL = frozenset(["当地时间", "本地时间", "现地时间", "local time"])


@cache
def home_zone(language: str) -> tzinfo:
    """Return the zone in which a language's days are read where no other is known."""
    return ZoneInfo(_HOMES[language]) if language in _HOMES else UTC


def zone_beside(flat: str, start: int, end: int) -> tuple[str, int, int]:
    """Return the zone named before a time or in brackets after it, and where both stand.

    北京时间11日; 11日9时(北京时间).
    """
    if flat[start - 1 : start] in ("间", "时"):
        before = _BEFORE.search(flat, max(0, start - 12), start)
        if before is not None:
            return before[0], before.start(), end
    behind = _BEHIND.match(flat, end)
    return ("", start, end) if behind is None else (behind["zone"], start, behind.end())


def zone_named(name: str, home: tzinfo | None = None) -> tzinfo | None:
    """Return the zone of a name that `ZH_ZONE` or `EN_ZONE` found; None for local time and UTC+99.

    CST is China's for a reader in Asia, and Chicago's for all others.
    """
    folded = name.lower()
    if folded in _LOCAL:
        return None
    if _OFFSET_PARTS.search(folded):
        return offset(folded, _FARTHEST)
    if folded in _FIXED:
        return timezone(timedelta(hours=_FIXED[folded]))
    if folded == "cst":
        at_home = str(home).startswith("Asia/")
        return _zone("Asia/Shanghai") if at_home else timezone(timedelta(hours=-6))
    place = re.sub(r"(?:标准)?时间$|(?: standard| daylight)? time$|时$", "", folded)
    key = _NAMES.get(place, "UTC" if place == "世界" else "")
    return _zone(key) if key else None


def offset(mark: str, most: timedelta = timedelta(hours=23, minutes=59)) -> tzinfo | None:
    """Return the zone of a mark: Z, UTC, +08:00, +0800; None for what no clock has."""
    parts = _OFFSET_PARTS.search(mark)
    if parts is None:
        return UTC
    size = timedelta(hours=int(parts[2]), minutes=int(parts[3] or 0))
    return None if size > most else timezone(size if parts[1] == "+" else -size)


@cache
def _zone(key: str) -> tzinfo:
    return UTC if key == "UTC" else ZoneInfo(key)
