"""Dates in Chinese, in English and in numbers alone: what the named groups of a pattern say together.

Both languages name their groups alike (`y` a year, `which` and `of` a period, `third` a part of
one), so that one reading serves them; the few rules that look around a match stand at the end.
"""

from __future__ import annotations

import re

from groundwire.language.amounts.numerals import chinese_integer
from groundwire.language.text.phrases import patterns
from groundwire.language.time.calendars import exists
from groundwire.language.time.mentions import (
    ELSEWHERE,
    FESTIVAL,
    FISCAL,
    LUNAR,
    NO_SUCH,
    ORDER,
    SEASON,
    VAGUE,
    Level,
    Part,
    Reader,
    Rule,
    Third,
    TimeMention,
    Which,
    groups,
    led,
)
from groundwire.language.time.zones import offset

_zh = patterns("chinese_dates.txt")
_en = patterns("english_dates.txt", flags=re.ASCII | re.IGNORECASE)
_digits = patterns("numeric_dates.txt", flags=re.ASCII | re.IGNORECASE)

# Words that no calendar holds, by the group that finds them.
_WORDS = {"vague": VAGUE, "text": ELSEWHERE, "festival": FESTIVAL, "lunar": LUNAR}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = {
    name: number
    for names in ("mon tue wed thu fri sat sun", "一 二 三 四 五 六 日")
    for number, name in enumerate(names.split())
} | {"天": 6}
_YEARS = {
    "大前年": -3, "前年": -2, "去年": -1, "上年": -1, "今年": 0, "本年": 0, "明年": 1, "来年": 1, "后年": 2,
    "last year": -1,
}  # fmt: skip
_DAYS = {
    "大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3, "today": 0, "tonight": 0,
    "yesterday": -1, "last night": -1, "tomorrow": 1, "the day before yesterday": -2,
    "the day after tomorrow": 2,
}  # fmt: skip
_PARTS: dict[str, Part] = {
    "晚": "evening", "夜": "evening", "早": "early_morning", "晨": "dawn", "tonight": "evening",
    "last night": "evening",
}  # fmt: skip
_STEPS = {
    "上上": -2, "上": -1, "last": -1, "这": 0, "本": 0, "今": 0, "当": 0, "this": 0, "下": 1, "next": 1,
    "下下": 2,
}  # fmt: skip
_PERIODS: dict[str, Level] = {
    "year": "year", "quarter": "quarter", "季度": "quarter", "month": "month", "月": "month",
    "week": "week", "周": "week", "星期": "week", "礼拜": "week", "weekend": "weekend",
}  # fmt: skip
_WHICH: dict[str, Which] = {
    "last": "last", "this past": "last", "past": "last", "this": "this", "next": "next",
    "this coming": "coming", "coming": "coming",
}  # fmt: skip
_THIRDS: dict[str, Third] = {
    "初": "early", "上": "early", "early": "early", "beginning": "early", "start": "early",
    "中": "mid", "mid": "mid", "middle": "mid",
    "下": "late", "底": "late", "末": "late", "late": "late", "end": "late",
}  # fmt: skip
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "首": 1, "上": 1, "下": 2}


def _date(match: re.Match[str]) -> TimeMention | None:
    """Return what the groups say; None when their numbers say nothing."""
    got = groups(match)
    said = _shifted(got) if "of" in got else _year(got)
    for group, why in _WORDS.items():
        if group in got:
            level: Level = "month" if group == "lunar" and "ld" not in got else "day"
            return said._replace(kind="words", level=level, why=why)
    if "decade" in got or "tens" in got:
        return _decade(got, match.start())
    if "w" in got:
        return _weekday(got)
    if "day" in got:
        part = _PARTS.get(got.get("part", ""))
        return TimeMention(level="day", days=_DAYS[got["day"].rstrip("天日")], part=part)
    if "first" in got:  # 前三季度
        last = TimeMention(level="quarter", month=3 * _number(got["first"]) - 2)
        return said._replace(level="quarter", month=1, until=last)
    if "q" in got:
        why = FISCAL if "fiscal" in got else SEASON if "season" in got else said.why
        return said._replace(level="quarter", month=3 * _number(got["q"]) - 2, why=why)
    if "half" in got:
        return said._replace(level="half", month=6 * _number(got["half"]) - 5)
    if "fiscal" in got:
        return said._replace(level="fiscal_year", why=FISCAL)
    if "from" in got:
        span = _months(said, got)
        return span if said.level is not None or not span.why else None
    if "m" in got or "d" in got:
        if "m" in got and "y" not in got and match["m"].islower():
            return None  # "may 5", "march": verbs
        day = _day(said, got)
        if day.why == NO_SUCH and "m" not in got and "of" not in got:
            return None
        said = day
    if "third" in got:
        said = said._replace(level=said.level or "year", third=_THIRDS[got["third"]])
    return said


def _number(said: str) -> int:
    return _ORDINALS.get(said) or chinese_integer(said) or 1


def _year(got: dict[str, str]) -> TimeMention:
    if "yt" in got:
        # 当年 is as often "in those days".
        kind = "date" if got["yt"] == "同年" else "words"
        return TimeMention(kind=kind, level="year", why=ELSEWHERE)
    if "ys" in got:
        return TimeMention(level="year", years=_YEARS[got["ys"]])
    if "roc" in got:
        return TimeMention(level="year", year=(chinese_integer(got["roc"]) or 0) + 1911)
    if "y" not in got:
        return TimeMention()
    year = chinese_integer(got["y"])
    if year is not None and len(got["y"]) == 2:
        year += 2000 if year < 70 else 1900
    return TimeMention(level="year", year=year)


