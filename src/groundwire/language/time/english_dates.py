"""Dates in English text: named months, weekdays, quarters, years, and what is said of today."""

from __future__ import annotations

import re

from groundwire.language.time.calendars import exists
from groundwire.language.time.mentions import (
    ELSEWHERE,
    FESTIVAL,
    FISCAL,
    NO_SUCH,
    VAGUE,
    Rule,
    Third,
    TimeMention,
    Which,
)

MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    "sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_NUMBER = {
    name: number + 1
    for number, name in enumerate(
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    )
}
_WEEKDAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_WEEKDAY_NUMBER = {name[:3]: number for number, name in enumerate(_WEEKDAYS.split("|"))}
_YEAR = "(?:19|20)[0-9]{2}"
_ORDINAL = "(?:st|nd|rd|th)?"
# "March 10 to 13": the second number is a day, too.
_UNTIL = rf"(?: ?- ?| to | through | and (?=\d{{1,2}},? {_YEAR}))"

_DAY_MONTH = re.compile(
    rf"(?<![\w.])(?<!\d-)(?P<d>\d{{1,2}}){_ORDINAL}(?:{_UNTIL}(?P<to>\d{{1,2}}){_ORDINAL})?(?: of)? "
    rf"(?P<m>{MONTHS})\b(?:\.?,? (?P<y>{_YEAR})\b)?",
    re.IGNORECASE | re.ASCII,
)
_HYPHENATED = re.compile(
    rf"(?<![\w.-])(?P<d>\d{{1,2}})-(?P<m>{MONTHS})-(?P<y>{_YEAR})\b(?P<to>)?",
    re.IGNORECASE | re.ASCII,
)
_MONTH_DAY = re.compile(
    rf"\b(?P<m>{MONTHS})\.? (?P<d>\d{{1,2}}){_ORDINAL}(?![\d:%]|\.\d| per ?cent)"
    rf"(?:{_UNTIL}(?P<to>\d{{1,2}}){_ORDINAL}(?![\d:%]|\.\d))?(?:,? (?P<y>{_YEAR})\b)?",
    re.IGNORECASE | re.ASCII,
)
# A month by itself must be led in: "may" and "march" are words.
_MONTH = re.compile(
    rf"(?P<m>{MONTHS})\b(?:\.?,?(?: of)? (?P<y>{_YEAR})\b|(?! \d))", re.IGNORECASE | re.ASCII
)
_LEAD = re.compile(
    r"\b(?:in|by|of|since|until|till|from|through|during|for|to|and|before|after|between) $",
    re.IGNORECASE,
)
_EDGES: dict[str, Third] = {
    "early": "early", "beginning": "early", "start": "early", "mid": "mid", "middle": "mid",
    "late": "late", "end": "late",
}  # fmt: skip
_EDGE = re.compile(
    r"\b(?P<edge>early(?: in)?|late(?: in)?|mid|(?:the )?(?:beginning|start|middle|end) of(?: the)?)[ -](?:"
    rf"(?P<which>last|this|next) (?P<of>month|year)\b|(?P<m>{MONTHS})\b(?:\.?,?(?: of)? (?P<y>{_YEAR})\b|(?! \d))|"
    rf"(?P<y2>{_YEAR})(?P<s>s)?\b|'?(?P<yy>\d0)s\b)",
    re.IGNORECASE | re.ASCII,
)
_DECADE = re.compile(r"(?:(?P<y>(?:1[89]|20)\d0)|(?<=')(?P<yy>\d0))s\b", re.IGNORECASE | re.ASCII)
_WEEKDAY = re.compile(
    rf"\b(?:(?P<which>last|this past|past|this coming|coming|next|this) )?(?P<w>{_WEEKDAYS})\b(?!s\b)|"
    rf"\b(?P<short>mon|tues?|wed|thur?s?|fri|sat|sun)\.?,? (?=\d{{1,2}} (?:{MONTHS})|(?:{MONTHS})\.? \d)",
    re.IGNORECASE | re.ASCII,
)
_RECURRING = re.compile(
    r"\b(?:every|each|black|good|ash|palm|cyber|super|bloody|giving|fat) $", re.IGNORECASE
)
_PERIOD = re.compile(
    r"\b(?P<which>last|this|next) (?P<of>year|month|week(?:end)?|quarter)\b",
    re.IGNORECASE | re.ASCII,
)
_TODAY = re.compile(
    r"\b(?:(?<!usa )(?P<day>today|yesterday|tomorrow)|(?P<tight>tonight(?! show)|last night)|"
    r"(?P<two>the day before yesterday|the day after tomorrow)|"
    r"(?P<text>the (?:next|following|same|previous) (?:day|week|month|year))|"
    r"(?P<vague>recently|lately|recent (?:days|weeks|months|years)|the other day|not long ago|"
    r"the coming (?:days|weeks|months)))\b",
    re.IGNORECASE | re.ASCII,
)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_FISCAL = re.compile(
    rf"\b(?:fy ?'?(?P<y>{_YEAR}|\d\d)|(?:fiscal|financial)(?:[ -]year)? (?P<y2>{_YEAR}))(?:[-/]\d{{2,4}})?\b",
    re.IGNORECASE | re.ASCII,
)
_FISCAL_LEAD = re.compile(
    rf"\b(?:fiscal|financial)(?:[ -]year)?(?: {_YEAR}(?:'s)?)?,? $", re.IGNORECASE
)
_QUARTER = re.compile(
    rf"\b(?:q(?P<q>[1-4])(?:(?: (?:of )?|')?(?P<fy>fy ?)?(?P<y>{_YEAR})|'(?P<yy>\d\d))?\b|"
    rf"(?P<o>first|second|third|fourth)[ -]quarter\b(?: (?:of )?(?P<y2>{_YEAR})\b)?|"
    rf"h(?P<h>[12])(?:(?: (?:of )?|')?(?P<y3>{_YEAR}))?\b(?!-)|"
    rf"(?P<ho>first|second)[ -]half (?:of )?(?:(?P<y4>{_YEAR})\b|(?:the|this) (?P<now>year)\b|(?P<ago>last year)\b))",
    re.IGNORECASE | re.ASCII,
)
_YEAR_QUARTER = re.compile(
    rf"(?<![\w.])(?:(?P<y>{_YEAR}) ?-?(?P<k>[qh])(?P<n>[1-4])|(?P<n2>[1-4])(?P<k2>[qh]) ?'?(?P<y2>{_YEAR}|\d\d))\b",
    re.IGNORECASE | re.ASCII,
)
_FESTIVAL = re.compile(
    r"\b(?:(?:chinese|lunar) new year|spring festival|mid-autumn festival|dragon boat festival|"
    r"easter(?: (?:sunday|monday))?|good friday|thanksgiving(?: day)?|christmas(?: (?:day|eve))?|"
    r"new year'?s (?:day|eve)|ramadan|diwali|halloween|black friday|cyber monday|labor day|hanukkah)\b",
    re.IGNORECASE | re.ASCII,
)
_WHICH: dict[str, Which] = {
    "last": "last", "this past": "last", "past": "last", "this": "this", "next": "next",
    "this coming": "coming", "coming": "coming",
}  # fmt: skip
_STEP = {"last": -1, "this": 0, "next": 1}


