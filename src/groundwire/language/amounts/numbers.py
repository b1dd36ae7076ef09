"""Figures that a text states, Chinese and English, brought to one value and one unit."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from groundwire.language.amounts.numerals import (
    ENGLISH_SCALES,
    ENGLISH_WORDS,
    chinese_integer,
    chinese_number,
    english_number,
)
from groundwire.language.data import data_lines
from groundwire.language.text.characters import folded, normalise
from groundwire.language.text.phrases import patterns
from groundwire.language.text.spans import Span, without_overlaps
from groundwire.language.time.dates import date_spans

_SCALES = {
    "百": 10**2, "千": 10**3, "万": 10**4, "十万": 10**5, "百万": 10**6, "千万": 10**7, "亿": 10**8,
    "十亿": 10**9, "百亿": 10**10, "千亿": 10**11, "万亿": 10**12, "兆": 10**12,
    "k": 10**3, "m": 10**6, "mn": 10**6, "mln": 10**6, "b": 10**9, "bn": 10**9, "t": 10**12,
    "tn": 10**12, "trn": 10**12,
} | ENGLISH_SCALES  # fmt: skip
# A lone letter is a scale only with a currency, or as a capital attached to the digits.
_LETTERS = frozenset("kmbt")


def _units_by_name(name: str) -> dict[str, str]:
    """Map each way to write a unit to the unit."""
    rows = (line.split("\t") for line in data_lines(name))
    return {way: unit for unit, ways in rows for way in ways.split("|")}


_SIGNS = _units_by_name("currency_signs.tsv")
_UNITS = _units_by_name("units.tsv")
_patterns = patterns("numbers.txt", flags=re.IGNORECASE)

_AFTER = {
    "左右": "about", "上下": "about", "以上": "over", "多": "over", "余": "over", "+": "over",
    "or more": "over", "以下": "under", "以内": "under", "or less": "under",
}  # fmt: skip


def _either(words: Iterable[str]) -> str:
    """Join alternatives, longest first; Latin ones end at a word border."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(
        re.escape(word) + ("(?![A-Za-z0-9])" if word[-1].isascii() and word[-1].isalpha() else "")
        for word in ordered
    )


