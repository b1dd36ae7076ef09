"""Times of day and counted time (two weeks ago, 近两周) in Chinese and English."""

from __future__ import annotations

import re
from fractions import Fraction

from groundwire.language.amounts.numerals import ENGLISH_WORDS, chinese_integer, english_number
from groundwire.language.text.phrases import patterns
from groundwire.language.time.mentions import (
    ELSEWHERE,
    VAGUE,
    Level,
    Part,
    Rule,
    TimeMention,
    Toward,
    Unit,
    groups,
    lead_before,
)
from groundwire.language.time.zones import EN_ZONE

_en = patterns("english_times.txt", flags=re.IGNORECASE)
_zh = patterns("chinese_times.txt")
_N = "[〇零一二两三四五六七八九十]"
_PARTS: dict[str, Part] = {
    "凌晨": "small_hours", "半夜": "small_hours", "清晨": "dawn", "早晨": "early_morning",
    "早上": "early_morning", "早间": "early_morning", "一早": "early_morning", "上午": "morning",
    "中午": "noon", "正午": "noon", "午间": "noon", "下午": "afternoon", "午后": "afternoon",
    "傍晚": "dusk", "晚上": "evening", "晚间": "evening", "深夜": "night", "午夜": "night", "夜间": "night",
    "夜里": "night", "晚": "evening", "早": "early_morning", "晨": "dawn",
    "morning": "morning", "afternoon": "afternoon", "evening": "evening", "night": "evening",
}  # fmt: skip
_HOUR = rf"(?:\d{{1,2}}|{_N}{{1,3}})"
_AFTER_WEEKDAY = "(?<=[周期拜][一二三四五六日天])"
_WORDS = "|".join(name for name in _PARTS if len(name) == 2)
_MINUTES = rf"(?P<quarters>半|[一三]刻钟?)|(?P<m>\d{{1,2}}|{_N}{{1,3}})分(?:\d{{1,2}}秒)?|(?P<m2>[0-5]\d)(?![\d%])|(?P<sure>钟|整)"
_QUARTERS = {"半": 30, "一": 15, "三": 45}
_NUMBER_WORD = "|".join(sorted(ENGLISH_WORDS, key=len, reverse=True))
_AMOUNT = (
    rf"(?P<n>\d{{1,4}}|half an?|a couple of|couple of|(?:a )?few|several|many|some|an?|(?:{_NUMBER_WORD})"
    rf"(?:[ -](?:{_NUMBER_WORD}))?)"
)
_UNIT = "(?P<u>second|minute|hour|day|week|month|quarter|year|decade)"
_VAGUE_NUMBERS = frozenset(["a few", "few", "several", "many", "some", "几", "好几", "数"])
_NUMBERS = {
    "half a": Fraction(1, 2), "half an": Fraction(1, 2), "半": Fraction(1, 2), "a couple of": Fraction(2),
    "couple of": Fraction(2), "a": Fraction(1), "an": Fraction(1), "": Fraction(1),  # the past week
}  # fmt: skip
# 两三年
_ABOUT = re.compile("[一二两三四五六七八九]{2}")
_UNITS: dict[str, tuple[Unit, int | Fraction]] = {
    "second": ("minute", Fraction(1, 60)), "秒": ("minute", Fraction(1, 60)),
    "秒钟": ("minute", Fraction(1, 60)), "minute": ("minute", 1), "分钟": ("minute", 1),
    "刻钟": ("minute", 15), "hour": ("hour", 1), "小时": ("hour", 1), "钟头": ("hour", 1),
    "day": ("day", 1), "天": ("day", 1), "week": ("week", 1), "周": ("week", 1), "星期": ("week", 1),
    "礼拜": ("week", 1), "month": ("month", 1), "月": ("month", 1), "quarter": ("quarter", 1),
    "季度": ("quarter", 1), "year": ("year", 1), "年": ("year", 1), "decade": ("year", 10),
}  # fmt: skip
_AHEAD = frozenset(["next", "coming", "未来", "今后", "接下来"])


def _clock(match: re.Match[str]) -> TimeMention | None:
    """Read a clock time: 晚上9点半, 9:30 p.m.; a bare 8点 may be points, and 21:15 a score."""
    fields = groups(match)
    hour, half = chinese_integer(fields["h"]), fields.get("half")
    minute = _QUARTERS.get(fields.get("quarters", "")[:1], chinese_integer(fields.get("m", "")))
    if hour is None or hour > 24 or (minute or 0) > 59:
        return None
    free, sure = "free" in fields, "sure" in fields or half is not None
    if free and minute is None and not sure:
        return None
    if half is not None:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    zone = fields.get("z", "")
    return TimeMention(
        kind="time",
        hour=hour,
        minute=minute,
        part=_PARTS[fields["p"]] if "p" in fields else None,
        zone_name=zone,
        weak=free and "colon" in fields and not (sure or zone or lead_before(match, _en["lead"])),
    )


def _part_of_day(match: re.Match[str]) -> TimeMention:
    fields = groups(match)
    if "p" not in fields:
        zone = fields.get("z", "")
        noon = "noon" in fields
        return TimeMention(
            kind="time", hour=12 if noon else 0, zone_name=zone, weak=not (noon or zone)
        )
    part = _PARTS[fields["p"]]
    if "this" in fields:
        return TimeMention(level="day", days=0, part=part)
    return TimeMention(kind="time", part=part, weak=fields["p"].isascii())


