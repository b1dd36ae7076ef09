"""What a message states about a market: a peg lost or kept, a level crossed, a move, a crash."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Literal

from groundwire.evidence.markets.coins import coins_at
from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.standing import (
    ASKED,
    DENIED,
    FALSE,
    HEDGED,
    NEGATED,
    PLANNED,
    SUPPOSED,
)
from groundwire.language.amounts.numbers import Figure, figures
from groundwire.language.text.characters import folded, normalise
from groundwire.language.text.phrases import patterns
from groundwire.language.time.expressions import expressions

NOW = timedelta(hours=6)  # current numbers say nothing of what happened longer ago
Way = Literal["below", "above", "at"]

_patterns = patterns("market_claims.txt", "groundwire.evidence.data")
_SINCE = re.compile(r"(?:\bsince|\bafter|\bas of|自从?|从)\W{0,2}$")
_EVER_SINCE = re.compile("以[来來]")


@dataclass(frozen=True, slots=True)
class PegClaim:
    """A stablecoin is said to have lost its peg, or to have it (again)."""

    lost: bool
    passing: bool  # only for a while, or only in one place
    stated: bool


@dataclass(frozen=True, slots=True)
class LevelClaim:
    """A price is said to be beyond a level, or at it."""

    way: Way
    level: float


@dataclass(frozen=True, slots=True)
class MoveClaim:
    """A price is said to have moved by so many percent; `day`: None where no time is given."""

    percent: float
    day: bool | None


def is_past(text: str, at: datetime) -> bool:
    """Tell whether a message from `at` speaks of an earlier time only."""
    if _patterns["retrospect"].search(folded(normalise(text).text)):
        return True
    old = near = False
    for each in expressions(text, at):
        if each.begin is None or each.finish is None:
            continue
        if _SINCE.search(text[: each.start].casefold()) or _EVER_SINCE.match(text[each.end :]):
            continue
        if each.finish <= at - NOW:
            old = True
        elif each.begin <= at:
            near = True
    return old and not near


def is_passing(text: str) -> bool:
    """Tell whether it was only for a while, or only in one place."""
    return _patterns["passing"].search(folded(normalise(text).text)) is not None


def peg_claim(text: str, symbol: str) -> PegClaim | None:
    """Return what is said of a coin's peg; None where nothing is."""
    normal = normalise(text).text
    flat = folded(normal)
    for state in ("restored", "kept", "lost"):
        places = (match.start() for match in _patterns[state].finditer(flat))
        at = next((place for place in places if _of_coin(normal, place, symbol)), None)
        if at is None:
            continue
        if state == "lost":
            stated = _patterns["only talk"].search(flat) is None and is_stated(flat, at)
            return PegClaim(True, is_passing(text), stated)
        lost = state == "restored" and _patterns["not restored"].search(flat[:at]) is not None
        return PegClaim(lost, False, is_stated(flat, at))
    return None


def level_claims(text: str, symbol: str) -> tuple[LevelClaim, ...]:
    """List the levels that a coin's price is said to be beyond, or at, in the order of the text."""
    flat = normalise(text).text
    low = folded(flat)
    claims: list[LevelClaim] = []
    for figure in figures(flat):
        before = low[max(0, figure.start - 40) : figure.start]
        way = _way(before)
        bare = figure.unit == "" and figure.value >= 10 and way in ("below", "above")
        if way is None or not (figure.unit in ("USD", "USDT", "USDC") or bare):
            continue
        if _of_coin(flat, figure.start, symbol) and is_stated(flat, figure.start, NEGATED):
            claims.append(LevelClaim(way, float(figure.value)))
    return tuple(claims)


def move_claims(text: str, symbol: str) -> tuple[MoveClaim, ...]:
    """List the moves in percent that a coin is said to have made."""
    flat = normalise(text).text
    low = folded(flat)
    claims: list[MoveClaim] = []
    for figure in figures(flat):
        sign = _sign(low, figure) if figure.unit == "%" else 0
        at = figure.start
        if sign and _of_coin(flat, at, symbol) and is_stated(flat, at, NEGATED):
            context = low[max(0, at - 40) : figure.end + 30]
            other = False if _patterns["other window"].search(context) else None
            day = True if _patterns["day"].search(context) else other
            claims.append(MoveClaim(sign * float(figure.value), day))
    return tuple(claims)


def says_crash(text: str) -> bool:
    """Tell whether prices are said to have crashed, without a figure."""
    low = folded(normalise(text).text)
    match = _patterns["crash"].search(low)
    return match is not None and is_stated(low, match.start())


def _way(before: str) -> Way | None:
    if _patterns["below"].search(before):
        return "below"
    if _patterns["above"].search(before):
        return "above"
    if _patterns["stands"].search(before):
        return "at"
    moved = _patterns["down"].search(before) or _patterns["up"].search(before)
    return "at" if moved and _patterns["to"].search(before) else None


def _sign(low: str, figure: Figure) -> int:
    """Return the direction by the nearest word, before the figure or else right after it."""
    before = low[max(0, figure.start - 40) : figure.start]
    after = low[figure.end : figure.end + 12]
    down, up = (
        max((match.end() for match in _patterns[way].finditer(before)), default=0)
        for way in ("down", "up")
    )
    if down or up:
        return 1 if up > down else -1
    return -1 if _patterns["down"].search(after) else int(_patterns["up"].search(after) is not None)


def _of_coin(flat: str, place: int, symbol: str) -> bool:
    """Tell whether this place speaks of the coin."""
    coins = coins_at(flat, place)
    return not coins or symbol in coins


def is_stated(text: str, at: int, besides: int = 0) -> bool:
    """Tell whether a text states what stands there: no plan, question, denial or mark of `besides`."""
    for each in _analysed(text).sentences:
        words = zip(each.words, each.marks, strict=True)
        mark = next((mark for word, mark in words if each.start + word.end > at), None)
        if mark is not None:
            return not mark & (_UNSTATED | besides)
    return True


_analysed = lru_cache(maxsize=64)(analyse)
_UNSTATED = ASKED | HEDGED | SUPPOSED | PLANNED | DENIED | FALSE
