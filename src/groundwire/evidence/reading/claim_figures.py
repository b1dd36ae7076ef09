"""Whether the figures that a page gives for an event are those of the claim."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from groundwire.evidence.reading.meaning import amounts_in
from groundwire.evidence.reading.page_lines import PageLine
from groundwire.language.amounts.counts import counts
from groundwire.language.amounts.numbers import Figure
from groundwire.language.text.stems import stem

Fit = Literal["same", "silent", "loose", "other"]

_LOOSE = re.compile(
    r"\b(?:estimat\w+|preliminary|initial(?:ly)?|provisional\w*|so far|at least|more than|over|up to|as many as|"
    r"between|range[sd]?|could|may|unclear|still (?:being|tallying)|count continues)\b|"
    "估计|估算|初步|预估|截至目前|暂时|或达|至少|超过|逾|多达|最多|介于|之间|仍在|不少于|部分"
)
_AT_MOST = re.compile(
    r"\b(?:as (?:much|many|high) as|up to|worst case|could (?:be|reach|rise to)|may (?:be|reach|have)|might (?:be|reach)|"
    r"estimates?(?: that)?(?: run)?)[^.;]{0,16}\Z|(?:最多|多达|上看|或达|恐达|可能达|最坏|可能上看)[^,。]{0,10}\Z"
)
_OF_WHOLE = re.compile(
    r"\b(?:part|tranche|batch|quarter|half|third|portion|slice) of (?:an? |the |its |a total of )?\Z"
)
_WHOLE_OF = re.compile(r"[^,。]{0,8}中的?(?:首批|第一批|部分|一部分|四分之一|一半)")
_HUNDREDS = re.compile(
    r"\b(?:hundreds|thousands|dozens|scores) of (\w+)|[数几上][十百千万]+[人名位]()"
)
_PART = re.compile(r"\bof (?:the|them|which)\b|\bpart of\b|\bincluding\b|其中|部分|首批")
_FACTOR = Decimal(200)  # farther apart, two amounts count different things
_NEAR = 40  # characters around a figure that say how sure it is
_EQUAL, _ABOUT = Decimal("0.015"), Decimal("0.06")
_BEYOND = Decimal("1.35")  # more than 12% may be 13%, not 20%
_POINTS = re.compile(
    r"\b(?:(?P<quarter>quarter|1/4|one-quarter)|(?P<half>half)|(?P<three>three-quarter))(?:[- ](?:of )?(?:an? )?)?"
    r"(?:percentage[- ])?points?\b|(?P<halfa>half a (?:percentage )?point)"
)
_BASIS = {"quarter": 25, "half": 50, "halfa": 50, "three": 75}
_COUNTED = re.compile(
    r"\s?(?:more |other |new )?(?:people|persons|workers|jobs|positions|posts|staff|employees|roles|dead|deaths|passengers|"
    r"人|名|个岗位|位|员工|个职位|职位)",
    re.IGNORECASE,
)
_MAGNITUDE = re.compile(
    r"magnitude(?: of)?(?: about)? ?\Z|(?:里氏|芮氏)?(?:规模|震级)(?:为|达|约)*\Z|[里芮]氏\Z",
    re.IGNORECASE,
)
_OF_QUAKE = re.compile(r"[- ]magnitude\b|级(?:强|大|浅层)?(?:地震|强震)")
_YUAN = {"TWD", "HKD"}  # where 元 alone means their own
_CURRENCY = re.compile("[A-Z]{3}")
_WORD = re.compile(r"\s?([^\W\d_]{1,12})")


def fit(
    claim: str, own: Sequence[Figure], told: Sequence[PageLine], page: Sequence[PageLine]
) -> Fit:
    """How the claim's figures fare: in the sentences that tell the event, and anywhere on the page."""
    wanted = [figure for figure in own if _counts(figure) or _thing(figure, claim) == "magnitude"]
    if not wanted:
        return "same"
    found = [_one(figure, claim, told, page) for figure in wanted]
    if "same" in found:
        return "same"
    # A count that is left out is no loss; a sum is.
    found = [
        "same" if each == "silent" and not _is_sum(figure) else each
        for figure, each in zip(wanted, found, strict=True)
    ]
    return _ORDER[max(_ORDER.index(each) for each in found)]


_ORDER: tuple[Fit, ...] = ("same", "silent", "loose", "other")


def agrees_with(own: Sequence[Figure], line: PageLine) -> bool:
    """Whether a sentence gives one of these figures."""
    wanted = [figure for figure in own if _counts(figure)]
    return bool(wanted) and any(_agree(one, other) for one in wanted for other in _given(line))


