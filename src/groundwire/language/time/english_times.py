"""Times of day, zones and counted time (two weeks ago, the past month) in English text."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import cast

from groundwire.language.amounts.numerals import ENGLISH_WORDS, english_number
from groundwire.language.text.phrases import patterns
from groundwire.language.time.mentions import (
    ELSEWHERE,
    Level,
    Part,
    TimeMention,
    Unit,
    counted,
    rule,
)
from groundwire.language.time.zones import EN_ZONE

_said = patterns("english_times.txt", flags=re.IGNORECASE)
_PARTS: dict[str, Part] = {
    "morning": "morning", "afternoon": "afternoon", "evening": "evening", "night": "evening",
}  # fmt: skip
_NUMBER_WORD = "|".join(sorted(ENGLISH_WORDS, key=len, reverse=True))
_AMOUNT = (
    rf"(?P<n>\d{{1,4}}|half an?|a couple of|couple of|(?:a )?few|several|many|some|an?|(?:{_NUMBER_WORD})"
    rf"(?:[ -](?:{_NUMBER_WORD}))?)"
)
_UNIT = "(?P<u>second|minute|hour|day|week|month|quarter|year|decade)"
_ONE = "hour|day|week|month|quarter|year|decade"
# "expected to last four weeks"
_VERB = re.compile(r"\b(?:to|will|would|could|can|may|might|should|must|not|'ll) $", re.IGNORECASE)
_VAGUE_NUMBERS = frozenset(["a few", "few", "several", "many", "some"])
_LEVELS: dict[str, Level] = {
    "day": "day", "week": "week", "month": "month", "quarter": "quarter", "year": "year",
    "decade": "year",
}  # fmt: skip


@rule(
    r"(?<![\w.:,$€£¥/+-])(?:(?P<h>\d{1,2})(?::(?P<m>[0-5]\d)(?::[0-5]\d)?)?(?![\d:])|"
    r"(?P<h4>[01]\d|2[0-3])(?P<m4>[0-5]\d)(?= ?(?:gmt|utc|bst|hours)\b))"
    rf"(?: ?(?P<p>[ap])(?:\.m\.?|m)(?!\w)|(?P<o> o'clock)\b)?(?: ?(?:\((?P<z1>{EN_ZONE})\)|(?P<z>{EN_ZONE})))?",
    re.IGNORECASE | re.ASCII,
)
def clock(match: re.Match[str]) -> TimeMention | None:
    hour, half = int(match["h"] or match["h4"]), match["p"]
    minute, zone = match["m"] or match["m4"], match["z"] or match["z1"]
    if minute is None and half is None and match["o"] is None:
        return None
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half.lower() == "p" else 0)
    if hour > 24:
        return None
    before = match.string[max(0, match.start() - 7) : match.start()]
    sure = half or match["o"] or match["h4"] or zone or _said["lead"].search(before)
    return TimeMention(
        kind="time",
        hour=hour,
        minute=int(minute) if minute else None,
        zone_name=zone or "",
        weak=not sure,
    )


@rule(
    r"\b(?:(?P<this>this )?(?P<p>morning|afternoon|evening|night)\b|"
    rf"(?:(?P<noon>noon|midday)|midnight)\b(?: (?P<z>{EN_ZONE}))?)",
    re.IGNORECASE | re.ASCII,
)
def word(match: re.Match[str]) -> TimeMention:
    if not match["p"]:
        zone = match["z"] or ""
        sure = bool(match["noon"] or zone)
        return TimeMention(
            kind="time", hour=12 if match["noon"] else 0, zone_name=zone, weak=not sure
        )
    part = _PARTS[match["p"].lower()]
    if match["this"]:
        return TimeMention(level="day", days=0, part=part)
    return TimeMention(kind="time", part=part, weak=True)


def _amount(match: re.Match[str]) -> tuple[Fraction | None, Unit]:
    """Return how many of which unit; None when it is not said exactly."""
    said, unit = (match["n"] or "a").lower(), (match["u"] or match["one"]).lower()
    if said.isdigit():
        number = Fraction(int(said))
    elif said.startswith("half"):
        number = Fraction(1, 2)
    elif said.endswith("couple of"):
        number = Fraction(2)
    elif said in _VAGUE_NUMBERS:
        return None, "day"
    elif said in ("a", "an"):
        number = Fraction(1)
    else:
        words = english_number(said.replace("-", " ").split())
        if words is None:
            return None, "day"
        number = Fraction(words)
    got = match.groupdict()
    if got.get("h") or got.get("h0"):
        number += Fraction(1, 2)
    if unit == "second":
        return number / 60, "minute"
    if unit == "decade":
        return number * 10, "year"
    return number, cast("Unit", unit)


@rule(
    rf"\b(?:{_AMOUNT} (?P<h0>and a half )?{_UNIT}s?(?P<h> and a half)?|(?P<bare>minute|hour|day|week|month|year|decade)s) "
    r"(?P<way>ago|earlier|later)\b",
    re.IGNORECASE | re.ASCII,
)
def ago(match: re.Match[str]) -> TimeMention | None:
    level = _LEVELS.get((match["bare"] or match["u"]).lower(), "day")
    if match["way"].lower() != "ago":
        return None if match["bare"] else TimeMention(kind="words", level=level, why=ELSEWHERE)
    return counted(*((None, "day") if match["bare"] else _amount(match)), "ago", level)


@rule(
    rf"\b(?P<way>past|last|next|coming) (?:{_AMOUNT} {_UNIT}s?\b|(?<=the past )(?P<one>{_ONE})\b)",
    re.IGNORECASE | re.ASCII,
)
def span(match: re.Match[str]) -> TimeMention | None:
    before = match.string[max(0, match.start() - 8) : match.start()]
    if match["way"].lower() == "last" and _VERB.search(before):
        return None
    ahead = match["way"].lower() in ("next", "coming")
    return counted(*_amount(match), "future" if ahead else "past")


@rule(r"\b(?:just now|moments ago|a moment ago)\b", re.IGNORECASE | re.ASCII)
def now(match: re.Match[str]) -> TimeMention:
    return TimeMention(kind="count", amount=Fraction(0), unit="minute", toward="ago")
