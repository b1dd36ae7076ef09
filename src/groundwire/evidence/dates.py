"""Dates that a text names, Chinese and English, with their precision; own rules, no guessing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal

from groundwire.evidence.characters import normalise
from groundwire.evidence.numerals import chinese_integer

Precision = Literal["day", "month", "quarter", "year"]
_RANK: dict[Precision, int] = {"day": 0, "month": 1, "quarter": 2, "year": 3}
# A day named without a year lies in the past of its text, or at most this far ahead of it.
_AHEAD = timedelta(days=45)

_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    "sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_MONTH_NUMBER = {
    name: number + 1
    for number, name in enumerate(
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    )
}
_WEEKDAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_WEEKDAY_NUMBER = {name[:3]: number for number, name in enumerate(_WEEKDAYS.split("|"))} | {
    name: number for number, name in enumerate("一二三四五六日")
}
_WEEKDAY_NUMBER["天"] = 6
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "一": 1, "二": 2, "三": 3, "四": 4}
_ZH = "[〇零一二三四五六七八九十]"
_YEAR = "(?:19|20)[0-9]{2}"
# Nouns that make a bare four-digit number a count.
_COUNTED = (
    "people|persons|employees|workers|staff|users|customers|units|jobs|shares|banks|companies|"
    "firms|deaths|cases|homes|cars|vehicles|gpus?|chips|points|miles|kilometers|km|tons|tonnes|"
    "dollars|euros|pounds|yuan|btc|eth|investors|branches|stores|patients|soldiers|troops"
)
_MEASURES = "亿万千百多余元美欧英港日人名家个次台部条件种枚只股吨倍点米公"

_ZH_DATE = (
    f"(?P<zy>{_YEAR}|[一二][〇零一二三四五六七八九]{{3}}|今年|去年|前年|明年|同年)年?"
    f"(?:(?P<zq>第?[一二三四1-4]季度?)|(?P<zm>[0-9]{{1,2}}|{_ZH}{{1,2}})月(?:份|(?P<zd>[0-9]{{1,2}}|{_ZH}{{1,3}})[日号])?)?"
)
_PATTERN = re.compile(
    "|".join(
        [
            rf"(?<![\d./-])(?P<iy>{_YEAR})(?P<sep>[-/.])(?P<im>\d{{1,2}})(?P=sep)(?P<id>\d{{1,2}})(?![\d/-]|\.\d)",
            rf"(?<![\d./-])(?P<ny>{_YEAR})-(?P<nm>0[1-9]|1[0-2])(?![\d-])",
            rf"(?<!\d,)(?<![\d.$€£¥])(?!{_YEAR}(?!年)){_ZH_DATE}",
            rf"(?<![\d.])(?P<mm>\d{{1,2}}|(?<!{_ZH}){_ZH}{{1,2}})月(?:(?P<md>\d{{1,2}}|{_ZH}{{1,3}})[日号]|份|(?=[,。;、至到-]|底|初|中旬|$))",
            r"(?<![\d.月/-])(?P<od>\d{1,2})日(?![元本均内间后前益])",
            rf"(?<![\w.])(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m1>{_MONTHS})\b(?:\.?,? (?P<y1>{_YEAR})\b)?",
            rf"\b(?P<m2>{_MONTHS})\.? (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:%]|\.\d| per ?cent)(?: ?- ?\d{{1,2}}\b(?!%))?(?:,? (?P<y2>{_YEAR})\b)?",
            rf"\b(?P<m3>{_MONTHS})\.?,?(?: of)? (?P<y3>{_YEAR})\b",
            rf"(?<=\b(?:in|by|of) )(?P<m4>{_MONTHS})\b(?! \d)",
            rf"(?:(?<=since )|(?<=until )|(?<=early )|(?<=late )|(?<=mid-)|(?<=last ))(?P<m5>{_MONTHS})\b(?! \d)",
            rf"\bq(?P<q1>[1-4])(?: (?:of )?|')?(?P<qy1>{_YEAR})?\b",
            rf"\b(?P<q2>first|second|third|fourth)[ -]quarter(?: (?:of )?(?P<qy2>{_YEAR})\b)?",
            r"(?P<q3>第[一二三四1-4]季度?|(?<![0-9])[一二三四]季度)",
            rf"(?:(?P<lastw>last|上(?:个)?)|(?P<nextw>next|下(?:个)?))? ?(?:\b(?P<w1>{_WEEKDAYS})\b|(?:周|星期|礼拜)(?P<w2>[一二三四五六日天])(?!刊))",
            r"\b(?P<rel>today|yesterday|tomorrow|(?:this|last|next) (?:year|month))\b|(?P<zrel>今[天日晚早]|昨[天日晚]|前天|明[天日]|今年|去年|前年|明年|本月|上个?月|本年)",
            rf"(?<![\w.$€£¥/+])(?<!\d,)(?<![a-z]\d-)(?:fy ?)?(?P<y4>{_YEAR})(?P<y4s>s)?(?![\w%/+{_MEASURES}]|[.,]\d"
            rf"| (?:{_COUNTED}|hundred|thousand|million|billion|trillion|bn|percent|basis|per)\b)",
        ]
    ),
    # ASCII: a word border lies between a Latin letter and a Chinese character.
    re.IGNORECASE | re.ASCII,
)
# Times of day are no dates, and their digits are no figures either.
_CLOCK = re.compile(
    r"(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?!\d)(?: ?[ap]\.?m\b\.?)?|\b\d{1,2} ?[ap]\.?m\b\.?|"
    r"(?:上午|下午|晚上?|凌晨|早上|中午|日)\d{1,2}[时点](?:\d{1,2}分)?|(?<!\d)\d{1,2}[时点]\d{1,2}分",
    re.IGNORECASE,
)
_START = re.compile(r"[0-9]+|[A-Za-z]+|[〇零一二三四五六七八九十今昨明前去同本上下周星礼第]")
_HEADS = frozenset({*_MONTH_NUMBER, *(day[:3] for day in _WEEKDAYS.split("|"))}) | frozenset(
    ["tod", "yes", "tom", "thi", "las", "nex", "q", "fy", "fir", "sec", "fou"]
)
_DECADE = re.compile(rf"(?<!\d)(?:{_YEAR}|\d0)(?:s\b|年代)")
_TIME_START = re.compile("[0-9上下晚凌早中日]")


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date in a text; `date` is the first day it can mean, None when its year is not known."""

    start: int
    end: int
    text: str
    date: date | None
    precision: Precision
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None  # Monday is 0; set for weekday names only


