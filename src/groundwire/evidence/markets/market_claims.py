"""What a message states about a market: a peg lost or kept, a level crossed, a move, a crash."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Literal

from groundwire.evidence.markets.coins import spoken_of
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

NOW = timedelta(hours=6)  # what happened longer ago is not what today's numbers show
Way = Literal["below", "above", "at"]

_said = patterns("market_claims.txt", "groundwire.evidence.data")
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
    if _said["retrospect"].search(folded(normalise(text).text)):
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
    """Tell whether it is said to have been so for a while only, or in one place only."""
    return _said["passing"].search(folded(normalise(text).text)) is not None


def peg_claim(text: str, symbol: str) -> PegClaim | None:
    """Return what is said of a coin's peg; None where nothing is."""
    normal = normalise(text).text
    flat = folded(normal)
    passing = is_passing(text)

    def said(pattern: re.Pattern[str]) -> re.Match[str] | None:
        for match in pattern.finditer(flat):
            named = spoken_of(normal, match.start())
            if not named or symbol in named:
                return match
        return None

    restored = said(_said["restored"])
    if restored is not None:
        lost = _said["not restored"].search(flat[: restored.start()]) is not None
        return PegClaim(lost, False, is_stated(flat, restored.start()))
    kept = said(_said["kept"])
    if kept is not None:
        return PegClaim(False, False, is_stated(flat, kept.start()))
    lost_at = said(_said["lost"])
    if lost_at is None:
        return None
    stated = _said["only talk"].search(flat) is None and is_stated(flat, lost_at.start())
    return PegClaim(True, passing, stated)


def level_claims(text: str, symbol: str) -> tuple[LevelClaim, ...]:
    """Levels that a coin's price is said to be beyond, or at, in the order of the text."""
    flat = normalise(text).text
    low = folded(flat)
    found: list[LevelClaim] = []
    for figure in figures(flat):
        before = low[max(0, figure.start - 40) : figure.start]
        way = _way(before)
        bare = figure.unit == "" and figure.value >= 10 and way in ("below", "above")
        if way is None or not (figure.unit in ("USD", "USDT", "USDC") or bare):
            continue
        if _of_coin(flat, figure, symbol) and is_stated(flat, figure.start, NEGATED):
            found.append(LevelClaim(way, float(figure.value)))
    return tuple(found)


def move_claims(text: str, symbol: str) -> tuple[MoveClaim, ...]:
    """Moves in percent that a coin is said to have made."""
    flat = normalise(text).text
    low = folded(flat)
    found: list[MoveClaim] = []
    for figure in figures(flat):
        if (
            figure.unit != "%"
            or not _of_coin(flat, figure, symbol)
            or not is_stated(flat, figure.start, NEGATED)
        ):
            continue
        sign = _sign(low, figure)
        if sign:
            found.append(MoveClaim(sign * float(figure.value), _window(low, figure)))
    return tuple(found)


def says_crash(text: str) -> bool:
    """Tell whether prices are said to have crashed, without a figure."""
    low = folded(normalise(text).text)
    match = _said["crash"].search(low)
    return match is not None and is_stated(low, match.start())


def _way(before: str) -> Way | None:
    if _said["below"].search(before):
        return "below"
    if _said["above"].search(before):
        return "above"
    return (
        "at"
        if _said["to"].search(before)
        and (_said["down"].search(before) or _said["up"].search(before))
        else None
    )


def _sign(low: str, figure: Figure) -> int:
    """Return the nearest word of direction, before the figure or else right after it."""
    before = low[max(0, figure.start - 40) : figure.start]
    downs = [match.end() for match in _said["down"].finditer(before)]
    ups = [match.end() for match in _said["up"].finditer(before)]
    if downs or ups:
        return 1 if max(ups, default=-1) > max(downs, default=-1) else -1
    after = low[figure.end : figure.end + 12]
    if _said["down"].search(after):
        return -1
    return 1 if _said["up"].search(after) else 0


def _window(low: str, figure: Figure) -> bool | None:
    around = low[max(0, figure.start - 40) : figure.end + 30]
    if _said["day"].search(around):
        return True
    return False if _said["other window"].search(around) else None


def _of_coin(flat: str, figure: Figure, symbol: str) -> bool:
    """Whether a figure is said of this coin: the one that is named last before it, or first."""
    named = spoken_of(flat, figure.start)
    return not named or symbol in named


def is_stated(text: str, at: int, besides: int = 0) -> bool:
    """Tell whether a text states what stands there, and does not expect, plan, ask or deny it;
    `besides` adds to the marks that speak against it."""
    for each in _analysed(text).sentences:
        words = zip(each.words, each.marks, strict=True)
        mark = next((mark for word, mark in words if each.start + word.end > at), None)
        if mark is not None:
            return not mark & (_UNSTATED | besides)
    return True


_analysed = lru_cache(maxsize=64)(analyse)
_UNSTATED = ASKED | HEDGED | SUPPOSED | PLANNED | DENIED | FALSE