def _shifted(got: dict[str, str]) -> TimeMention:
    """上月, last week: a period counted from the reader's own."""
    level, which = _PERIODS[got["of"]], got.get("which", "本")
    if which == "当":
        return TimeMention(kind="words", level=level, why=ELSEWHERE)
    step = _STEPS[which]
    if level in ("month", "quarter"):
        return TimeMention(level=level, months=step * (3 if level == "quarter" else 1))
    if level == "year":
        return TimeMention(level=level, years=step)
    return TimeMention(level=level, weeks=step)


def _day(said: TimeMention, got: dict[str, str]) -> TimeMention:
    """A month or a day of it, or several: March 10-15."""
    day = chinese_integer(got["d"]) if "d" in got else None
    if "m" in got:
        named = got["m"][:3]
        month = _MONTHS.index(named) + 1 if named in _MONTHS else chinese_integer(named)
        said = said._replace(month=month)
    # Month 0 and day 0 are as impossible as 13 and 32.
    why = said.why if exists(said.year, said.month, day) else NO_SUCH
    said = said._replace(level="month" if day is None else "day", day=day, why=why)
    last = chinese_integer(got["to"]) if "to" in got else None
    return said if last is None else said._replace(until=said._replace(day=last))


def _months(said: TimeMention, got: dict[str, str]) -> TimeMention:
    """1-9月: from the one to the other."""
    first, last = chinese_integer(got["from"]), chinese_integer(got["until"])
    why = "" if exists(None, first, None) and exists(None, last, None) else NO_SUCH
    until = TimeMention(level="month", month=last)
    return said._replace(level="month", month=first, until=until, why=said.why or why)


def _weekday(got: dict[str, str]) -> TimeMention:
    weeks = _STEPS[got["weeks"]] if "weeks" in got else None
    if got["w"] == "末":
        return TimeMention(level="weekend", weeks=weeks)
    return TimeMention(
        level="day",
        weekday=_WEEKDAYS[got["w"][:3]],
        weeks=weeks,
        which=_WHICH.get(got.get("which", ""), ""),
        weak="short" in got,
    )


def _decade(got: dict[str, str], start: int) -> TimeMention | None:
    if "decade" in got:
        return TimeMention(level="decade", year=chinese_integer(got["decade"]))
    tens, century = chinese_integer(got["tens"]), got.get("century", "")
    if tens is None:
        return None
    if not century:
        hundred = 2000 if tens < 30 else 1900
    elif century[0] in "上本":
        hundred = 1900 if century[0] == "上" else 2000
    else:
        hundred = ((chinese_integer(century.removesuffix("世纪")) or 20) - 1) * 100
    return TimeMention(
        level="decade", year=hundred + tens, start=start - 1 if "quote" in got else -1
    )


def _month(match: re.Match[str]) -> TimeMention | None:
    """A month by itself must be led in: "may" and "march" are words."""
    said = _date(match)
    if said is None or said.year is not None or led(match, _en["lead"]):
        return said
    which = led(match, _en["which"])
    if which is None:
        return said._replace(weak=True)
    return said._replace(which=_WHICH[which[1].lower()], start=which.start())


def _english_quarter(match: re.Match[str]) -> TimeMention | None:
    said = _date(match)
    fiscal = said is not None and said.level == "quarter" and led(match, _en["fiscal lead"])
    return said._replace(why=FISCAL) if said is not None and fiscal else said


def _moment(match: re.Match[str]) -> TimeMention | None:
    """2023-03-11T09:00Z."""
    said, hour = _date(match), int(match["h"]) if match["h"] else None
    if said is None:
        return None
    return said._replace(
        hour=hour,
        minute=int(match["min"]) if match["min"] else None,
        zone=offset(match["z"]) if match["z"] else None,
        why=said.why if hour is None or hour < 24 else NO_SUCH,
    )


def _slashed(match: re.Match[str]) -> TimeMention | None:
    """The number that can be no month is the day; dots are written day first everywhere."""
    first, second, year = int(match["a"]), int(match["b"]), int(match["y"])
    if match["sep"] == "." or first > 12:
        day, month = first, second
    elif second > 12 or first == second:
        day, month = second, first
    else:
        return TimeMention(level="day", year=year, numbers=(first, second), why=ORDER)
    when = TimeMention(level="day", year=year, month=month, day=day)
    return when if exists(year, month, day) else None


def _unless(lead: re.Pattern[str]) -> Reader:
    """Read a date, but not behind these words."""
    return lambda match: None if led(match, lead) else _date(match)


CHINESE: dict[str, Rule] = {
    heading: (_zh[heading], _date)
    for heading in (
        "year", "month", "months", "bare edge", "day", "shifted day", "week", "whole week",
        "quarter", "half", "decade", "vague", "festive", "from month",
    )
}  # fmt: skip
ENGLISH: dict[str, Rule] = {
    heading: (_en[heading], _date)
    for heading in (
        "edge", "period", "today", "fiscal", "festival", "month day", "day month", "hyphenated",
        "decade", "year quarter",
    )
} | {
    "weekday": (_en["weekday"], _unless(_en["recurring"])),
    "month": (_en["month"], _month),
    "quarter": (_en["quarter"], _english_quarter),
}  # fmt: skip
NUMERIC: dict[str, Rule] = {
    "full": (_digits["full"], _moment),
    "slashed": (_digits["slashed"], _slashed),
    "year month": (_digits["year month"], _date),
    "bare year": (_digits["bare year"], _unless(_digits["numbered"])),
}