def date_mentions(text: str, reference: date | None = None) -> list[DateMention]:
    """Every date in the text, in order; days without a year are read near the reference."""
    normal = normalise(text)
    found: list[DateMention] = []
    for match in _found(normal.text):
        read = _read(match, reference)
        if read is not None:
            start, end = normal.original(*_trimmed(match))
            found.append(_mention(read, start, end, text[start:end], reference))
    return found


def date_spans(flat: str) -> list[tuple[int, int]]:
    """Spans of dates, decades and times of day in text that is already in its normal form."""
    return list(_spans(flat))


# Figures, names and dates of one text are asked for one after the other.
@lru_cache(maxsize=32)
def _spans(flat: str) -> tuple[tuple[int, int], ...]:
    spans = [_trimmed(match) for match in _found(flat) if _read(match, None) is not None]
    spans.extend(_times(flat))
    return tuple(sorted(spans))


def _times(flat: str) -> Iterator[tuple[int, int]]:
    """Times of day and decades; both patterns are only tried where they can begin."""
    done = {_CLOCK: 0, _DECADE: 0}
    for start in _TIME_START.finditer(flat):
        at = start.start()
        for pattern in (_CLOCK, _DECADE):
            match = pattern.match(flat, at) if at >= done[pattern] else None
            if match is not None:
                yield match.span()
                done[pattern] = match.end()


