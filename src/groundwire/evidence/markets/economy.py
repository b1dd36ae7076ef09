"""The economic series that a message speaks of, and the figure and period that it states."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import NamedTuple

from groundwire.evidence.data import data_lines
from groundwire.evidence.markets.market_claims import is_stated
from groundwire.language.amounts.numbers import Figure, figures
from groundwire.language.text.characters import folded, normalise
from groundwire.language.text.phrases import patterns
from groundwire.language.time.expressions import expressions

_patterns = patterns("economy.txt", "groundwire.evidence.data")
# A range goes on from its first end: to 3.75%-4%.
_TO = re.compile(r"(?:\b(?:to|at)|[至到为达报])\W{0,2}(?:[\d.]+%?\W{0,2}(?:to|至|到)?\W{0,2})?$")


class WantedSeries(NamedTuple):
    """A series and how a claim would speak of it."""

    id: str
    units: str  # FRED's: lin, chg, pch, pc1
    unit: str  # %, k (thousands of persons), "" for an index
    period: str
    monthly: bool  # only of a claim that compares with the month before
    english: str
    chinese: str
    words: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class SeriesClaim:
    """Figures that a message gives for a series, in its unit, and the period that it names."""

    figures: tuple[Figure, ...]
    values: tuple[float, ...]
    changes: tuple[float, ...]  # in percentage points: raises by 25 basis points
    period: date | None
    asserted: bool


@cache
def series() -> tuple[WantedSeries, ...]:
    """Return every series of the data file, the narrower first."""
    known: list[WantedSeries] = []
    for line in data_lines("series.tsv"):
        code, units, unit, period, change, english, chinese, words, characters = line.split("\t")
        latin = rf"(?<![a-z])(?:{words})(?![a-z])"
        pattern = re.compile(f"{latin}|{characters}")
        known.append(
            WantedSeries(code, units, unit, period, change == "mom", english, chinese, pattern)
        )
    return tuple(known)


def series_in(text: str) -> WantedSeries | None:
    """Return the series that a message speaks of; None if none of the United States."""
    flat = normalise(text).text
    low = folded(flat)
    domestic = _patterns["here"].search(low) or flat.isascii()
    if _patterns["abroad"].search(low) or not domestic:
        return None  # Chinese without a country means China
    monthly = _patterns["monthly"].search(low) is not None
    for each in series():
        if each.words.search(low) and (monthly or not each.monthly):
            return each
    return None


def figures_for(text: str, at: datetime, wanted: WantedSeries) -> SeriesClaim:
    """Return what a message says of a series, in the unit of the series."""
    flat = normalise(text).text
    low = folded(flat)
    mention = wanted.words.search(low)
    begins = mention.start() if mention else 0
    kept: list[Figure] = []
    values: list[float] = []
    changes: list[float] = []
    for figure in figures(flat):
        value = float(figure.value)
        if wanted.unit == "%" and figure.unit == "bp":
            changes.append(_signed(low, figure, value / 100))
        elif figure.unit == "%" == wanted.unit:
            kept.append(figure)
            values.append(_signed(low, figure, value))
        elif wanted.unit == "k" and figure.unit == "" and value >= 1000:
            kept.append(figure)
            values.append(_signed(low, figure, value) / 1000)
    period, asserted = _period(text, at, wanted.period), is_stated(flat, begins)
    return SeriesClaim(tuple(kept), tuple(values), tuple(changes), period, asserted)


def _signed(low: str, figure: Figure, value: float) -> float:
    """Negate the value of a fall: fell 0.3 % is less than nothing, fell to 3.2 % is not."""
    before = low[max(0, figure.start - 30) : figure.start]
    return -value if _patterns["down"].search(before) and not _TO.search(before) else value


def _period(text: str, at: datetime, length: str) -> date | None:
    """Return the first day of the month or quarter that is named; a rate holds until it changes."""
    if length in ("day", "week"):
        return None
    days = [
        each.begin.date()
        for each in expressions(text, at)
        if each.begin is not None and each.precision == length
    ]
    return days[0] if len(set(days)) == 1 else None
