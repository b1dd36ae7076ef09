"""The figures, dates and counts of a claim compared with those of a passage: the same, near, another or none.

One comparison for every caller. Values agree at the coarser precision of the two; a bound agrees with what it allows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from groundwire.evidence.reading.analysis import Sentence
from groundwire.language.amounts.counts import same_count
from groundwire.language.amounts.numbers import Figure, counts_time, same_figure
from groundwire.language.time.dates import DateMention, agrees

Outcome: TypeAlias = Literal["same", "near", "other", "none"]
_CLOSE = Decimal("0.012")  # of a value: two ways to round it
_SAME_KIND = 40  # times: numbers that are farther apart count different things
# Before a number in words; figures know their own.
_BOUND = re.compile(
    r"(?:at least|more than|over|up to|about|around|nearly|almost|some|至少|超过|逾|约|近|多达|不少于) ?\Z",
    re.IGNORECASE,
)
_MONEY = frozenset(
    [
        "USD",
        "CNY",
        "EUR",
        "GBP",
        "JPY",
        "HKD",
        "TWD",
        "KRW",
        "INR",
        "SGD",
        "AUD",
        "CAD",
        "CHF",
        "BRL",
        "¥",
    ]
)


@dataclass(frozen=True, slots=True)
class Compared:
    """A figure, date or count of the claim, and where the passage has the same or another one."""

    kind: Literal["figure", "date", "count"]
    outcome: Outcome
    start: int  # in the claim
    end: int
    place: tuple[int, int, int] | None = (
        None  # sentence, start and end of what stands there instead
    )
    bound: bool = False  # the passage gives a bound or an estimate
    time: bool = False  # the claim's figure is an age or a length of time


def compare(claim: Sentence, passage: Sequence[tuple[int, Sentence]]) -> list[Compared]:
    """Compare each value of the claim with its counterpart; sentences given first take precedence."""
    found = [_figure(figure, claim, passage) for figure in claim.figures]
    found.extend(_date(day, passage) for day in claim.dates)
    found.extend(
        _count(claim, at, passage)
        for at in range(len(claim.counts))
        if claim.counts[at].kind != "slashed"
    )
    return found


def agree(a: Figure, b: Figure) -> Outcome:
    """Compare two figures: the same, near (rounded, or within a bound), another, or none if not comparable."""
    if a.unit != b.unit and not same_figure(a, b):
        if a.unit and b.unit:
            return "none"
        # "57" and "57 %": a number without a unit counts things, and is another figure of nothing.
        return "none" if {a.unit, b.unit} & ({"%", "pp", "bp", "x"} | _MONEY) else _by_value(a, b)
    return _by_value(a, b)


def _by_value(a: Figure, b: Figure) -> Outcome:
    if a.value == b.value:
        return "same" if {a.qualifier, b.qualifier} != {"over", "under"} else "near"
    high = max(abs(a.value), abs(b.value))
    apart = abs(a.value - b.value)
    if apart <= high * _CLOSE or apart <= _grain(a) or apart <= _grain(b):
        return "near"
    for one, other in ((a, b), (b, a)):
        if (
            one.qualifier == "over" and other.value > one.value and other.value < one.value * 2
        ) or (one.qualifier == "under" and other.value < one.value and other.value > one.value / 2):
            return "near"
        if one.qualifier == "about" and apart <= high / 10:
            return "near"
    return "other"


def _grain(figure: Figure) -> Decimal:
    """Return half a unit of the last digit written, 0 for a single digit: 3.3 billion is 3.25 to 3.35."""
    exponent = figure.value.normalize().as_tuple().exponent
    if not isinstance(exponent, int) or len(figure.value.normalize().as_tuple().digits) < 2:
        return Decimal(0)
    return Decimal(10) ** exponent / 2


def _figure(claimed: Figure, claim: Sentence, passage: Sequence[tuple[int, Sentence]]) -> Compared:
    """Compare one figure; a length of time and what is counted otherwise differ in nothing."""
    time = counts_time(claimed, claim.text)
    rival: Compared | None = None
    near: Compared | None = None
    for number, sentence in passage:
        for other in sentence.figures:
            outcome = agree(claimed, other)
            if outcome == "other" and time != counts_time(other, sentence.text):
                continue
            place = (number, other.start, other.end)
            bound = other.qualifier != "" and other.qualifier != claimed.qualifier
            if outcome == "same":
                return Compared("figure", "same", claimed.start, claimed.end, place, bound)
            if outcome == "near" and near is None:
                near = Compared("figure", "near", claimed.start, claimed.end, place, bound)
            if outcome == "other" and rival is None and _one_scale(claimed.value, other.value):
                rival = Compared("figure", "other", claimed.start, claimed.end, place, bound)
        for count in sentence.counts if not (claimed.unit or time) else ():
            place = (number, count.start, count.end)
            if count.kind == "number" and count.value == claimed.value:
                return Compared("figure", "same", claimed.start, claimed.end, place)
            if count.kind == "number" and rival is None and _one_scale(claimed.value, count.value):
                bound = (
                    _BOUND.search(sentence.low, max(0, count.start - 14), count.start) is not None
                )
                rival = Compared("figure", "other", claimed.start, claimed.end, place, bound)
    return near or rival or Compared("figure", "none", claimed.start, claimed.end, time=time)


def _one_scale(a: Decimal, b: Decimal) -> bool:
    low, high = sorted((abs(a), abs(b)))
    return low > 0 and high / low <= _SAME_KIND


def _date(claimed: DateMention, passage: Sequence[tuple[int, Sentence]]) -> Compared:
    rival: Compared | None = None
    for number, sentence in passage:
        for other in sentence.dates:
            place = (number, other.start, other.end)
            if agrees(claimed, other):
                return Compared("date", "same", claimed.start, claimed.end, place)
            if rival is None and _comparable(claimed, other):
                rival = Compared("date", "other", claimed.start, claimed.end, place)
    return rival or Compared("date", "none", claimed.start, claimed.end)


def _comparable(a: DateMention, b: DateMention) -> bool:
    if (a.weekday is None) != (b.weekday is None) and (a.date is None or b.date is None):
        return False
    return bool(
        (a.year and b.year and a.year != b.year)
        or (a.month and b.month and a.month != b.month)
        or (a.day and b.day and a.day != b.day)
        or (a.weekday is not None and b.weekday is not None)
    )


def _count(claim: Sentence, at: int, passage: Sequence[tuple[int, Sentence]]) -> Compared:
    claimed = claim.counts[at]
    rival: Compared | None = None
    for number, sentence in passage:
        for other in sentence.counts:
            place = (number, other.start, other.end)
            if same_count(claimed, other):
                return Compared("count", "same", claimed.start, claimed.end, place)
            if rival is None and other.kind == claimed.kind:
                rival = Compared("count", "other", claimed.start, claimed.end, place)
        for figure in sentence.figures if claimed.kind == "number" else ():
            place = (number, figure.start, figure.end)
            if figure.unit in ("", "x") and figure.value == claimed.value:
                return Compared("count", "same", claimed.start, claimed.end, place)
            if rival is None and figure.unit == "" and _one_scale(claimed.value, figure.value):
                rival = Compared("count", "other", claimed.start, claimed.end, place)
    return rival or Compared("count", "none", claimed.start, claimed.end)
