"""Times of day, zones and counted time (三天前, 近两周) in Chinese text in its normal form."""

from __future__ import annotations

import re
from fractions import Fraction

from groundwire.language.amounts.numerals import chinese_integer
from groundwire.language.text.phrases import patterns
from groundwire.language.time.mentions import (
    ELSEWHERE,
    VAGUE,
    Level,
    Part,
    TimeMention,
    Unit,
    counted,
    rule,
)
from groundwire.language.time.zones import ZH_ZONE

_N = "[〇零一二两三四五六七八九十]"
_PARTS: dict[str, Part] = {
    "凌晨": "small_hours", "半夜": "small_hours", "清晨": "dawn", "早晨": "early_morning",
    "早上": "early_morning", "早间": "early_morning", "一早": "early_morning", "上午": "morning",
    "中午": "noon", "正午": "noon", "午间": "noon", "下午": "afternoon", "午后": "afternoon",
    "傍晚": "dusk", "晚上": "evening", "晚间": "evening", "深夜": "night", "午夜": "night", "夜间": "night",
    "夜里": "night", "晚": "evening", "早": "early_morning", "晨": "dawn",
}  # fmt: skip
_AFTER_WEEKDAY = "(?<=[周期拜][一二三四五六日天])"
_WORDS = "|".join(name for name in _PARTS if len(name) == 2)
_MINUTES = rf"(?P<half>半)|(?P<k>[一三])刻钟?|(?P<m>\d{{1,2}}|{_N}{{1,3}})分(?:\d{{1,2}}秒)?|(?P<m1>[0-5]\d)(?![\d%])|钟|整"
# A bare 8点 is a number of points; beside a day or a part of a day it is an hour.
_ZONE = re.compile(f"(?:{ZH_ZONE})$")
_BRACKETED_ZONE = re.compile(rf"\((?P<zone>{ZH_ZONE})\)")
_UNITS: dict[str, tuple[Unit, Fraction]] = {
    "秒": ("minute", Fraction(1, 60)), "秒钟": ("minute", Fraction(1, 60)),
    "分钟": ("minute", Fraction(1)), "刻钟": ("minute", Fraction(15)), "小时": ("hour", Fraction(1)),
    "钟头": ("hour", Fraction(1)), "天": ("day", Fraction(1)), "周": ("week", Fraction(1)),
    "星期": ("week", Fraction(1)), "礼拜": ("week", Fraction(1)), "月": ("month", Fraction(1)),
    "季度": ("quarter", Fraction(1)), "年": ("year", Fraction(1)),
}  # fmt: skip
_said = patterns("chinese_times.txt")
# 两三年
_ABOUT = re.compile("[一二两三四五六七八九]{2}")
_CLAUSE_STARTS = ("", *",。;:!?、('\"》】\n 就在")


@rule(
    rf"(?:(?P<p>{_WORDS}|(?<![最很太更越偏])[早晚晨])约?|(?<=[日号天间晚早晨夜])|{_AFTER_WEEKDAY}|(?P<free>))"
    rf"(?<![\d.:])(?P<h>\d{{1,2}}|{_N}{{1,3}})"
    rf"(?:(?P<mark>[点时])(?:{_MINUTES})?|:(?P<m2>[0-5]\d)(?::[0-5]\d)?(?!\d))"
)
def clock(match: re.Match[str]) -> TimeMention | None:
    hour = chinese_integer(match["h"])
    if hour is None or hour > 24:
        return None
    part = _PARTS[match["p"]] if match["p"] else None
    minute = _minute(match)
    if minute is None and match["mark"] and match["free"] is not None:
        # 9时30分, 9点半 and 9点整 say that they are times; 9点 does not, but for 8时至9时.
        to = match["mark"] == "时" and match.string.endswith(("至", "到", "-"), 0, match.start())
        if not (to or match.group().endswith(("整", "钟"))):
            return None
    if minute is not None and minute > 59:
        return None
    # 21:15 may be a score: it counts beside a date.
    weak = match["m2"] is not None and match["free"] is not None
    return TimeMention(kind="time", hour=hour, minute=minute, part=part, weak=weak)


def _minute(match: re.Match[str]) -> int | None:
    if match["half"]:
        return 30
    if match["k"]:
        return 15 if match["k"] == "一" else 45
    said = match["m"] or match["m1"] or match["m2"]
    return chinese_integer(said) if said else None


@rule(
    rf"(?<!每[天日])(?P<p>{_WORDS})(?!好)|(?:(?<=[日号天])|{_AFTER_WEEKDAY})(?P<p2>[晚早])(?![于期年会报婚点安餐些已日在])"
)
def part_of_day(match: re.Match[str]) -> TimeMention:
    return TimeMention(kind="time", part=_PARTS[match["p"] or match["p2"]])


def zone_before(flat: str, start: int) -> str:
    """Return the zone that is named right before a time: 北京时间11日."""
    if flat[start - 1 : start] not in ("间", "时"):
        return ""
    match = _ZONE.search(flat, max(0, start - 12), start)
    return match.group() if match else ""


def zone_behind(flat: str, end: int) -> str:
    """Return the zone in brackets right behind a time: 11日9时(北京时间)."""
    match = _BRACKETED_ZONE.match(flat, end)
    return match["zone"] if match else ""


def _counted(match: re.Match[str]) -> tuple[Fraction | None, Unit]:
    """Return how many of which unit; None when it is not said exactly."""
    unit, size = _UNITS[match["u"]]
    if match["u"] == "月" and match["ge"] is None:
        return Fraction(0), unit  # 三个月 is a length, 三月 a month
    number = match["n"]
    halves = sum(1 for group in ("h1", "h2") if match[group])
    more = match["more"] or match["more2"]
    if more or number in ("几", "好几", "数") or _ABOUT.fullmatch(number):
        return None, unit
    amount = Fraction(1, 2) if number == "半" else Fraction(chinese_integer(number) or 0)
    return (amount + Fraction(halves, 2)) * size, unit


@rule(_said("ago"))
def ago(match: re.Match[str]) -> TimeMention | None:
    amount, unit = _counted(match)
    level: Level = unit if unit in ("day", "week", "month", "quarter", "year") else "day"
    if match["way"] != "前" and amount != 0:
        return TimeMention(kind="words", level=level, why=ELSEWHERE)
    return counted(amount, unit, "ago", level)


@rule(_said("span"))
def span(match: re.Match[str]) -> TimeMention | None:
    ahead = match["way"] in ("未来", "今后", "接下来")
    return counted(*_counted(match), "future" if ahead else "past")


@rule("刚刚|刚才|方才|适才")
def now(match: re.Match[str]) -> TimeMention:
    # Inside a clause it only says that something is over.
    if match.string[max(0, match.start() - 1) : match.start()] not in _CLAUSE_STARTS:
        return TimeMention(kind="words", level="day", why=VAGUE)
    return TimeMention(kind="count", amount=Fraction(0), unit="minute", toward="ago")