def _one(figure: Figure, own: str, told: Sequence[PageLine], page: Sequence[PageLine]) -> Fit:
    bounds = False
    for line in page:
        for other in _given(line):
            if _agree(figure, other):
                if not _is_bound(other, line, own):
                    return "same"
                bounds = True
    if bounds:
        return "loose"
    if not figure.unit and any(_is_vague(line, _thing(figure, own)) for line in told):
        return "loose"
    largest: tuple[Decimal, Fit] = (Decimal(-1), "silent")
    for line in told:
        if largest[1] != "silent" and told[0].is_title and line is told[1]:
            break  # a headline gives the figure that counts
        for other in _given(line):
            if other.unit != figure.unit or not _comparable(figure, other):
                continue
            if not figure.unit and not _same_thing(_thing(figure, own), _thing(other, line.flat)):
                continue
            # A total is the largest; what is less may be a part of it.
            if other.value > largest[0]:
                largest = (other.value, "loose" if _is_loose(other, line) else "other")
    return largest[1]


def _is_loose(figure: Figure, line: PageLine) -> bool:
    """Whether a figure is an estimate, a bound or a part."""
    start = max(0, figure.start - _NEAR)
    around = line.low[start : figure.end + _NEAR // 2]
    if figure.qualifier in ("over", "under") or _LOOSE.search(around):
        return True
    return _PART.search(line.low, start, figure.start) is not None


def _is_bound(figure: Figure, line: PageLine, own: str) -> bool:
    """Whether a figure is only the most it may be, or the whole of which a part is told."""
    low = line.low
    before, after = low[max(0, figure.start - _NEAR) : figure.start], low[figure.end :]
    if _OF_WHOLE.search(before) or _WHOLE_OF.match(after):
        return True
    return _AT_MOST.search(before) is not None and not _AT_MOST.search(own.lower())


def _is_vague(line: PageLine, thing: str) -> bool:
    """Whether a sentence counts the same things, and only by hundreds."""
    return any(
        thing in ("people", stem(match.group(1) or "people"))
        for match in _HUNDREDS.finditer(line.low)
    )


@lru_cache(maxsize=1024)  # a sentence is asked once for every claim, and for every question of it
def _given(line: PageLine) -> tuple[Figure, ...]:
    """The figures of a sentence, a quarter point among them."""
    found = list(amounts_in(line.flat))
    found.extend(
        Figure(Decimal(each.value), "", "", each.start, each.end, line.flat[each.start : each.end])
        for each in counts(line.flat)
        if each.kind == "number"
        and not any(f.start <= each.start < f.end for f in found)
        and line.flat[max(0, each.start - 1) : each.start] not in _VAGUE
    )
    for match in _POINTS.finditer(line.low):
        name = match.lastgroup or ""
        value = Decimal(_BASIS[name])
        found.append(Figure(value, "bp", "", match.start(), match.end(), match.group()))
    return tuple(found)


def _thing(figure: Figure, flat: str) -> str:
    """What a number without a unit counts: people are people, whatever they are called."""
    if _MAGNITUDE.search(flat, max(0, figure.start - _NEAR // 2), figure.start):
        return "magnitude"
    if _OF_QUAKE.match(flat, figure.end):
        return "magnitude"
    if _COUNTED.match(flat, figure.end):
        return "people"
    word = _WORD.match(flat, figure.end)
    return stem(word.group(1).lower()) if word else ""


def _is_sum(figure: Figure) -> bool:
    return figure.unit in ("%", "bp", "pp") or bool(_CURRENCY.fullmatch(figure.unit))


def _same_thing(one: str, other: str) -> bool:
    return bool(one) and one == other


def _counts(figure: Figure) -> bool:
    """Whether it is an amount that a claim stands or falls with: not a day, a year or a small count."""
    if figure.unit:
        return True
    value = figure.value
    return value >= _LEAST and not (1900 <= value <= 2100 and len(figure.text.strip()) == 4)


_VAGUE = ("数", "几", "上")  # 数十名: nobody counted
_LEAST, _LARGE = 10, 10_000


def _comparable(one: Figure, other: Figure) -> bool:
    if not one.value or not other.value:
        return False
    ratio = abs(one.value / other.value)
    return 1 / _FACTOR <= ratio <= _FACTOR


def _agree(one: Figure, other: Figure) -> bool:
    left, right = _in_points(one), _in_points(other)
    if one.unit != other.unit and not _may_be_one_unit(one, other):
        return False
    size = max(abs(left), abs(right))
    if not size:
        return left == right
    apart = abs(left - right) / size
    if apart <= (_ABOUT if "about" in (one.qualifier, other.qualifier) else _EQUAL):
        return True
    if one.qualifier == "over":
        return left <= right <= left * _BEYOND
    if one.qualifier == "under":
        return left / _BEYOND <= right <= left
    return other.qualifier == "over" and right <= left <= right * Decimal("1.1")


def _may_be_one_unit(one: Figure, other: Figure) -> bool:
    """Points and percent, or a large sum of which one text leaves the currency out."""
    if {one.unit, other.unit} <= {"bp", "pp", "%"}:
        return True
    if "CNY" in (one.unit, other.unit) and {one.unit, other.unit} & _YUAN:
        return all(each.text.endswith(("元", "币", "左右")) for each in (one, other))
    return "" in (one.unit, other.unit) and min(one.value, other.value) >= _LARGE


def _in_points(figure: Figure) -> Decimal:
    return figure.value * 100 if figure.unit in ("pp", "%") else figure.value
