"""Dates in Chinese, in English and in numbers alone, read from the named groups of patterns.

Both languages name their groups alike (`y` a year, `which` and `of` a period, `third` a part of
one), so that one reader serves them; the few rules that look around a match stand at the end.
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
    lead_before,
)
from groundwire.language.time.zones import offset

_zh = patterns("chinese_dates.txt")
_en = patterns("english_dates.txt", flags=re.ASCII | re.IGNORECASE)
_digits = patterns("numeric_dates.txt", flags=re.ASCII | re.IGNORECASE)

# Expressions that no calendar holds, by the group that finds them.
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
    # a first and a last week lie in these thirds
    "第": "early", "first": "early", "最后": "late", "last": "late", "final": "late",
}  # fmt: skip
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "首": 1, "上": 1, "下": 2}


def _date(match: re.Match[str]) -> TimeMention | None:
    """Read the groups of a match; None when their numbers make no date."""
    fields = groups(match)
    mention = _shifted(fields) if "of" in fields else _year(fields)
    for group, why in _WORDS.items():
        if group in fields:
            level: Level = "month" if group == "lunar" and "ld" not in fields else "day"
            return mention._replace(kind="words", level=level, why=why)
    if "decade" in fields or "tens" in fields:
        return _decade(fields, match.start())
    if "w" in fields:
        return _weekday(fields)
    if "day" in fields:
        part = _PARTS.get(fields.get("part", ""))
        return TimeMention(level="day", days=_DAYS[fields["day"].rstrip("天日")], part=part)
    if "first" in fields:  # 前三季度
        last = TimeMention(level="quarter", month=3 * _number(fields["first"]) - 2)
        return mention._replace(level="quarter", month=1, until=last)
    if "q" in fields:
        why = FISCAL if "fiscal" in fields else SEASON if "season" in fields else mention.why
        return mention._replace(level="quarter", month=3 * _number(fields["q"]) - 2, why=why)
    if "half" in fields:
        return mention._replace(level="half", month=6 * _number(fields["half"]) - 5)
    if "fiscal" in fields:
        return mention._replace(level="fiscal_year", why=FISCAL)
    if "from" in fields:
        span = _months(mention, fields)
        return span if mention.level is not None or not span.why else None
    if "m" in fields or "d" in fields:
        if "m" in fields and "y" not in fields and match["m"].islower():
            return None  # "may 5", "march": verbs
        day = _day(mention, fields)
        if day.why == NO_SUCH and "m" not in fields and "of" not in fields:
            return None
        mention = day
    if "third" in fields:
        mention = mention._replace(level=mention.level or "year", third=_THIRDS[fields["third"]])
    return mention


def _number(text: str) -> int:
    return _ORDINALS.get(text) or chinese_integer(text) or 1


def _year(fields: dict[str, str]) -> TimeMention:
    if "yt" in fields:
        # 当年 is as often "in those days".
        kind = "date" if fields["yt"] == "同年" else "words"
        return TimeMention(kind=kind, level="year", why=ELSEWHERE)
    if "ys" in fields:
        return TimeMention(level="year", years=_YEARS[fields["ys"]])
    if "roc" in fields:
        return TimeMention(level="year", year=(chinese_integer(fields["roc"]) or 0) + 1911)
    if "y" not in fields:
        return TimeMention()
    year = chinese_integer(fields["y"])
    if year is not None and len(fields["y"]) == 2:
        year += 2000 if year < 70 else 1900
    return TimeMention(level="year", year=year)


def _shifted(fields: dict[str, str]) -> TimeMention:
    """Read a period counted from the reader's own: 上月, last week."""
    level, which = _PERIODS[fields["of"]], fields.get("which", "本")
    if which == "当":
        return TimeMention(kind="words", level=level, why=ELSEWHERE)
    step = _STEPS[which]
    if level in ("month", "quarter"):
        return TimeMention(level=level, months=step * (3 if level == "quarter" else 1))
    if level == "year":
        return TimeMention(level=level, years=step)
    return TimeMention(level=level, weeks=step)


