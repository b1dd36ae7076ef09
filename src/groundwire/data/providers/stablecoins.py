"""DefiLlama's stablecoins: price and supply of every one, now and a day before; no key."""

from __future__ import annotations

from typing import Annotated, ClassVar, cast

from pydantic import BeforeValidator, Field

from groundwire.data.provider import DataProvider, DataRequest, Number, Positive
from groundwire.gateway.vendor import Foreign, answer, rows
from groundwire.model.base import Json, JsonObject, Value

_KEEP = 300.0


class Stablecoin(Value):
    """A stablecoin as it is recorded; `price` is in dollars."""

    symbol: str
    name: str
    peg: str  # peggedUSD, peggedEUR…
    price: float
    supply: float | None = None
    supply_before: float | None = None


class Stablecoins(Value):
    """All that have a price, the largest first, as DefiLlama lists them."""

    coins: tuple[Stablecoin, ...] = ()


def _empty_if_unknown(value: Json) -> Json:
    """Replace the number that stands for an unknown supply with an empty object."""
    return cast("Json", value) if isinstance(value, dict) else {}


_Supply = Annotated[dict[str, Number | None], BeforeValidator(_empty_if_unknown)]


class _Coin(Foreign):
    name: str
    symbol: str = Field(min_length=1)
    pegType: str  # DefiLlama's own names
    price: Positive | None = None
    circulating: _Supply = Field(default_factory=dict[str, Number | None])
    circulatingPrevDay: _Supply = Field(default_factory=dict[str, Number | None])


class _Answer(Foreign):
    peggedAssets: list[Json]


class Provider(DataProvider):
    name: ClassVar[str] = "stablecoins"
    base: ClassVar[str] = "https://stablecoins.llama.fi"
    tool: ClassVar[str] = "onchain"


def stablecoins() -> DataRequest:
    """Request every stablecoin that it follows."""

    def read(body: Json) -> JsonObject:
        listed = answer("stablecoins", _Answer, body).peggedAssets
        found = tuple(
            Stablecoin(
                symbol=coin.symbol,
                name=coin.name,
                peg=coin.pegType,
                price=coin.price,
                supply=coin.circulating.get(coin.pegType),
                supply_before=coin.circulatingPrevDay.get(coin.pegType),
            )
            for coin in rows("stablecoins", _Coin, listed)
            if coin.price is not None
        )
        return Stablecoins(coins=found).model_dump(mode="json")

    return DataRequest("stablecoins", "/stablecoins", read, _KEEP, {"includePrices": "true"})
