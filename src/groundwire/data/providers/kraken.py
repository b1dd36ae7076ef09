"""Kraken: what a coin last traded for in dollars, stablecoins included; keyless.

Not Coinbase: it shows USDC at one dollar by rule, whatever it trades for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, cast

from pydantic import Field

from groundwire.data.provider import DataProvider, DataRequest, PositiveWritten, Traded
from groundwire.errors import BadRequest, Malformed, RateLimited, ServerFault
from groundwire.gateway.vendor import Foreign, answer, json_object
from groundwire.model.base import Json, JsonObject

_KEEP = 30.0
_OWN_NAMES = {"BTC": "XBT", "DOGE": "XDG"}
_UNKNOWN = "EQuery:Unknown asset pair"


class _Ticker(Foreign):
    """A ticker; of two values the first is of today, the second of the last 24 hours."""

    c: list[PositiveWritten] = Field(min_length=1)  # last trade: price, lot
    p: tuple[PositiveWritten, PositiveWritten]
    low: tuple[PositiveWritten, PositiveWritten] = Field(alias="l")
    h: tuple[PositiveWritten, PositiveWritten]


class _Answer(Foreign):
    error: list[str]
    result: dict[str, Json] = Field(default_factory=dict[str, Json])


class Provider(DataProvider):
    name: ClassVar[str] = "kraken"
    base: ClassVar[str] = "https://api.kraken.com"
    per_second: ClassVar[float] = 1.0
    tool: ClassVar[str] = "price"

    def check(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        super().check(status, headers, body)
        if errors := _errors(body):
            about: JsonObject = {"who": "kraken", "detail": errors[0][:200]}
            if "Rate limit" in errors[0] or "Too many requests" in errors[0]:
                raise RateLimited("outside.said", **about)
            kind = ServerFault if errors[0].startswith("EService") else BadRequest
            raise kind("outside.said", **about)


def traded(symbol: str) -> DataRequest:
    """Request the pair of a coin with the dollar."""
    name = symbol.upper()

    def read(body: Json) -> JsonObject:
        found = answer("kraken", _Answer, body).result
        if len(found) != 1:
            raise Malformed("outside.other_things", who="kraken")
        ticker = answer("kraken", _Ticker, next(iter(found.values())))
        return Traded(
            last=ticker.c[0], mean=ticker.p[1], low=ticker.low[1], high=ticker.h[1]
        ).model_dump(mode="json", exclude_none=True)

    pair = f"{_OWN_NAMES.get(name, name)}USD"
    return DataRequest("kraken", "/0/public/Ticker", read, _KEEP, {"pair": pair}, _unknown)


def _unknown(status: int, body: bytes) -> bool:
    return status == 200 and _UNKNOWN in _errors(body)


def _errors(body: bytes) -> list[str]:
    listed = cast("object", json_object(body).get("error"))
    return [str(each) for each in cast("list[object]", listed)] if isinstance(listed, list) else []