def _day(mention: TimeMention, fields: dict[str, str]) -> TimeMention:
    """Read a month, a day of it, or several: March 10-15."""
    day = chinese_integer(fields["d"]) if "d" in fields else None
    if "m" in fields:
        named = fields["m"][:3]
        month = _MONTHS.index(named) + 1 if named in _MONTHS else chinese_integer(named)
        mention = mention._replace(month=month)
    # Month 0 and day 0 are as impossible as 13 and 32.
    why = mention.why if exists(mention.year, mention.month, day) else NO_SUCH
    mention = mention._replace(level="month" if day is None else "day", day=day, why=why)
    last = chinese_integer(fields["to"]) if "to" in fields else None
    return mention if last is None else mention._replace(until=mention._replace(day=last))


def _months(mention: TimeMention, fields: dict[str, str]) -> TimeMention:
    """Read a range of months: 1-9月."""
    first, last = chinese_integer(fields["from"]), chinese_integer(fields["until"])
    why = "" if exists(None, first, None) and exists(None, last, None) else NO_SUCH
    until = TimeMention(level="month", month=last)
    return mention._replace(level="month", month=first, until=until, why=mention.why or why)


def _weekday(fields: dict[str, str]) -> TimeMention:
    weeks = _STEPS[fields["weeks"]] if "weeks" in fields else None
    if fields["w"] == "末":
        return TimeMention(level="weekend", weeks=weeks)
    return TimeMention(
        level="day",
        weekday=_WEEKDAYS[fields["w"][:3]],
        weeks=weeks,
        which=_WHICH.get(fields.get("which", ""), ""),
        weak="short" in fields,
    )


def _decade(fields: dict[str, str], start: int) -> TimeMention | None:
    if "decade" in fields:
        return TimeMention(level="decade", year=chinese_integer(fields["decade"]))
    tens, century = chinese_integer(fields["tens"]), fields.get("century", "")
    if tens is None:
        return None
    if not century:
        hundred = 2000 if tens < 30 else 1900
    elif century[0] in "上本":
        hundred = 1900 if century[0] == "上" else 2000
    else:
        hundred = ((chinese_integer(century.removesuffix("世纪")) or 20) - 1) * 100
    return TimeMention(
        level="decade", year=hundred + tens, start=start - 1 if "quote" in fields else -1
    )


def _month(match: re.Match[str]) -> TimeMention | None:
    """Read a month by itself, which needs a lead: "may" and "march" are words."""
    mention = _date(match)
    if mention is None or mention.year is not None or lead_before(match, _en["lead"]):
        return mention
    which = lead_before(match, _en["which"])
    if which is None:
        return mention._replace(weak=True)
    return mention._replace(which=_WHICH[which[1].lower()], start=which.start())


def _english_quarter(match: re.Match[str]) -> TimeMention | None:
    mention = _date(match)
    if mention and mention.level == "quarter" and lead_before(match, _en["fiscal lead"]):
        return mention._replace(why=FISCAL)
    return mention


def _moment(match: re.Match[str]) -> TimeMention | None:
    """Read a date with a time: 2023-03-11T09:00Z."""
    mention, hour = _date(match), int(match["h"]) if match["h"] else None
    if mention is None:
        return None
    return mention._replace(
        hour=hour,
        minute=int(match["min"]) if match["min"] else None,
        zone=offset(match["z"]) if match["z"] else None,
        why=mention.why if hour is None or hour < 24 else NO_SUCH,
    )


def _slashed(match: re.Match[str]) -> TimeMention | None:
    """Take the number that can be no month as the day; dots are written day first everywhere."""
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
    """Read a date, but not after these words."""
    return lambda match: None if lead_before(match, lead) else _date(match)


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