_NUMBER = r"\d{1,3}(?:,\d{3}){1,9}(?:\.\d{1,20})?(?![\d,]\d)|\d{1,30}(?:\.\d{1,20})?"
_TAIL = (
    rf"(?P<more>[多余])?(?:[ -]?(?P<scale>{_either(_SCALES)}))?(?P<more2>[多余])?"
    rf"(?:[ -]?(?P<unit>{_either(_UNITS)}))?(?P<after>{_either(_AFTER)})?"
)
_SIGN = "|".join(re.escape(sign) for sign in sorted(_SIGNS, key=lambda sign: -len(sign)))
_FIGURE = re.compile(
    rf"(?:(?P<sign>{_SIGN}) ?"
    rf"|(?<![A-Za-z0-9_.#第])(?<![A-Za-z]-)(?<!\d[,:/]))"
    rf"(?P<number>{_NUMBER})(?!\d|[.:/]\d|-[A-Za-z]\b){_TAIL}",
    re.IGNORECASE | re.ASCII,
)
_DIGITS = re.compile("[0-9]+")
_LETTER = re.compile("[a-z]")
_SIGN_BEFORE = re.compile(rf"(?:{_SIGN}) ?$", re.IGNORECASE)
_RANGE = re.compile(r" ?(?:-|~|to|至|到) ?\Z")
_CHINESE = re.compile(
    rf"(?P<percent>百分之)?(?P<number>[零〇一二两三四五六七八九十百千万亿兆]+(?:点[零〇一二三四五六七八九]+[万亿]*)?){_TAIL}",
    re.IGNORECASE,
)
_FRACTION = re.compile(_patterns("fraction"), re.ASCII | re.IGNORECASE)
_DENOMINATORS = {"third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_WORD = "|".join([*ENGLISH_WORDS, *ENGLISH_SCALES])
_ENGLISH = re.compile(
    rf"(?P<half>half )?(?P<article>an? )?(?P<words>(?:{_WORD})(?:(?:[ -]| and )(?:{_WORD}))*)\b"
    rf"(?:[ -](?P<unit>{_either(_UNITS)}))?",
    re.IGNORECASE | re.ASCII,
)
_CHINESE_START = re.compile("[零〇一二两三四五六七八九十百千万亿兆]+")
# Tried on lower case: with a literal beginning and no flags the engine skips ahead fast.
_ENGLISH_START = re.compile(
    rf"half(?= )|an?(?= (?:{_WORD}))|(?:{'|'.join(ENGLISH_WORDS)})(?![a-z])"
)
_FRACTION_START = re.compile("[0-9一二两三四五六七八九十]|one|two|three|four|five")
_CHINESE_NOT = re.compile(r"[大分月日号年级层楼届]|个月")


@dataclass(frozen=True, slots=True)
class Figure:
    """An amount: its value after scales, its unit, and how exactly it was stated."""

    value: Decimal
    unit: str  # '' when none was written; USD, CNY, EUR, …, %, pp, bp, x, BTC, …
    qualifier: str  # '', about, over, under
    start: int
    end: int
    text: str

    @property
    def span(self) -> Span:
        return self.start, self.end


def is_money(unit: str) -> bool:
    """Tell whether a unit is a currency, of a state or a coin: USD, BTC, cent."""
    return unit == "cent" or (len(unit) > 2 and unit.isupper())


def is_state_money(unit: str) -> bool:
    """Tell whether a unit is the currency of a state, which has a sign: USD, but not BTC."""
    return unit in _SIGNS.values()


def figures(text: str) -> list[Figure]:
    """Find every amount in the text, in order; no dates, times, ordinals or product names."""
    normal = normalise(text)
    placed = ((each, *normal.original(each.start, each.end)) for each in _figures(normal.text))
    return [replace(each, start=a, end=b, text=text[a:b]) for each, a, b in placed]


@lru_cache(maxsize=32)
def _figures(flat: str) -> tuple[Figure, ...]:
    taken = frozenset(at for span in date_spans(flat) for at in range(*span))
    by_span = {each.span: each for each in [*_in_words(flat, taken), *_in_digits(flat, taken)]}
    return tuple(by_span[span] for span in without_overlaps(by_span))


def same_figure(a: Figure, b: Figure) -> bool:
    """Tell whether two figures are equal; one may lack a unit, but not have another."""
    if a.unit == b.unit or not a.unit or not b.unit or {a.unit, b.unit} in _SAME_SIGN:
        return a.value == b.value
    units = {a.unit, b.unit}
    rates = "bp" in units and units <= _RATE.keys()
    return rates and a.value * _RATE[a.unit] == b.value * _RATE[b.unit]


def counts_time(figure: Figure, text: str) -> bool:
    """Tell whether a figure of a text counts years, days or hours: an age, or how long something lasts."""
    return not figure.unit and _patterns["time behind"].match(text, figure.end) is not None


_SAME_SIGN = ({"¥", "CNY"}, {"¥", "JPY"})
_RATE = {"%": 100, "pp": 100, "bp": 1}


def _in_digits(flat: str, taken: Container[int]) -> Iterator[Figure]:
    """Yield the figures written in digits."""
    previous: Figure | None = None
    open_scale = 0  # the Chinese scale that a following number may continue: 1亿2000万
    for match in _matches_at(_FIGURE, _DIGITS, flat, flat, _SIGN_BEFORE):
        figure = None if match.start("number") in taken else _from_digits(flat, match)
        scale = _SCALES[match["scale"].lower()] if match["scale"] else 1
        if previous is not None and figure is not None and not match["sign"]:
            between = flat[previous.end : match.start("number")]
            if not between and 1 < scale < open_scale:
                figure = replace(
                    figure,
                    value=previous.value + figure.value,
                    start=previous.start,
                    qualifier=previous.qualifier or figure.qualifier,
                    unit=figure.unit or previous.unit,
                )
                previous = None
            elif _RANGE.fullmatch(between):
                previous, figure = _share_range(previous, figure, scale, open_scale)
        if previous is not None:
            yield previous
        previous = figure
        open_scale = scale
    if previous is not None:
        yield previous


def _share_range(left: Figure, right: Figure, scale: int, left_scale: int) -> tuple[Figure, Figure]:
    """Share what a range says once between its ends; "11.2% to 8.64 billion yuan" is none."""
    if left.unit and right.unit and left.unit != right.unit:
        return left, right
    if left_scale == 1 and scale > 1 and left.value < right.value:
        left = replace(left, value=left.value * scale)
    unit = right.unit or left.unit
    return replace(left, unit=unit), replace(right, unit=unit)


def _matches_at(
    pattern: re.Pattern[str],
    starts: re.Pattern[str],
    flat: str,
    low: str,
    sign: re.Pattern[str] | None = None,
) -> Iterator[re.Match[str]]:
    """Yield matches of a costly pattern, tried only where a cheap one matches, or at its sign."""
    done = 0
    for start in starts.finditer(low):
        at = start.start()
        if at < done or (at and _LETTER.match(low, at) and _LETTER.match(low, at - 1)):
            continue  # inside a match, or inside a word
        before = sign.search(flat, max(done, at - 5), at) if sign else None
        match = pattern.match(flat, before.start() if before else at)
        if match is not None:
            yield match
            done = match.end()


def _from_digits(flat: str, match: re.Match[str]) -> Figure | None:
    before = flat[max(0, match.start() - 24) : match.start()]
    sign, scale, unit = match["sign"], match["scale"] or "", match["unit"] or ""
    if sign and sign[0].isalpha() and before[-1:].isascii() and before[-1:].isalnum():
        return None  # the tail of another word
    end = match.end()
    attached = match.end("number") == match.start("scale")
    sure = attached and (sign or scale.isupper() or scale == "k" or unit)
    if scale.lower() in _LETTERS and not sure:
        scale, unit, end = "", "", match.end("number")
    follows = flat[end : end + 1]
    if follows.isascii() and follows.isalpha() and flat[end - 1].isdigit():
        return None  # 5G, 3D, 15th
    if _patterns["ordinal before"].search(before) and not (sign or scale or unit):
        return None
    value = Decimal(match["number"].replace(",", "")) * (_SCALES[scale.lower()] if scale else 1)
    return _figure(flat, match, value, _unit(sign, unit), end)


def _unit(sign: str | None, unit: str) -> str:
    written = _UNITS.get(unit.lower(), "")
    if not sign:
        return written
    name = _SIGNS[sign.upper()]
    return written if name == "¥" and written else name


def _figure(flat: str, match: re.Match[str], value: Decimal, unit: str, end: int) -> Figure:
    if unit == "cent":
        value, unit = value / 100, "USD"
    named = match.groupdict()
    before = _patterns["qualifier"].search(flat, max(0, match.start() - 16), match.start())
    if before is not None and before.lastgroup:
        qualifier = before.lastgroup
    elif named.get("more") or named.get("more2"):
        qualifier = "over"
    else:
        qualifier = _AFTER.get((named.get("after") or "").lower(), "")
    return Figure(value.normalize(), unit, qualifier, match.start(), end, "")


def _in_words(flat: str, taken: Container[int]) -> Iterator[Figure]:
    """Yield the figures written in words, and fractions."""
    low = folded(flat)
    for pattern, starts, read in (
        (_CHINESE, _CHINESE_START, _from_chinese),
        (_FRACTION, _FRACTION_START, _from_fraction),
        (_ENGLISH, _ENGLISH_START, _from_english),
    ):
        for match in _matches_at(pattern, starts, flat, low):
            figure = read(flat, match)
            if figure is not None and match.start() not in taken:
                yield figure


def _from_chinese(flat: str, match: re.Match[str]) -> Figure | None:
    number, unit = match["number"], match["unit"] or ""
    value = chinese_number(number)
    before, after = flat[match.start() - 1 : match.start()], flat[match.end("number") :][:2]
    if value is None or before == "第" or (before.isdigit() and before.isascii()):
        return None
    if match["percent"]:
        return _figure(flat, match, value, "%", match.end())
    counted = number[0] not in "十百千万亿兆" or (number[0] == "十" and len(number) > 1)
    scaled = len(number) > 1 and any(char in "十百千万亿兆" for char in number)
    if not unit and not (counted and scaled and not _CHINESE_NOT.match(after)):
        return None
    return _figure(flat, match, value, _unit(None, unit), match.end())


def _from_fraction(flat: str, match: re.Match[str]) -> Figure | None:
    if match["tenths"]:
        tenths, more = chinese_integer(match["tenths"]) or 0, match["parts"] or ""
        parts = 5 if more == "半" else chinese_integer(more) or 0
        return _figure(flat, match, Decimal(10 * tenths + parts), "%", match.end())
    if match["en"]:
        top = ENGLISH_WORDS.index(match["en"].lower())
        bottom = _DENOMINATORS[match["ed"].lower()]
    else:
        top = chinese_integer(match["zn"] or match["n"]) or 0
        bottom = chinese_integer(match["zd"] or match["d"]) or 0
    return _figure(flat, match, Decimal(top) / bottom, "", match.end()) if top < bottom else None


def _from_english(flat: str, match: re.Match[str]) -> Figure | None:
    words = [word for word in re.split(r"[ -]", match["words"].lower()) if word != "and"]
    unit, value = match["unit"] or "", english_number(words)
    if value is None or not (unit or any(word in ENGLISH_SCALES for word in words)):
        return None
    value /= 2 if match["half"] else 1
    return _figure(flat, match, value, _unit(None, unit), match.end())