@lru_cache(maxsize=32)
def _found(flat: str) -> tuple[re.Match[str], ...]:
    return tuple(_matches(flat))


def agrees(a: DateMention, b: DateMention) -> bool:
    """Whether two mentions can mean the same date, at the coarser of their precisions."""
    if a.weekday is not None and b.weekday is not None and (a.date is None or b.date is None):
        return a.weekday == b.weekday
    for one, other in ((a, b), (b, a)):
        if one.weekday is not None and one.date is None:
            return (
                other.date is not None
                and other.precision == "day"
                and (other.date.weekday() == one.weekday)
            )
    coarse = max(_RANK[a.precision], _RANK[b.precision])
    pairs = [(a.year, b.year)]
    if coarse == _RANK["quarter"]:
        pairs.append((_quarter(a.month), _quarter(b.month)))
    elif coarse < _RANK["quarter"]:
        pairs.append((a.month, b.month))
        if coarse == _RANK["day"]:
            pairs.append((a.day, b.day))
    known = [(x, y) for x, y in pairs if x is not None and y is not None]
    return bool(known) and all(x == y for x, y in known)


def is_finer(a: DateMention, b: DateMention) -> bool:
    """Whether `a` names its date more exactly than `b`."""
    return _RANK[a.precision] < _RANK[b.precision]


def _quarter(month: int | None) -> int | None:
    return None if month is None else (month - 1) // 3


def _matches(flat: str) -> Iterator[re.Match[str]]:
    """Matches in order; the pattern is only tried where a date can begin."""
    done = 0
    for start in _START.finditer(flat):
        head = start.group()
        if start.start() < done or (
            head[0].isalpha() and head.isascii() and head[:3].lower() not in _HEADS
        ):
            continue
        match = _PATTERN.match(flat, start.start())
        if match is not None:
            yield match
            done = match.end()


def _trimmed(match: re.Match[str]) -> tuple[int, int]:
    blank = len(match.group()) - len(match.group().lstrip())
    return match.start() + blank, match.end()


@dataclass(frozen=True, slots=True)
class _Read:
    precision: Precision
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    before: bool = False  # "last Friday": strictly before the reference
    ahead: bool = False  # "next Friday": not resolved
    shift: int | None = None  # days from the reference


def _read(match: re.Match[str], reference: date | None) -> _Read | None:
    """What a match says; None when its numbers are no date."""
    got = {key: value.lower() for key, value in match.groupdict().items() if value}
    if any(match.group(f"m{index}")[:1].islower() for index in "12345" if f"m{index}" in got):
        return None  # "may 5", "march": verbs
    read = _explicit(got, reference) or _relative(got, reference)
    if read is None or (read.month is not None and not 1 <= read.month <= 12):
        return None
    if read.day is not None and read.month is not None:
        try:
            date(read.year or 2000, read.month, read.day)
        except ValueError:
            return None
    elif read.day is not None and not 1 <= read.day <= 31:
        return None
    return read


def _explicit(got: dict[str, str], reference: date | None) -> _Read | None:
    if "iy" in got:
        return _Read("day", int(got["iy"]), int(got["im"]), int(got["id"]))
    if "ny" in got:
        return _Read("month", int(got["ny"]), int(got["nm"]))
    if "zy" in got:
        year = _zh_year(got["zy"], reference)
        if "zq" in got:
            return _Read("quarter", year, _first_month(got["zq"]))
        month, day = chinese_integer(got.get("zm", "")), chinese_integer(got.get("zd", ""))
        return _Read("day" if day else "month" if month else "year", year, month, day)
    if "mm" in got:
        day = chinese_integer(got.get("md", ""))
        return _Read("day" if day else "month", None, chinese_integer(got["mm"]), day)
    if "od" in got:
        return _Read("day", None, None, int(got["od"]))
    for index in "12345":
        if f"m{index}" in got:
            year, day = got.get(f"y{index}"), got.get(f"d{index}")
            return _Read(
                "day" if day else "month",
                int(year) if year else None,
                _MONTH_NUMBER[got[f"m{index}"][:3]],
                int(day) if day else None,
            )
    for index in "123":
        if f"q{index}" in got:
            year = got.get(f"qy{index}")
            return _Read("quarter", int(year) if year else None, _first_month(got[f"q{index}"]))
    return _Read("year", int(got["y4"])) if "y4" in got and "y4s" not in got else None


