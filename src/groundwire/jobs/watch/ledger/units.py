"""What a figure is measured in, by the words around it, and its value in the base in which such units are compared.

The units stand in `units.tsv`, one a row.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from groundwire.language.data import lines_of
from groundwire.language.text.phrases import patterns

_DIGITS = 9  # of a value that was converted
_BEFORE = 12  # characters in which a speed can be announced: 每小时
_RATES = {"hour": "h", "second": "s"}
_patterns = patterns("values.txt", __package__ or "", re.IGNORECASE)


class Measure(NamedTuple):
    """A unit, with the way to its base."""

    base: str
    factor: Decimal
    zero: Decimal
    words: re.Pattern[str] | None


@cache
def _measures() -> Mapping[str, Measure]:
    rows = (line.split("\t") for line in lines_of(__package__ or "", "units.tsv"))
    return {unit: _measure(base, factor, words) for unit, base, factor, words in rows}


def _measure(base: str, factor: str, words: str) -> Measure:
    times, _, zero = factor.partition(" ")
    found = re.compile(words, re.IGNORECASE) if words else None
    return Measure(base, Decimal(times), Decimal(zero or "0"), found)


def unit_at(text: str, start: int, end: int, unit: str) -> tuple[str, int]:
    """Return what the number in a stretch is measured in, by the words around it, and where the value ends with that.

    A unit for which no other could stand is left to the words that say what is counted.
    """
    if text[max(0, start - 1) : start] == "第":
        return unit, end  # the third, of whatever
    last = end
    if not unit:
        unit, last = _behind(text, end)
    before = text[max(0, start - _BEFORE) : start]
    for per, sign in _RATES.items():
        behind = _patterns[f"per {per}"].match(text, last)
        rate = f"{unit}/{sign}"
        if rate in _measures() and (behind or _patterns[f"per {per} before"].search(before)):
            return rate, behind.end() if behind else last
    return unit, last if _has_rivals(unit) else end


def _behind(text: str, at: int) -> tuple[str, int]:
    """Return the unit that stands behind a number, and where that ends."""
    words = ((name, each.words.match(text, at)) for name, each in _measures().items() if each.words)
    return next(((name, match.end()) for name, match in words if match), ("", at))


def _has_rivals(unit: str) -> bool:
    """Tell whether values in other units are compared with those in this one."""
    bases = [each.base for each in _measures().values()]
    return unit in _measures() and bases.count(_measures()[unit].base) > 1


def in_base(value: Decimal, unit: str) -> tuple[Decimal, str]:
    """Return a value in the base of its unit; as it is where no other unit is compared with it."""
    measure = _measures().get(unit)
    if measure is None or (measure.factor == 1 and not measure.zero):
        return value, unit if measure is None else measure.base
    return round((value - measure.zero) * measure.factor, _DIGITS).normalize(), measure.base
