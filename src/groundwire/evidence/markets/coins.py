"""The known coins: their symbols, names and pegs, and where a text speaks of one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from groundwire.evidence.data import data_lines
from groundwire.evidence.messages.assets import known_assets
from groundwire.evidence.messages.profiles import profile

_NOTHING = "-"
_LISTED = re.compile(r"[\s,/、&]*(?:and|as well as|和|与|及|以及)?[\s,]*", re.IGNORECASE)


class Coin(NamedTuple):
    """A coin as the data file has it; `peg` is a currency, "" for none."""

    symbol: str
    id: str  # CoinGecko's
    name: str
    peg: str
    others: tuple[str, ...]


@cache
def coins() -> Mapping[str, Coin]:
    """Return every coin of the data file, by its symbol."""
    by_symbol: dict[str, Coin] = {}
    for line in data_lines("coins.tsv"):
        symbol, coingecko_id, name, peg, others = line.split("\t")
        aliases = tuple(others.split("|")) if others != _NOTHING else ()
        peg = "" if peg == _NOTHING else peg
        by_symbol[symbol] = Coin(symbol, coingecko_id, name, peg, aliases)
    return by_symbol


@cache
def _by_name() -> Mapping[str, Coin]:
    by_name: dict[str, Coin] = {}
    for coin in coins().values():
        for name in (coin.symbol, coin.name, *coin.others):
            by_name.setdefault(name.casefold(), coin)
    return by_name


def coin(name: str) -> Coin | None:
    """Return the coin of a symbol or name, however it is written: `$btc`, Bitcoin, 比特币."""
    wanted = name.strip().lstrip("$#").casefold()
    return _by_name().get(wanted)


@lru_cache(maxsize=64)
def _mentions(flat: str) -> tuple[tuple[int, int, str], ...]:
    """Find where a text in its normal form speaks of coins, in order."""
    mentions = known_assets(flat, profile("crypto"), "en")
    return tuple((each.start, each.end, each.symbol) for each in mentions if each.symbol in coins())


def coins_at(flat: str, place: int) -> tuple[str, ...]:
    """Return the coins that a place in a text is about: those named last before it, else the first.

    Coins in one list (USDC and USDT; USDC、DAI) go together.
    """
    mentions = _mentions(flat)
    before = [each for each in mentions if each[0] < place]
    ordered = list(reversed(before)) if before else list(mentions)
    group = ordered[:1]
    for each in ordered[1:]:
        one, other = sorted((group[-1], each))
        if _LISTED.fullmatch(flat[one[1] : other[0]]) is None:
            break
        group.append(each)
    return tuple(symbol for _, _, symbol in group)