def _first_month(quarter: str) -> int:
    name = quarter.strip("第季度")
    return 3 * (_QUARTERS.get(name) or int(name)) - 2


_YEAR_SHIFT = {"今年": 0, "本年": 0, "去年": -1, "前年": -2, "明年": 1}


def _zh_year(name: str, reference: date | None) -> int | None:
    if name in _YEAR_SHIFT:
        return reference.year + _YEAR_SHIFT[name] if reference else None
    return None if name == "同年" else chinese_integer(name)


_DAY_SHIFT = {"today": 0, "yesterday": -1, "tomorrow": 1, "今": 0, "昨": -1, "前天": -2, "明": 1}


def _relative(got: dict[str, str], reference: date | None) -> _Read | None:
    name = got.get("w1", "")[:3] or got.get("w2", "")
    if name:
        return _Read(
            "day", weekday=_WEEKDAY_NUMBER[name], before="lastw" in got, ahead="nextw" in got
        )
    word = got.get("rel") or got.get("zrel") or ""
    if word in _YEAR_SHIFT or word.endswith("year"):
        step = _YEAR_SHIFT.get(word, {"this": 0, "last": -1, "next": 1}.get(word[:4], 0))
        return _Read("year", reference.year + step) if reference else _Read("year")
    if word.endswith(("month", "月")):
        step = -1 if word.startswith(("last", "上")) else 1 if word.startswith("next") else 0
        if reference is None:
            return _Read("month")
        months = reference.year * 12 + reference.month - 1 + step
        return _Read("month", months // 12, months % 12 + 1)
    shift = _DAY_SHIFT.get(word, _DAY_SHIFT.get(word[:1]))
    return None if shift is None else _Read("day", shift=shift)


def _mention(read: _Read, start: int, end: int, text: str, reference: date | None) -> DateMention:
    when = _resolve(read, reference)
    if when is None:
        return DateMention(
            start, end, text, None, read.precision, read.year, read.month, read.day, read.weekday
        )
    month = when.month if read.precision != "year" else None
    day = when.day if read.precision == "day" else None
    return DateMention(start, end, text, when, read.precision, when.year, month, day, read.weekday)


def _resolve(read: _Read, reference: date | None) -> date | None:
    if read.year is not None:
        return date(read.year, read.month or 1, read.day or 1)
    if reference is None or read.ahead:
        return None
    if read.shift is not None:
        return reference + timedelta(days=read.shift)
    if read.weekday is not None:
        back = (reference.weekday() - read.weekday) % 7
        return reference - timedelta(days=back or (7 if read.before else 0))
    if read.month is not None:
        return _near(read.month, read.day or 1, reference)
    if read.day is not None:
        return _day_of_month(read.day, reference)
    return None


def _near(month: int, day: int, reference: date) -> date | None:
    """The latest such day that is not far ahead of the reference; 29 February may need a leap year."""
    years = range(reference.year - 8, reference.year + 2)
    return _latest([(year, month) for year in years], day, reference + _AHEAD)


def _day_of_month(day: int, reference: date) -> date | None:
    months = reference.year * 12 + reference.month - 1
    near = [(index // 12, index % 12 + 1) for index in (months - 2, months - 1, months)]
    return _latest(near, day, reference + timedelta(days=7))


def _latest(months: Sequence[tuple[int, int]], day: int, limit: date) -> date | None:
    found: list[date] = []
    for year, month in months:
        try:
            found.append(date(year, month, day))
        except ValueError:
            continue  # not every month has a 31st
    return max((when for when in found if when <= limit), default=None)
