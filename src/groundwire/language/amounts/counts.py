"""Numbers that are facts but no figures: counts in words, ordinals, times, decades, multiples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal, TypeAlias

from groundwire.language.amounts.numerals import (
    ENGLISH_WORDS,
    chinese_integer,
    chinese_number,
    english_number,
)
from groundwire.language.text.characters import normalise
from groundwire.language.text.phrases import patterns

Kind: TypeAlias = Literal["number", "ordinal", "time", "decade", "multiple", "share", "slashed"]

_WORD = "|".join(sorted(ENGLISH_WORDS, key=lambda word: -len(word)))
_ENGLISH = re.compile(
    rf"(?<![a-z-])(?P<words>(?:{_WORD})(?:(?:-| )(?:{_WORD}))?)(?![a-z]|-?(?:third|quarter|fifth|half|hundred|"
    rf"thousand|million|billion|trillion)| (?:third|quarter|fifth|hundred|thousand|million|billion|trillion))",
    re.IGNORECASE,
)
_patterns = patterns("counts.txt")
_ORDINALS = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ORDINAL = re.compile(
    r"(?<![\w.])(?P<digits>\d{1,3})(?:st|nd|rd|th)\b(?! (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))"
    rf"|(?<!one )(?<!two )(?<!one-)(?<!two-)\b(?P<word>{'|'.join(_ORDINALS)})\b(?![ -]quarter)"
    r"|第(?P<zh>[一二三四五六七八九十]{1,3}|\d{1,3})(?!季|[0-9]|方|三方)",
    re.IGNORECASE | re.ASCII,
)
_TIME = re.compile(_patterns("time"), re.ASCII | re.IGNORECASE)
_DECADE = re.compile(_patterns("decade"), re.ASCII)
_SLASHED = re.compile(_patterns("slashed"), re.ASCII)
_WORDS: dict[str, tuple[Kind, str]] = {
    "doubled": ("multiple", "2"), "tripled": ("multiple", "3"), "quadrupled": ("multiple", "4"),
    "halved": ("multiple", "50"), "share": ("share", "0.5"),
}  # fmt: skip
_folded = patterns("counts.txt", flags=re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Count:
    """A number of one kind: minutes for times, parts of one for shares, digits for dates."""

    kind: Kind
    value: Decimal
    start: int
    end: int
    text: str
    vague: bool = False  # a time without morning or evening


def counts(text: str) -> tuple[Count, ...]:
    """Return all counts of the text in its normal form, in order."""
    return _counts(normalise(text).text)


@lru_cache(maxsize=64)
def _counts(flat: str) -> tuple[Count, ...]:
    found = [*_words(flat), *_ordinals(flat), *_times(flat), *_others(flat)]
    return tuple(sorted(found, key=lambda count: (count.start, count.end)))


def same_count(a: Count, b: Count) -> bool:
    """Tell whether two counts of one kind are equal."""
    if a.kind != b.kind:
        return False
    if a.kind == "time" and (a.vague or b.vague):
        return a.value % 720 == b.value % 720
    return a.value == b.value


def _words(flat: str) -> Iterator[Count]:
    for match in _ENGLISH.finditer(flat):
        value = english_number(re.split("[ -]", match["words"].lower()))
        # "one" is a pronoun more often than a number; "a bank" and "one bank" are the same.
        if value is not None and value != 1:
            yield Count("number", value, match.start(), match.end("words"), match["words"])
    for match in _patterns["chinese"].finditer(flat):
        value = chinese_number(match["n"])
        if value is None or value == 1 or _patterns["not counted"].match(match.group()):
            continue
        yield Count("number", value, match.start(), match.end("n"), match.group())


def _ordinals(flat: str) -> Iterator[Count]:
    for match in _ORDINAL.finditer(flat):
        if match["word"]:
            value: int | None = _ORDINALS.index(match["word"].lower()) + 2
        else:
            value = chinese_integer(match["zh"] or match["digits"])
        if value is not None:
            yield Count("ordinal", Decimal(value), *match.span(), match.group())


def _times(flat: str) -> Iterator[Count]:
    for match in _TIME.finditer(flat):
        hour = int(match["h"] or match["h24"] or match["zh_h"])
        minute = int(match["m"] or match["m24"] or match["zh_m"] or 0)
        half = (match["half"] or match["zh"] or "").lower()
        vague = not half and hour <= 12
        hour = hour % 12 if half in ("a", "p") else hour
        if half in ("p", "下午", "晚上", "晚") and hour < 12:
            hour += 12
        if hour < 25 and minute < 60:
            yield Count("time", Decimal(60 * hour + minute), *match.span(), match.group(), vague)


def _others(flat: str) -> Iterator[Count]:
    for heading, (kind, value) in _WORDS.items():
        for match in _folded[heading].finditer(flat):
            yield Count(kind, Decimal(value), *match.span(), match.group())
    for match in _DECADE.finditer(flat):
        year = int(match["full"] or 1900 + int(match["short"]))
        yield Count("decade", Decimal(year), *match.span(), match.group())
    for match in _SLASHED.finditer(flat):
        digits = Decimal(int(match["y"]) * 10_000 + int(match["a"]) * 100 + int(match["b"]))
        yield Count("slashed", digits, *match.span(), match.group())
