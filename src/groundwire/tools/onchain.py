"""What chains show: pegs and supply of stablecoins, value locked in protocols, recorded hacks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from groundwire.context import Context
from groundwire.data.providers import defillama, stablecoins
from groundwire.errors import OutsideFailure, TooLarge
from groundwire.evidence.markets.coins import coin
from groundwire.model import measure
from groundwire.model.base import Instant, Value
from groundwire.model.measure import Locked, Measured, MeasuredBearing, Peg, Theft, data_failure
from groundwire.model.query import SearchFailure
from groundwire.model.tool import ToolResult
from groundwire.settings.schema import OnchainTool

_MOST = 5
_NEAR = timedelta(days=3)  # between the day of a hack and the message about it
_PEGS = {"peggedUSD": "USD"}  # pegs that a dollar price can be compared with
# Words that many names share; only what is left of a name tells projects apart.
_SHARED = frozenset(
    [
        "bridge", "capital", "cex", "chain", "dao", "dex", "exchange", "finance", "foundation",
        "labs", "lending", "money", "network", "official", "protocol", "swap", "the", "v1", "v2",
        "v3", "v4", "wallet",
    ]
)  # fmt: skip
_WORD = re.compile(r"[a-z0-9]+|[一-鿿]+")
_NOT_SLUG = re.compile(r"[^a-z0-9]+")

Name = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80, pattern=r"\S")
]
Wanted = Literal["pegs", "hacks", "locked"]


class Input(Value):
    """Which stablecoins and which protocols, and when the message was said."""

    assets: tuple[Name, ...] = Field(default=(), max_length=_MOST)
    names: tuple[Name, ...] = Field(default=(), max_length=_MOST)  # protocols, exchanges, projects
    at: Instant | None = None  # None: now
    wanted: tuple[Wanted, ...] = ("pegs", "hacks", "locked")


class Result(Measured):
    """What was measured, names that nobody knows, and sources that did not answer."""

    pegs: tuple[Peg, ...] = ()
    thefts: tuple[Theft, ...] = ()
    locked: tuple[Locked, ...] = ()
    unknown: tuple[str, ...] = ()
    failures: tuple[SearchFailure, ...] = ()
    triggered: bool = False


async def run(context: Context, given: Input) -> Result:
    """Ask for everything wanted; raises the first failure when no source answered at all."""
    pegs: tuple[Peg, ...] = ()
    thefts: tuple[Theft, ...] = ()
    locked: list[Locked] = []
    failures: list[SearchFailure] = []
    errors: list[OutsideFailure] = []
    answered = False

    def record_failure(provider: str, error: OutsideFailure) -> None:
        errors.append(error)
        failures.append(data_failure(provider, error))

    pegged = [each for each in given.assets if (found := coin(each)) and found.peg == "USD"]
    names = tuple(dict.fromkeys(given.names))
    unknown: list[str] = []
    if "pegs" in given.wanted and pegged:
        try:
            pegs, answered = await _pegs(context, pegged), True
        except OutsideFailure as error:
            record_failure("stablecoins", error)
    if "hacks" in given.wanted and names:
        try:
            thefts = await _thefts(context, names, given.at or context.now())
            answered = True
        except OutsideFailure as error:
            record_failure("defillama", error)
    for name in names if "locked" in given.wanted else ():
        try:
            held = await _locked(context, name)
        except OutsideFailure as error:
            record_failure("defillama", error)
            continue
        answered = True
        if held is None:
            unknown.append(name)
        else:
            locked.append(held)
    if errors and not answered:
        raise errors[0]
    limits = OnchainTool.model_validate(context.parts.tools.get("onchain", {}))
    return Result(
        at=context.now(),
        pegs=pegs,
        thefts=thefts,
        locked=tuple(locked),
        unknown=tuple(unknown),
        failures=tuple(failures),
        triggered=_triggers(pegs, thefts, locked, limits),
        note="" if pegs or thefts or locked else "outside.nothing_on_chain",
    )


def degraded(found: Result) -> bool:
    """Tell whether a source did not answer though another did."""
    return bool(found.failures)


def tool_result(found: Result, finding: MeasuredBearing | None = None) -> ToolResult:
    """Return the outcome under the contract of tools."""
    confidence = 0.9 if found.pegs or found.thefts or found.locked else 0.0
    return measure.tool_result(
        "onchain", "defillama", found, finding, confidence=confidence, triggered=found.triggered
    )


async def _pegs(context: Context, assets: Iterable[str]) -> tuple[Peg, ...]:
    stored = await context.data(stablecoins.stablecoins())
    listed = stablecoins.Stablecoins.model_validate(stored or {}).coins
    found: list[Peg] = []
    for asset in assets:
        known = coin(asset)
        symbol = known.symbol if known else asset.upper()
        # The list begins with the largest coin of a symbol, which is the one meant.
        same = [each for each in listed if each.symbol.upper() == symbol and each.peg in _PEGS]
        for each in same[:1]:
            change = None
            if each.supply and each.supply_before:
                change = round((each.supply / each.supply_before - 1) * 100, 4)
            found.append(
                Peg(
                    asset=symbol,
                    name=each.name,
                    price=each.price,
                    deviation=round((each.price - 1) * 100, 4),
                    supply=each.supply,
                    supply_change=change,
                )
            )
    return tuple(found)


async def _thefts(context: Context, names: Iterable[str], at: datetime) -> tuple[Theft, ...]:
    stored = await context.data(defillama.thefts())
    entries = defillama.Thefts.model_validate(stored or {}).entries
    return tuple(
        entry
        for entry in entries
        if abs(entry.day - at.date()) <= _NEAR
        and any(same_name(name, entry.name) for name in names)
    )


async def _locked(context: Context, name: str) -> Locked | None:
    slug = _NOT_SLUG.sub("-", name.lower()).strip("-")
    if not slug:
        return None
    try:
        stored = await context.data(defillama.locked(slug))
    except TooLarge:
        stored = await context.data(defillama.locked_now(slug))
    return None if stored is None else Locked.model_validate(stored)


def same_name(one: str, other: str) -> bool:
    """Tell whether two names are of one project: Euler Finance and Euler V1, not Curve and Curio."""
    words = [_words(one), _words(other)]
    shorter, longer = sorted(words, key=len)
    return bool(shorter) and longer[: len(shorter)] == shorter


def _words(name: str) -> list[str]:
    return [word for word in _WORD.findall(name.lower()) if word not in _SHARED]


def _triggers(
    pegs: Iterable[Peg], thefts: Iterable[Theft], locked: Iterable[Locked], limits: OnchainTool
) -> bool:
    strayed = any(abs(peg.deviation) >= limits.peg_percent for peg in pegs)
    drained = any(
        held.change is not None and held.change <= -limits.drop_percent for held in locked
    )
    return strayed or drained or any(True for _ in thefts)
