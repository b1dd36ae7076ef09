"""Dates in Chinese text in its normal form (simplified, narrow, without blanks)."""

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
    SEASON,
    VAGUE,
    Level,
    Part,
    Rule,
    Third,
    TimeMention,
    rule,
)

_said = patterns("chinese_dates.txt")
# 1-9月; 8月5-9月3日 is something else.

_AFTER_YEAR = re.compile(_said("after year"), re.IGNORECASE)
_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "上年": -1, "今年": 0, "本年": 0, "明年": 1, "来年": 1, "后年": 2}  # fmt: skip
_TIGHT: dict[str, Part] = {"晚": "evening", "夜": "evening", "早": "early_morning", "晨": "dawn"}
_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_WEEKDAYS = {name: number for number, name in enumerate("一二三四五六日")} | {"天": 6}
_WEEKS = {"上上": -2, "上": -1, "这": 0, "本": 0, "今": 0, "当": 0, "下": 1, "下下": 2}


@rule(_said("year"))
def year(match: re.Match[str]) -> TimeMention:
    """A year and what follows it: a month, a day, a quarter, a festival."""
    said, end = _named_year(match), match.end()
    if festive := _said["festive"].match(match.string, end):
        words = _festival(festive)
        return words._replace(
            year=said.year, years=said.years, start=match.start(), end=festive.end()
        )
    after = _AFTER_YEAR.match(match.string, end)
    if after is None:
        return said
    got = after.groupdict()
    quarter = got["q"] or got["q2"] or ("1" if got["q1"] else None)
    if got["fiscal"]:
        said = said._replace(level="fiscal_year", why=FISCAL)
    elif got["first"]:
        said = _first_quarters(said, got["first"])
    elif quarter:
        said = said._replace(level="quarter", month=_first_month(quarter))
    elif got["half"]:
        said = said._replace(level="half", month=1 if got["half"] == "上" else 7)
    elif got["edge"]:
        said = said._replace(third=_third(got["edge"]))
    elif got["from"]:
        said = _with_months(said, after)
    elif got["m"]:
        said = _with_month(said._replace(month=chinese_integer(got["m"])), after)
    return said._replace(start=match.start(), end=after.end())


def _named_year(match: re.Match[str]) -> TimeMention:
    got = match.groupdict()
    if got["yt"]:
        # 当年 is as often "in those days".
        return TimeMention(
            kind="date" if got["yt"] == "同年" else "words", level="year", why=ELSEWHERE
        )
    if got["ys"]:
        return TimeMention(level="year", years=_YEARS[got["ys"]])
    if roc := got["roc"] or got["roc2"]:
        return TimeMention(level="year", year=(chinese_integer(roc) or 0) + 1911)
    if got["yy"]:
        short = int(got["yy"])
        return TimeMention(level="year", year=short + (2000 if short < 70 else 1900))
    return TimeMention(level="year", year=chinese_integer(got["y"]))


def _with_month(said: TimeMention, tail: re.Match[str]) -> TimeMention:
    third = _third(tail["third"]) if tail["third"] else None
    day = chinese_integer(tail["d"]) if tail["d"] else None
    level: Level = "month" if day is None else "day"
    # Month 0 and day 0 are as impossible as 13 and 32.
    why = said.why if exists(said.year, said.month, day) else NO_SUCH
    to = chinese_integer(tail["to"]) if tail["to"] else None
    until = None if to is None else TimeMention(level="day", day=to)
    return said._replace(level=level, day=day, third=third, why=why, until=until)


def _third(name: str) -> Third:
    return "early" if name[0] in "初上" else "mid" if name[0] == "中" else "late"


def _first_quarters(said: TimeMention, number: str) -> TimeMention:
    """前三季度: from the first to the third."""
    last = TimeMention(level="quarter", month=_first_month(number))
    return said._replace(level="quarter", month=1, until=last)


def _first_month(quarter: str) -> int:
    return 3 * (chinese_integer(quarter) or 1) - 2


@rule(_said("month"))
def month(match: re.Match[str]) -> TimeMention:
    return _with_month(TimeMention(month=chinese_integer(match["m"])), match)


@rule(_said("from month"))
def from_month(match: re.Match[str]) -> TimeMention | None:
    said = _with_months(TimeMention(), match)
    return None if said.why else said


