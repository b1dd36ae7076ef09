"""What assets cost now, and how far that is from their peg or from yesterday."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Annotated

from pydantic import Field, StringConstraints

from groundwire.context import Context
from groundwire.data.provider import DataRequest, Traded
from groundwire.data.providers import binance, coingecko, kraken
from groundwire.errors import Malformed, OutsideFailure
from groundwire.evidence.markets.coins import Coin, coin
from groundwire.model import measure
from groundwire.model.base import Value
from groundwire.model.measure import Measured, MeasuredBearing, Quote, data_failure
from groundwire.model.query import SearchFailure
from groundwire.model.tool import ToolResult
from groundwire.settings.schema import PriceTool

_MOST = 5  # assets: one message is about few
_FRESH = timedelta(minutes=15)
_AHEAD = timedelta(minutes=10)  # clocks may be off by this; a quote from later is refused
_STALE = timedelta(days=1)
_PEGGED_AT = 1.0

Symbol = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40, pattern=r"\S")
]


class Input(Value):
    """Which assets, by symbol or name."""

    assets: tuple[Symbol, ...] = Field(min_length=1, max_length=_MOST)


class Result(Measured):
    """Quotes, assets that nobody knows, and sources that did not answer."""

    quotes: tuple[Quote, ...] = ()
    unknown: tuple[str, ...] = ()
    failures: tuple[SearchFailure, ...] = ()
    triggered: bool = False


Source = Callable[[Context, Coin], Awaitable[Quote | None]]


async def run(context: Context, given: Input) -> Result:
    """Ask one source after the other for each asset; raises the failure when none answered."""
    quotes: list[Quote] = []
    unknown: list[str] = []
    failures: list[SearchFailure] = []
    failed: OutsideFailure | None = None
    for asset in dict.fromkeys(given.assets):
        try:
            quote = await _quoted(context, asset, failures)
        except OutsideFailure as error:
            failed = failed or error
            continue
        if quote is None:
            unknown.append(asset)
        else:
            quotes.append(quote)
    if failed is not None and not quotes:
        raise failed
    limits = PriceTool.model_validate(context.parts.tools.get("price", {}))
    return Result(
        at=context.now(),
        quotes=tuple(quotes),
        unknown=tuple(unknown),
        failures=tuple(failures),
        triggered=any(_triggers(quote, limits, context.now()) for quote in quotes),
        note="" if quotes else "outside.no_such_asset",
        params={} if quotes else {"names": list(unknown)},
    )


def degraded(found: Result) -> bool:
    """Tell whether a source did not answer though another did."""
    return bool(found.failures)


def tool_result(found: Result, finding: MeasuredBearing | None = None) -> ToolResult:
    """Return the outcome under the contract of tools."""
    newest = max((quote.quoted_at for quote in found.quotes), default=None)
    confidence = 0.0 if newest is None else 0.95 if abs(found.at - newest) <= _FRESH else 0.5
    source = ", ".join(dict.fromkeys(quote.source for quote in found.quotes)) or "coingecko"
    return measure.tool_result(
        "price", source, found, finding, confidence=confidence, triggered=found.triggered
    )


async def _quoted(context: Context, asset: str, failures: list[SearchFailure]) -> Quote | None:
    """Return the first quote that a source gives; None: CoinGecko lists no such coin."""
    wanted = coin(asset) or Coin(asset.lstrip("$#").upper(), "", asset, "", ())
    first: OutsideFailure | None = None
    for name, source in _sources(wanted):
        try:
            quote = await source(context, wanted)
            if quote is not None:
                return _believable(quote, context.now())
            if name == "coingecko":
                return None
        except OutsideFailure as error:
            first = first or error
            failures.append(data_failure(name, error))
    raise first or Malformed("outside.unknown_symbol", what=wanted.symbol)


def _sources(wanted: Coin) -> list[tuple[str, Source]]:
    """List the sources in order. Binance's dollar is USDT, which cannot measure a peg."""
    found: list[tuple[str, Source]] = [("coingecko", _from_coingecko)]
    if wanted.peg == "EUR":
        return found
    if not wanted.peg:
        found.append(("binance", partial(_from_exchange, binance.traded, "USDT")))
    return [*found, ("kraken", partial(_from_exchange, kraken.traded, "USD"))]


def _believable(quote: Quote, now: datetime) -> Quote:
    if now - _STALE <= quote.quoted_at <= now + _AHEAD:
        return quote
    why = "outside.future_quote" if quote.quoted_at > now else "outside.stale_quote"
    raise Malformed(why, who=quote.source, what=quote.asset)


def _triggers(quote: Quote, limits: PriceTool, now: datetime) -> bool:
    if now - quote.quoted_at > timedelta(hours=1):
        return False
    strayed = quote.peg and abs(quote.deviation or 0) >= limits.peg_percent
    return bool(strayed) or abs(quote.change_24h or 0) >= limits.move_percent


async def _from_coingecko(context: Context, wanted: Coin) -> Quote | None:
    name = wanted.name
    ids = (wanted.id,) if wanted.id else ()
    if not ids:
        stored = await context.data(coingecko.listed(wanted.symbol))
        listed = coingecko.Listed.model_validate(stored or {})
        ids, name = listed.ids[:1], (*listed.names, name)[0]
    if not ids:
        return None
    found = await context.data(coingecko.prices(ids))
    price = coingecko.Prices.model_validate(found or {"coins": {}}).coins.get(ids[0])
    if price is None:
        return None
    pegged = price.eur if wanted.peg == "EUR" else price.usd
    mean = _mean_of_move(price.usd, price.change_24h)
    return Quote(
        asset=wanted.symbol,
        name=name,
        price=pegged if pegged is not None and wanted.peg == "EUR" else price.usd,
        currency="EUR" if wanted.peg == "EUR" and price.eur is not None else "USD",
        change_24h=price.change_24h,
        mean_24h=mean,
        peg=wanted.peg if pegged is not None else "",
        deviation=_deviation(
            pegged if wanted.peg else price.usd, _PEGGED_AT if wanted.peg else mean
        ),
        quoted_at=_seconds("coingecko", price.quoted_at),
        source="coingecko",
    )


async def _from_exchange(
    traded: Callable[[str], DataRequest], currency: str, context: Context, wanted: Coin
) -> Quote | None:
    ask = traded(wanted.symbol)
    stored = await context.data(ask)
    if stored is None:
        return None
    pair, closed = Traded.model_validate(stored), stored.get("closed_at")
    return Quote(
        asset=wanted.symbol,
        name=wanted.name,
        price=pair.last,
        currency=currency,
        change_24h=pair.change,
        low_24h=pair.low,
        high_24h=pair.high,
        mean_24h=pair.mean,
        peg=wanted.peg,
        deviation=_deviation(pair.last, _PEGGED_AT if wanted.peg else pair.mean),
        # Kraken gives the last trade without its time.
        quoted_at=_seconds(ask.provider, closed / 1000) if closed else context.now(),
        source=ask.provider,
    )


def _mean_of_move(price: float, change: float | None) -> float | None:
    """Return the middle between now and a day ago, where nothing better is known."""
    if change is None or change <= -100:
        return None
    return (price + price / (1 + change / 100)) / 2


def _deviation(price: float | None, standard: float | None) -> float | None:
    if price is None or not standard:
        return None
    return round((price / standard - 1) * 100, 4)


def _seconds(source: str, value: float) -> datetime:
    try:
        return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise Malformed("outside.bad_time", who=source) from error
