"""CoinGecko: prices of coins by its own ids, and ids by symbol; keyless, faster with a key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from pydantic import ConfigDict, Field, RootModel

from groundwire.data.provider import DataProvider, DataRequest, Number, Positive
from groundwire.errors import Malformed
from groundwire.gateway.vendor import Foreign, answer, rows
from groundwire.model.base import Json, JsonObject, Value

_KEEP = 30.0  # seconds
_KEEP_IDS = 86_400.0


class Price(Foreign):
    """A coin's price, as CoinGecko names its parts and as it is recorded."""

    model_config = ConfigDict(populate_by_name=True)

    usd: Positive
    eur: Positive | None = None
    change_24h: Number | None = Field(default=None, alias="usd_24h_change")
    quoted_at: int = Field(ge=0, strict=True, alias="last_updated_at")  # seconds since 1970


class Prices(Value):
    """Prices by id, without ids that CoinGecko does not know."""

    coins: dict[str, Price]


class Listed(Value):
    """Ids of coins with the requested symbol, the largest first."""

    ids: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


class _Coin(Foreign):
    id: str = Field(min_length=1)
    name: str = ""
    symbol: str
    market_cap_rank: int | None = None


class _Found(Foreign):
    coins: list[Json]


class Provider(DataProvider):
    name: ClassVar[str] = "coingecko"
    base: ClassVar[str] = "https://api.coingecko.com"
    key_hint: ClassVar[str] = "COINGECKO_API_KEY"
    per_second: ClassVar[float] = 0.4  # keyless 10 to 30 a minute
    tool: ClassVar[str] = "price"

    def headers(self) -> dict[str, str]:
        if not self.key:
            return {}
        plan = "pro" if "pro-api." in self.url() else "demo"
        return {f"x-cg-{plan}-api-key": self.key}


def prices(ids: Sequence[str]) -> DataRequest:
    """Request what some coins cost, in dollars and euros."""

    def read(body: Json) -> JsonObject:
        listed = answer("coingecko", RootModel[dict[str, Json]], body).root
        found: dict[str, Price] = {}
        for wanted in ids:
            row = listed.get(wanted)
            # A coin without a price is listed as an empty object.
            if row not in (None, {}):
                found[wanted] = answer("coingecko", Price, row)
        if listed and not any(wanted in listed for wanted in ids):
            raise Malformed("outside.other_things", who="coingecko")
        return Prices(coins=found).model_dump(mode="json")

    params = {
        "ids": ",".join(ids),
        "vs_currencies": "usd,eur",
        "include_24hr_change": "true",
        "include_last_updated_at": "true",
    }
    return DataRequest("coingecko", "/api/v3/simple/price", read, _KEEP, params)


def listed(symbol: str) -> DataRequest:
    """Request the coins of exactly this symbol; many share one, the largest is meant."""

    def read(body: Json) -> JsonObject:
        found = rows("coingecko", _Coin, answer("coingecko", _Found, body).coins)
        same = [coin for coin in found if coin.symbol.upper() == symbol.upper()]
        ranked = sorted(
            (coin.market_cap_rank, coin.id, coin.name)
            for coin in same
            if coin.market_cap_rank is not None
        )
        ids, names = tuple(row[1] for row in ranked), tuple(row[2] for row in ranked)
        return Listed(ids=ids, names=names).model_dump(mode="json")

    return DataRequest("coingecko", "/api/v3/search", read, _KEEP_IDS, {"query": symbol})