def _amount(fields: dict[str, str]) -> Fraction | None:
    """Return how many of its unit; None when it is not exact."""
    written = fields.get("n")
    if fields["u"] == "月" and "ge" not in fields:
        return Fraction(0)  # 三个月 is a length, 三月 a month
    if written is None or written in _VAGUE_NUMBERS:
        return None
    if "more" in fields or _ABOUT.fullmatch(written):
        return None
    number = _NUMBERS.get(written, chinese_integer(written))
    if number is None:
        number = english_number(re.split("[ -]", written))
    if number is None:
        return None
    return (Fraction(number) + (Fraction(1, 2) if "h" in fields else 0)) * _UNITS[fields["u"]][1]


def _ago(match: re.Match[str]) -> TimeMention | None:
    fields = groups(match)
    amount, unit = _amount(fields), _UNITS[fields["u"]][0]
    level: Level = "day" if unit in ("minute", "hour") else unit
    if fields["way"] not in ("ago", "前") and amount != 0:
        return TimeMention(kind="words", level=level, why=ELSEWHERE)
    return _counted(amount, unit, "ago", level)


def _span(match: re.Match[str]) -> TimeMention | None:
    fields = groups(match)
    if fields["way"] == "last" and lead_before(match, _en["verb"]):
        return None
    toward: Toward = "future" if fields["way"] in _AHEAD else "past"
    return _counted(_amount(fields), _UNITS[fields["u"]][0], toward)


def _counted(
    amount: Fraction | None, unit: Unit, toward: Toward, level: Level = "day"
) -> TimeMention | None:
    """Build so many units ago, past or to come; None is vague, and zero says nothing."""
    if amount is None:
        return TimeMention(kind="words", level=level, why=VAGUE)
    return TimeMention(kind="count", amount=amount, unit=unit, toward=toward) if amount else None


def _now(match: re.Match[str]) -> TimeMention:
    if "vague" in groups(match):
        return TimeMention(kind="words", level="day", why=VAGUE)
    return TimeMention(kind="count", amount=Fraction(0), unit="minute", toward="ago")


def _english(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.ASCII)


ENGLISH: dict[str, Rule] = {
    "clock": (
        _english(
            r"(?<![\w.:,$€£¥/+-])(?P<free>)(?:(?P<h>\d{1,2})(?:(?P<colon>:)(?P<m>[0-5]\d)(?::[0-5]\d)?)?(?![\d:])|"
            r"(?P<h2>[01]\d|2[0-3])(?P<m2>[0-5]\d)(?P<sure>(?= ?(?:gmt|utc|bst|hours)\b)))"
            r"(?: ?(?P<half>[ap])(?:\.m\.?|m)(?!\w)|(?P<sure2> o'clock)\b)?"
            rf"(?: ?(?:\((?P<z>{EN_ZONE})\)|(?P<z2>{EN_ZONE})))?"
        ),
        _clock,
    ),
    "part of day": (
        _english(
            r"\b(?:(?P<this>this )?(?P<p>morning|afternoon|evening|night)\b|"
            rf"(?:(?P<noon>noon|midday)|midnight)\b(?: (?P<z>{EN_ZONE}))?)"
        ),
        _part_of_day,
    ),
    "ago": (
        _english(
            rf"\b(?:{_AMOUNT} (?P<h>and a half )?{_UNIT}s?(?P<h2> and a half)? (?P<way>ago|earlier|later)"
            r"|(?P<u2>minute|hour|day|week|month|year|decade)s (?P<way2>ago))\b"
        ),
        _ago,
    ),
    "span": (
        _english(
            rf"\b(?P<way>past|last|next|coming) (?:{_AMOUNT} {_UNIT}s?|"
            r"(?P<n2>(?<=the past ))(?P<u2>hour|day|week|month|quarter|year|decade))\b"
        ),
        _span,
    ),
    "now": (_english(r"\b(?:just now|moments ago|a moment ago)\b"), _now),
}
CHINESE: dict[str, Rule] = {
    "clock": (
        re.compile(
            rf"(?:(?P<p>{_WORDS}|(?<![最很太更越偏])[早晚晨])约?|(?<=[日号天间晚早晨夜])|{_AFTER_WEEKDAY}|"
            # 9时30分 and 9点整 are clearly times; 9点 is not, except in 8时至9时.
            rf"(?<=[至到-])(?={_HOUR}时)|(?P<free>))(?<![\d.:])(?P<h>{_HOUR})"
            rf"(?:[点时](?:{_MINUTES})?|(?P<colon>:)(?P<m3>[0-5]\d)(?::[0-5]\d)?(?!\d))"
        ),
        _clock,
    ),
    "part of day": (
        re.compile(
            rf"(?<!每[天日])(?P<p>{_WORDS})(?!好)|"
            rf"(?:(?<=[日号天])|{_AFTER_WEEKDAY})(?P<p2>[晚早])(?![于期年会报婚点安餐些已日在])"
        ),
        _part_of_day,
    ),
    "ago": (_zh["ago"], _ago),
    "span": (_zh["span"], _span),
    "now": (_zh["now"], _now),
}