def _day(match: re.Match[str]) -> TimeMention | None:
    got = match.groupdict()
    if got["m"][:1].islower() and not got["y"]:
        return None  # "may 5", "march": verbs
    said = _dated(got["m"], got["y"], got["d"])
    if not got["to"]:
        return said
    return said._replace(until=_dated(got["m"], got["y"], got["to"]))


def _dated(month: str, year: str | None, day: str | None) -> TimeMention:
    number = int(day) if day else None
    when = TimeMention(
        level="month" if number is None else "day",
        year=int(year) if year else None,
        month=_NUMBER[month[:3].lower()],
        day=number,
    )
    return when if exists(when.year, when.month, when.day) else when._replace(why=NO_SUCH)


def _month(match: re.Match[str]) -> TimeMention | None:
    if match["m"][:1].islower():
        return None
    before = match.string[max(0, match.start() - 10) : match.start()]
    led = match["y"] or _LEAD.search(before)
    said = _dated(match["m"], match["y"], None)
    if led:
        return said
    which = re.search(r"\b(last|this|next) $", before, re.IGNORECASE)
    if which is None:
        return said._replace(weak=True)
    return said._replace(which=_WHICH[which[1].lower()], start=match.start() - len(which[0]))


def _edge(match: re.Match[str]) -> TimeMention | None:
    got = match.groupdict()
    third = _EDGES[re.sub(r"\b(?:the|of|in)\b", "", got["edge"].lower()).split()[0]]
    if got["which"]:
        step = _STEP[got["which"].lower()]
        if got["of"].lower() == "year":
            return TimeMention(level="year", years=step, third=third)
        return TimeMention(level="month", months=step, third=third)
    if got["m"]:
        if got["m"][:1].islower():
            return None
        return _dated(got["m"], got["y"], None)._replace(third=third)
    if got["yy"]:
        return TimeMention(level="decade", year=_decade_of(int(got["yy"])))
    year = int(got["y2"])
    if got["s"]:
        return TimeMention(level="decade", year=year) if year % 10 == 0 else None
    return TimeMention(level="year", year=year, third=third)


