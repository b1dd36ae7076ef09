"""Time zones as texts name them, Chinese and English."""

from __future__ import annotations

import re
from datetime import UTC, timedelta, timezone, tzinfo
from functools import cache
from zoneinfo import ZoneInfo

_PLACES = {
    "Asia/Shanghai": "北京 中国 上海 beijing china shanghai",
    "Asia/Hong_Kong": "香港 hong\xa0kong hkt",
    "Asia/Taipei": "台北 台湾 taipei taiwan",
    "Asia/Tokyo": "东京 日本 tokyo japan jst",
    "Asia/Seoul": "首尔 韩国 seoul korea kst",
    "Asia/Singapore": "新加坡 singapore sgt",
    "Asia/Dubai": "迪拜 dubai",
    "Asia/Kolkata": "印度 新德里 india",
    "Europe/London": "伦敦 英国 london uk",
    "Europe/Paris": "巴黎 法国 欧洲中部 paris central\xa0european cet",
    "Europe/Berlin": "柏林 德国 berlin",
    "Europe/Moscow": "莫斯科 俄罗斯 moscow msk",
    "America/New_York": "美东 美国东部 纽约 华盛顿 new\xa0york eastern et",
    "America/Chicago": "美中 美国中部 芝加哥 central ct",
    "America/Denver": "mountain mt",
    "America/Los_Angeles": "美西 美国西部 洛杉矶 旧金山 pacific pt",
    "Australia/Sydney": "悉尼 sydney",
    "UTC": "格林尼治 格林威治 世界协调 协调世界 greenwich utc gmt",
}
# Names of an offset, whatever the season.
_FIXED = {
    "est": -5, "edt": -4, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "bst": 1,
    "cest": 2, "eest": 3, "eet": 2, "aest": 10, "aedt": 11,
}  # fmt: skip
_NAMES = {
    name.replace("\xa0", " "): key for key, names in _PLACES.items() for name in names.split(" ")
}
_ZH = "|".join(sorted((name for name in _NAMES if not name.isascii()), key=len, reverse=True))
_EN_PLACES = "|".join(
    sorted((name for name in _NAMES if name.isascii() and len(name) > 3), key=len, reverse=True)
)
_SHORT = "|".join([*(n for n in _NAMES if n.isascii() and len(n) <= 3), *_FIXED, "cst"])
_OFFSET = r"(?:utc|gmt) ?[+-] ?\d{1,2}(?::?\d{2})?"
# Chinese names stand before the time, English ones behind it.
ZH_ZONE = f"(?:{_ZH}|[Uu][Tt][Cc]|[Gg][Mm][Tt])(?:标准)?时间|世界时|(?:当地|本地|现地)时间"
EN_ZONE = rf"{_OFFSET}|(?:{_EN_PLACES})(?: standard| daylight)? time|local time|(?:{_SHORT})\b"
_OFFSET_PARTS = re.compile(r"([+-]) ?(\d{1,2}):?(\d{2})?")
_LOCAL = frozenset(["当地时间", "本地时间", "现地时间", "local time"])


def zone_named(name: str, home: tzinfo | None = None) -> tzinfo | None:
    """The zone of a name that `ZH_ZONE` or `EN_ZONE` found; None for local time and UTC+99.

    CST is China's to a reader in Asia, and Chicago's to all others.
    """
    folded = name.lower()
    if folded in _LOCAL:
        return None
    if parts := _OFFSET_PARTS.search(folded):
        return _offset(parts[1], int(parts[2]), int(parts[3] or 0))
    if folded in _FIXED:
        return timezone(timedelta(hours=_FIXED[folded]))
    if folded == "cst":
        at_home = str(home).startswith("Asia/")
        return _zone("Asia/Shanghai") if at_home else timezone(timedelta(hours=-6))
    place = re.sub(r"(?:标准)?时间$|(?: standard| daylight)? time$|时$", "", folded)
    key = _NAMES.get(place, "UTC" if place == "世界" else "")
    return _zone(key) if key else None


def _offset(sign: str, hours: int, minutes: int) -> tzinfo | None:
    size = timedelta(hours=hours, minutes=minutes)
    if size > timedelta(hours=14):
        return None
    return timezone(size if sign == "+" else -size)


@cache
def _zone(key: str) -> tzinfo:
    return UTC if key == "UTC" else ZoneInfo(key)
