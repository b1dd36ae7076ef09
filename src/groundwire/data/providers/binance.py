"""Binance: what a coin traded for in USDT over the last 24 hours; keyless, not in every region."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from groundwire.data.provider import DataProvider, DataRequest, PositiveWritten, Traded, Written
from groundwire.errors import Malformed, RateLimited
from groundwire.gateway.status import retry_after
from groundwire.gateway.vendor import Foreign, answer, json_object
from groundwire.model.base import Json, JsonObject

_KEEP = 30.0
_NO_SUCH_PAIR = -1121
_BANNED = 418


class _Ticker(Foreign):
    symbol: str
    last: PositiveWritten = Field(alias="lastPrice")
    change: Written = Field(alias="priceChangePercent")
    mean: PositiveWritten = Field(alias="weightedAvgPrice")
    low: PositiveWritten = Field(alias="lowPrice")
    high: PositiveWritten = Field(alias="highPrice")
    closed_at: int = Field(gt=0, lt=10**15, strict=True, alias="closeTime")


class Provider(DataProvider):
    name: ClassVar[str] = "binance"
    base: ClassVar[str] = "https://api.binance.com"
    per_second: ClassVar[float] = 10.0
    tool: ClassVar[str] = "price"

    def check(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        if status == _BANNED:
            wait = retry_after(headers) or 600.0
            raise RateLimited("outside.shut_out", who="binance", retry_after=wait)
        super().check(status, headers, body)


def traded(symbol: str) -> DataRequest:
    """Request the pair of a coin with USDT."""
    pair = f"{symbol.upper()}USDT"

    def read(body: Json) -> JsonObject:
        found = answer("binance", _Ticker, body)
        if found.symbol != pair:
            raise Malformed("outside.other_things", who="binance")
        traded = Traded.model_validate(found.model_dump(exclude={"symbol"}))
        return traded.model_dump(mode="json")

    return DataRequest("binance", "/api/v3/ticker/24hr", read, _KEEP, {"symbol": pair}, _unknown)


def _unknown(status: int, body: bytes) -> bool:
    return status == 400 and json_object(body).get("code") == _NO_SUCH_PAIR