def _decade(match: re.Match[str]) -> TimeMention:
    if match["y"]:
        return TimeMention(level="decade", year=int(match["y"]))
    year = _decade_of(int(match["yy"]))
    return TimeMention(level="decade", year=year, start=match.start() - 1, end=match.end())


def _decade_of(tens: int) -> int:
    return tens + (2000 if tens < 30 else 1900)


def _weekday(match: re.Match[str]) -> TimeMention | None:
    if match["short"]:
        return TimeMention(
            level="day", weekday=_WEEKDAY_NUMBER[match["short"][:3].lower()], weak=True
        )
    before = match.string[max(0, match.start() - 8) : match.start()]
    if _RECURRING.search(before):
        return None
    which = _WHICH[match["which"].lower()] if match["which"] else ""
    return TimeMention(level="day", weekday=_WEEKDAY_NUMBER[match["w"][:3].lower()], which=which)


def _period(match: re.Match[str]) -> TimeMention:
    step = _STEP[match["which"].lower()]
    of = match["of"].lower()
    if of == "year":
        return TimeMention(level="year", years=step)
    if of == "month":
        return TimeMention(level="month", months=step)
    if of == "quarter":
        return TimeMention(level="quarter", months=3 * step)
    return TimeMention(level="week" if of == "week" else "weekend", weeks=step)


_DAYS = {"today": 0, "yesterday": -1, "tomorrow": 1}


def _today(match: re.Match[str]) -> TimeMention:
    got = {name: value.lower() for name, value in match.groupdict().items() if value}
    if "vague" in got:
        return TimeMention(kind="words", level="day", why=VAGUE)
    if "text" in got:
        return TimeMention(kind="words", level="day", why=ELSEWHERE)
    if "tight" in got:
        return TimeMention(level="day", days=0 if got["tight"] == "tonight" else -1, part="evening")
    if "two" in got:
        return TimeMention(level="day", days=-2 if "before" in got["two"] else 2)
    return TimeMention(level="day", days=_DAYS[got["day"]])


def _fiscal(match: re.Match[str]) -> TimeMention:
    said = match["y"] or match["y2"]
    year = int(said) if len(said) == 4 else 2000 + int(said)
    return TimeMention(level="fiscal_year", year=year, why=FISCAL)


def _quarter(match: re.Match[str]) -> TimeMention | None:
    got = {name: value.lower() for name, value in match.groupdict().items() if value}
    years = [int(got[name]) for name in ("y", "y2", "y3", "y4") if name in got]
    year = years[0] if years else 2000 + int(got["yy"]) if "yy" in got else None
    if "q" in got or "o" in got:
        number = int(got["q"]) if "q" in got else _ORDINALS[got["o"]]
        before = match.string[max(0, match.start() - 20) : match.start()]
        why = FISCAL if "fy" in got or _FISCAL_LEAD.search(before) else ""
        return TimeMention(level="quarter", year=year, month=3 * number - 2, why=why)
    if "h" in got and match.group()[0] == "h":
        return None  # an element of a page
    number = int(got["h"]) if "h" in got else _ORDINALS[got["ho"]]
    return TimeMention(
        level="half", year=year, years=-1 if "ago" in got else None, month=6 * number - 5
    )


def _year_quarter(match: re.Match[str]) -> TimeMention | None:
    year, kind = match["y"] or match["y2"], (match["k"] or match["k2"]).lower()
    number = int(match["n"] or match["n2"])
    full = int(year) if len(year) == 4 else 2000 + int(year)
    if kind == "q":
        return TimeMention(level="quarter", year=full, month=3 * number - 2)
    return TimeMention(level="half", year=full, month=6 * number - 5) if number <= 2 else None


def _festival(match: re.Match[str]) -> TimeMention:
    return TimeMention(kind="words", level="day", why=FESTIVAL)


# For numbers: 11 March, 1990s, 2023Q1.
DIGIT_RULES: tuple[Rule, ...] = (
    (_DAY_MONTH, _day),
    (_HYPHENATED, _day),
    (_DECADE, _decade),
    (_YEAR_QUARTER, _year_quarter),
)
MONTH_RULES: tuple[Rule, ...] = ((_MONTH_DAY, _day), (_MONTH, _month))
EDGE: Rule = (_EDGE, _edge)
WEEKDAY: Rule = (_WEEKDAY, _weekday)
PERIOD: Rule = (_PERIOD, _period)
TODAY: Rule = (_TODAY, _today)
QUARTER: Rule = (_QUARTER, _quarter)
FISCAL_YEAR: Rule = (_FISCAL, _fiscal)
FESTIVE: Rule = (_FESTIVAL, _festival)
