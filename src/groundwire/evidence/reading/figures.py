"""Whether a figure or a count of a sentence is the one that a quote states, and as exactly."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Literal, TypeAlias

from groundwire.evidence.citations.quotes import QuotedText
from groundwire.evidence.reading.meaning import amounts_in
from groundwire.language.amounts.counts import Count, counts, same_count
from groundwire.language.amounts.numbers import Figure, same_figure
from groundwire.language.time.dates import date_mentions

Fit: TypeAlias = Literal["absent", "bound", "loose", "fits"]
_ORDER: tuple[Fit, ...] = ("absent", "bound", "loose", "fits")

_RATES = frozenset({"%", "pp", "bp", "x"})
_MONEY = frozenset({"USD", "CNY", "EUR", "GBP", "JPY", "HKD", "TWD", "KRW", "INR", "SGD", "¥"})
_COUNTED = re.compile(r" ?[人名家个位项次起宗]|-? ?(?!dollars|cents|euros|times)[a-z]{3,}s\b")
_MINUS = re.compile(r"(?:(?<![\w)%])-|负|minus )(?:[$€£¥]|US\$)? ?\Z", re.IGNORECASE)
_DOWN = re.compile(
    r"\b(?:fell|fall|fallen|falls|drop\w*|declin\w*|decreas\w*|lost|lose|down|loss|losses|negative|plung\w*|slump\w*|"
    r"shrank|shrunk|contract\w*|cut|below)\b|跌|降|减|亏|负|缩",
    re.IGNORECASE,
)
_LEVEL = re.compile(
    r"(?:\b(?:to|at|reach(?:ed)?|hit|was|is|stood at)|至|到|为|达|至约|达到) ?(?:about |around |nearly |roughly |约|近)?\Z",
    re.IGNORECASE,
)
_CHANGE = re.compile(r"(?:\bby|了) ?(?:about |around |nearly |roughly |约|近)?\Z", re.IGNORECASE)
_MOVED = re.compile(
    r"(?:\b(?:fell|rose|fall|rise|dropped|gained|lost|climbed|jumped|declined|grew|increased|decreased|slid|plunged|surged|up|down)"
    r"|上涨|下跌|增长|下降|上升|下滑|增加|减少|跌|涨) ?(?:about |around |nearly |roughly |约|近)?\Z",
    re.IGNORECASE,
)
_PARTICLE = re.compile(r"\b(?:hand|turn|t[ao]o?k|carr|roll|sign|mull)\w* over \Z", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween [^,;]{0,24}\Z|介于[^,;]{0,16}\Z", re.IGNORECASE)
_RANGE_BEFORE = re.compile(r"[\d%万亿元] ?(?:-|~|至|到|to) ?[$€£¥]?\Z")
_OVER = re.compile(
    r"more than|over|above|at least|exceed|upwards of|超过|逾|超|至少|不少于|高于|突破|多|余|以上"
)
_UNDER = re.compile(
    r"less than|under|below|at most|up to|fewer than|不到|不足|低于|最多|至多|少于|以下|以内"
)
_NEAR = re.compile(
    r"about|around|approximately|roughly|nearly|almost|some|close to|约|近|左右|上下|几乎|差不多"
)


def figure_fit(
    figure: Figure, flat: str, places: Sequence[QuotedText]
) -> tuple[Fit, list[QuotedText]]:
    """How well the quotes state a figure of the sentence, and which of them do so best."""
    fits: list[tuple[Fit, QuotedText]] = [
        (_best(_fits(figure, flat, place)), place) for place in places
    ]
    best = _best([fit for fit, _ in fits])
    return best, [place for fit, place in fits if fit == best]


def _best(fits: Sequence[Fit]) -> Fit:
    return _ORDER[max((_ORDER.index(fit) for fit in fits), default=0)]


def _fits(figure: Figure, flat: str, place: QuotedText) -> list[Fit]:
    found: list[Fit] = ["absent"]
    for other in amounts_in(place.whole):
        if place.holds(other.start, other.end) and _same(figure, flat, other):
            found.append(_exactness(figure, flat, other, place.whole))
    if not figure.unit and figure.value == int(figure.value):
        for count in counts(place.whole):
            if (
                count.kind == "number"
                and count.value == figure.value
                and place.holds(count.start, count.end)
            ):
                found.append("fits")
    return found


def _same(figure: Figure, flat: str, other: Figure) -> bool:
    if figure.unit != other.unit and (figure.unit in _RATES or other.unit in _RATES):
        return bool(figure.unit and other.unit) and same_figure(figure, other)
    if not figure.unit and other.unit in _MONEY and _COUNTED.match(flat, figure.end):
        return False
    return same_figure(figure, other)


def _exactness(figure: Figure, flat: str, other: Figure, whole: str) -> Fit:
    here, there = (
        flat[max(0, figure.start - 40) : figure.start],
        whole[max(0, other.start - 40) : other.start],
    )
    negative = bool(_MINUS.search(there))
    if bool(_MINUS.search(here)) != negative and not _DOWN.search(flat if negative else whole):
        return "bound"
    if _is_ranged(there, whole, other) and not _is_ranged(here, flat, figure):
        return "bound"
    if figure.unit in _RATES or other.unit in _RATES:
        mine, theirs = _mode(here), _mode(there)
        if mine and theirs and mine != theirs:
            return "bound"
    return _bounds(figure, other, there, whole)


def _bounds(figure: Figure, other: Figure, there: str, whole: str) -> Fit:
    mine, theirs = figure.qualifier, other.qualifier
    if theirs == "over" and _PARTICLE.search(there):
        theirs = ""  # handed over 45 aircraft
    if {mine, theirs} == {"over", "under"}:
        return "bound"
    around = there + whole[other.end : other.end + 6]
    said = {"over": _OVER, "under": _UNDER}.get(mine)
    if said is not None and mine != theirs:
        return "fits" if said.search(around) else "bound"
    if not mine and theirs in ("over", "under"):
        return "loose"
    return "fits"


def _is_ranged(before: str, text: str, figure: Figure) -> bool:
    after = re.match(r" ?(?:-|~|至|到|to|and|和|与) ?[$€£¥]?\d", text[figure.end : figure.end + 8])
    return bool(_BETWEEN.search(before) or _RANGE_BEFORE.search(before)) or (
        after is not None and _BETWEEN.search(before) is not None
    )


def _mode(before: str) -> str:
    if _CHANGE.search(before):
        return "by"
    if _LEVEL.search(before):
        return "to"
    return "by" if _MOVED.search(before) else ""


def missing_counts(flat: str, places: Sequence[QuotedText]) -> list[str]:
    """Counts, ordinals, times, decades and shares of the sentence that no quote states."""
    return [
        count.text
        for count in counts(flat)
        if not _inside_figure(count, flat) and not any(_stated(count, place) for place in places)
    ]


def _inside_figure(count: Count, flat: str) -> bool:
    """三十三亿 is a figure; 5th of March is a date."""
    return count.kind == "number" and any(
        figure.start <= count.start < figure.end for figure in amounts_in(flat)
    )


def _stated(count: Count, place: QuotedText) -> bool:
    for other in counts(place.whole):
        if place.holds(other.start, other.end) and same_count(count, other):
            return True
    if count.kind == "slashed":
        return _same_day(count, place)
    wanted = {"number": "", "share": "", "multiple": "x"}.get(count.kind)
    if wanted is None:
        return False
    for figure in amounts_in(place.whole):
        if not place.holds(figure.start, figure.end):
            continue
        if figure.value == count.value and figure.unit in (wanted, ""):
            return True
        if count.kind == "share" and figure.unit == "%" and figure.value == 50:
            return True
    return False


def _same_day(count: Count, place: QuotedText) -> bool:
    year, rest = divmod(int(count.value), 10_000)
    one, two = divmod(rest, 100)
    days: list[date] = []
    for month, day in ((one, two), (two, one)):
        try:
            days.append(date(year, month, day))
        except ValueError:
            continue
    found = date_mentions(place.whole, place.published)
    return any(mention.date in days and mention.precision == "day" for mention in found)