def _with_months(said: TimeMention, match: re.Match[str]) -> TimeMention:
    """1-9月: from the one to the other."""
    first, last = chinese_integer(match["from"]), chinese_integer(match["until"])
    why = "" if exists(None, first, None) and exists(None, last, None) else NO_SUCH
    until = TimeMention(level="month", month=last)
    return said._replace(level="month", month=first, until=until, why=said.why or why)


@rule(_said("months"))
def months(match: re.Match[str]) -> TimeMention:
    """本月初, 上月11日, 月底."""
    tail = _said["month tail"].match(match.string, match.end())
    assert tail is not None  # it may be empty
    which = match["which"] or "本"
    of_text = TimeMention(kind="words", why=ELSEWHERE)
    said = of_text if which == "当" else TimeMention(months=_WEEKS[which])
    return _with_month(said, tail)._replace(start=match.start(), end=tail.end())


@rule(_said("bare edge"))
def edge(match: re.Match[str]) -> TimeMention:
    return TimeMention(level="year", third=_third(match["edge"] or match["end"]))


@rule(_said("day"))
def day_number(match: re.Match[str]) -> TimeMention | None:
    number = chinese_integer(match["d"] or match["d2"] or match["d3"])
    return TimeMention(level="day", day=number) if number and number <= 31 else None


@rule(_said("shifted day"))
def shifted_day(match: re.Match[str]) -> TimeMention:
    if match["text"]:
        return TimeMention(kind="words", level="day", why=ELSEWHERE)
    if match["day"]:
        return TimeMention(level="day", days=_DAYS[match["day"][:-1]])
    return TimeMention(level="day", days=_DAYS[match["tight"]], part=_TIGHT[match["part"]])


@rule(_said("week"))
def week(match: re.Match[str]) -> TimeMention:
    weeks = _WEEKS[match["which"]] if match["which"] else None
    if match["d"] == "末":
        return TimeMention(level="weekend", weeks=weeks)
    return TimeMention(level="day", weekday=_WEEKDAYS[match["d"]], weeks=weeks)


@rule(_said("whole week"))
def whole_week(match: re.Match[str]) -> TimeMention:
    return TimeMention(level="week", weeks=_WEEKS[match["which"]])


@rule(_said("quarter"))
def named_quarter(match: re.Match[str]) -> TimeMention:
    if match["which"]:
        return TimeMention(level="quarter", months=3 * _WEEKS[match["which"]])
    if match["first"]:
        return _first_quarters(TimeMention(), match["first"])
    sure = match.group().endswith("度") or _said["reported"].match(match.string, match.end())
    titled = match.string[max(0, match.start() - 1) : match.start()] in ("》", ">", '"', "'")
    return TimeMention(
        level="quarter",
        month=_first_month(match["q"] or match["q2"] or "1"),
        why="" if sure and not titled else SEASON,
    )


@rule("(?P<half>[上下])半年")
def half(match: re.Match[str]) -> TimeMention:
    return TimeMention(level="half", month=1 if match["half"] == "上" else 7)


@rule(_said("decade"))
def decade(match: re.Match[str]) -> TimeMention | None:
    if match["y"]:
        return TimeMention(level="decade", year=chinese_integer(match["y"]))
    tens, century = chinese_integer(match["d"]), match["c"]
    if tens is None or tens % 10:
        return None
    if century is None:
        hundred = 2000 if tens < 30 else 1900
    elif century[0] in "上本":
        hundred = 1900 if century[0] == "上" else 2000
    else:
        hundred = ((chinese_integer(century.removesuffix("世纪")) or 20) - 1) * 100
    return TimeMention(level="decade", year=hundred + tens)


def _festival(match: re.Match[str]) -> TimeMention:
    if not match["lunar"]:
        return TimeMention(kind="words", level="day", why=FESTIVAL)
    level: Level = "day" if match["ld"] or match["ld2"] or match["ld3"] else "month"
    return TimeMention(kind="words", level=level, why=LUNAR)


@rule(_said("vague"))
def vague_words(match: re.Match[str]) -> TimeMention:
    return TimeMention(kind="words", level="day", why=VAGUE)


FESTIVE: Rule = (_said["festive"], _festival)
