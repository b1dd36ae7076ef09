"""How often something is wanted, as people write it: every 6h, 每天 9点, weekdays at 9:30, a cron."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from groundwire.language.amounts.numerals import chinese_number, english_number
from groundwire.language.text.characters import simplify
from groundwire.model.schedule import QuietHours, Recurrence

_SECONDS = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400, "week": 604_800}
_UNITS = {
    "s": "second", "sec": "second", "second": "second", "秒": "second", "秒钟": "second",
    "m": "minute", "min": "minute", "minute": "minute", "分": "minute", "分钟": "minute",
    "h": "hour", "hr": "hour", "hour": "hour", "小时": "hour", "钟头": "hour", "个小时": "hour",
    "个钟头": "hour",
    "d": "day", "day": "day", "天": "day", "日": "day",
    "w": "week", "week": "week", "周": "week", "星期": "week", "个星期": "week", "礼拜": "week",
}  # fmt: skip
_DAYS = {
    name: number
    for number, names in enumerate(
        (
            "sunday sun 日 天 7",
            "monday mon 一 1",
            "tuesday tue tues 二 2",
            "wednesday wed 三 3",
            "thursday thu thur thurs 四 4",
            "friday fri 五 5",
            "saturday sat 六 6",
        )
    )
    for name in names.split()
}
_ADVERBS = {"hourly": 3_600, "weekly": 604_800}
_HALVES = {"half": Fraction(1, 2), "半": Fraction(1, 2), "other": Fraction(2), "": Fraction(1)}
_NINE = (9, 0)  # of a day that is named without its hour

_unit = "|".join(sorted(_UNITS, key=len, reverse=True))
_en_day = "|".join(
    sorted((name for name in _DAYS if name.isalpha() and name.isascii()), key=len)[::-1]
)
_EVERY = re.compile(
    rf"(?:every|each|每隔|每)?\s*(?P<amount>[\d.]+|[a-z]+|[半零一二两三四五六七八九十百]+)?\s*(?:an?\s+)?(?P<unit>{_unit})s?"
)
_TIME = re.compile(
    r"(?P<part>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)?\s*"
    r"(?P<hour>\d{1,2}|[零一二两三四五六七八九十]{1,3})"
    r"(?:\s*[:：]\s*(?P<minute>\d{2})|\s*(?:点钟|点|时)\s*(?P<rest>半|一刻|三刻|\d{1,2}分?|整)?)?"
    r"\s*(?P<half>am|pm|a\.m\.|p\.m\.)?"
)
_NAMED_TIMES = {"noon": (12, 0), "midnight": (0, 0), "中午": (12, 0), "午夜": (0, 0)}
_RESTS = {"半": 30, "一刻": 15, "三刻": 45, "整": 0}
_AFTERNOON = frozenset({"下午", "傍晚", "晚上", "pm", "p.m."})
_TO_EN, _TO_ZH = r"to|through|-|–", "到|至|-|~|—"  # between two days of a week
_EN_ON = re.compile(
    r"(?P<days>daily|every\s*day|each\s+day|(?:every\s+)?weekdays?|(?:every\s+)?weekends?"
    r"|(?:monthly|every\s+month)(?:\s+on)?(?:\s+the)?\s+\d{1,2}(?:st|nd|rd|th)?"
    rf"|(?:(?:weekly|every)\s+)?(?:on\s+)?(?:(?:{_en_day})s?\b(?:\s*(?:,|and|&|{_TO_EN})\s*)?)+)"
    r"\s*,?\s*(?:at\s+)?(?P<time>.*)"
)
_ZH_ON = re.compile(
    r"(?P<days>每天|每日|天天|每个?工作日|工作日|平日|每个?周末|周末"
    r"|(?:每个?)?(?:周|星期|礼拜)[一二三四五六日天]"
    rf"(?:\s*(?:[、,，和]|{_TO_ZH})?\s*(?:周|星期|礼拜)?[一二三四五六日天])*"
    r"|每个?月\s*(?:\d{1,2}|[一二三四五六七八九十]{1,3})\s*[号日])\s*(?P<time>.*)"
)
_CRON = re.compile(r"\S+(?: \S+){4}")
_CRON_PART = re.compile(
    r"(?:[\d*/,\-]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)+"
)
_SPAN = re.compile(r"\s*(?:-|–|—|~|to|until|到|至)\s*(?:次日|第二天|翌日|隔天)?\s*")


def recurrence(text: str) -> Recurrence | None:
    """Return how often a text says; None where it does not say that."""
    flat = " ".join(simplify(text).split()).casefold().strip(" .。")
    if _CRON.fullmatch(flat) and all(_CRON_PART.fullmatch(part) for part in flat.split()):
        return Recurrence(cron=flat)
    if flat in _ADVERBS:
        return Recurrence(seconds=_ADVERBS[flat])
    for pattern, days_of in ((_EN_ON, _english_days), (_ZH_ON, _chinese_days)):
        found = pattern.fullmatch(flat)
        if found is not None:
            return _on_days(found["days"], found["time"], days_of)
    found = _EVERY.fullmatch(flat)
    amount = None if found is None else _amount(found["amount"] or "")
    if found is None or amount is None:
        return None
    seconds = amount * _SECONDS[_UNITS[found["unit"]]]
    return Recurrence(seconds=int(seconds)) if seconds >= 1 else None


def quiet_hours(text: str) -> QuietHours | None:
    """Return the hours that a text names: 22:00-07:00, 晚上10点到早上7点; None where it names none."""
    flat = " ".join(simplify(text).split()).casefold()
    begin, *rest = _SPAN.split(flat.removeprefix("from ").removeprefix("从"))
    times = [_time(each) for each in (begin, *rest)]
    if len(times) != 2 or times[0] is None or times[1] is None or times[0] == times[1]:
        return None
    return QuietHours.model_validate(
        {
            name: f"{at[0]:02}:{at[1]:02}"
            for name, at in zip(("begin", "end"), times, strict=True)
            if at
        }
    )


def _on_days(days: str, time: str, days_of: Callable[[str], str | None]) -> Recurrence | None:
    at = _time(time) if time.strip() else _NINE
    fields = days_of(days)
    if at is None or fields is None:
        return None
    return Recurrence(cron=f"{at[1]} {at[0]} {fields}")


def _english_days(said: str) -> str | None:
    """Return day, month and weekday as a cron has them."""
    if "weekday" in said:
        return "* * 1-5"
    if "weekend" in said:
        return "* * 6,0"
    if "month" in said:
        return _day_of_month(re.search(r"\d+", said))
    return _week(re.findall(rf"\b(?:{_en_day})(?=s?\b)|{_TO_EN}", said))


def _chinese_days(said: str) -> str | None:
    if "工作日" in said or "平日" in said:
        return "* * 1-5"
    if "周末" in said:
        return "* * 6,0"
    if "月" in said:
        return _day_of_month(re.search(r"\d+|[一二三四五六七八九十]+", said))
    bare = re.sub("星期|礼拜|每[天日]|天天", "", said)
    return _week(re.findall(f"[一二三四五六日天]|{_TO_ZH}", bare))


def _week(parts: list[str]) -> str:
    """Return the days of a week that are named one by one, or from one to another."""
    days: list[int] = []
    up_to = False
    for part in parts:
        if part not in _DAYS:
            up_to = bool(days)
            continue
        last = _DAYS[part]
        days += [(days[-1] + n) % 7 for n in range(1, (last - days[-1]) % 7)] if up_to else []
        days.append(last)
        up_to = False
    return f"* * {','.join(map(str, sorted(set(days))))}" if days else "* * *"


def _day_of_month(found: re.Match[str] | None) -> str | None:
    number = None if found is None else _amount(found[0])
    return None if number is None or not 1 <= number <= 31 else f"{int(number)} * *"


def _time(said: str) -> tuple[int, int] | None:
    """Return hour and minute of a time of day."""
    text = said.strip().removeprefix("at ")
    if text in _NAMED_TIMES:
        return _NAMED_TIMES[text]
    found = _TIME.fullmatch(text)
    hour = None if found is None else _amount(found["hour"])
    if found is None or hour is None:
        return None
    part, rest = found["part"] or found["half"] or "", found["rest"] or ""
    minute = int(found["minute"] or _RESTS.get(rest, rest.removesuffix("分") or 0))
    if hour < 12 and (part in _AFTERNOON or (part == "中午" and hour < 11)):
        hour += 12
    elif hour == 12 and part in ("am", "a.m.", "凌晨"):
        hour = Fraction(0)
    return (int(hour) % 24, minute) if hour <= 24 and minute < 60 else None


def _amount(said: str) -> Fraction | None:
    if said in _HALVES:
        return _HALVES[said]
    try:
        return Fraction(said)
    except ValueError:
        number = english_number([said]) if said.isascii() else chinese_number(said)
        return None if number is None else Fraction(number)
