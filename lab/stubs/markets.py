"""A market as a table, as CoinGecko, Binance, Kraken, DefiLlama and FRED report it, fail and lie."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple, cast
from urllib.parse import unquote

from groundwire.evidence.markets.coins import coins
from groundwire.model.base import Value
from lab.stubs.calllog import Inbound
from lab.stubs.engines import query_params
from lab.stubs.faults import Fault
from lab.stubs.harness import StubReply, json_reply
from lab.stubs.terms import Json

HOSTS = {
    "coingecko": "api.coingecko.com",
    "binance": "api.binance.com",
    "kraken": "api.kraken.com",
    "defillama": "api.llama.fi",
    "stablecoins": "stablecoins.llama.fi",
    "fred": "api.stlouisfed.org",
}
_KRAKEN = {"XBT": "BTC", "XDG": "DOGE"}
_PRICES = {"usd", "eur", "price", "lastPrice", "totalLiquidityUSD", "amount", "value", "c"}
_TIMES = {"last_updated_at", "closeTime"}
_EMPTY: dict[str, Json] = {
    "coingecko": {},
    "binance": {"code": -1121, "msg": "Invalid symbol."},
    "kraken": {"error": ["EQuery:Unknown asset pair"]},
    "defillama": [],
    "stablecoins": {"peggedAssets": []},
    "fred": {"observations": []},
}


class Hack(Value):
    """An entry in DefiLlama's list."""

    name: str
    date: date
    amount: float | None = None
    technique: str = ""


class Market(NamedTuple):
    """Prices in dollars by symbol, a day's changes in percent, supplies, hacks, value locked."""

    prices: Mapping[str, float]
    now: datetime
    changes: Mapping[str, float] = {}
    supplies: Mapping[str, tuple[float, float]] = {}
    hacks: Sequence[Hack] = ()
    locked: Mapping[str, tuple[float, float]] = {}
    series: Mapping[str, Mapping[str, float]] = {}


def respond(market: Market, name: str, path: str, params: Mapping[str, str]) -> tuple[int, Json]:
    """Return status and body of a GET as the named source would answer."""
    match name, path:
        case "coingecko", "/api/v3/simple/price":
            return 200, coingecko_prices(market, params.get("ids", "").split(","))
        case "coingecko", "/api/v3/search":
            return 200, coingecko_search(market, params.get("query", ""))
        case "binance", "/api/v3/ticker/24hr":
            return binance_ticker(market, params.get("symbol", ""))
        case "kraken", "/0/public/Ticker":
            return 200, kraken_ticker(market, params.get("pair", ""))
        case "stablecoins", "/stablecoins":
            return 200, stablecoins(market)
        case "defillama", "/hacks":
            return 200, hacks(market)
        case "defillama", _ if path.startswith("/protocol/"):
            return protocol(market, unquote(path.removeprefix("/protocol/")))
        case "defillama", _ if path.startswith("/tvl/"):
            locked = market.locked.get(unquote(path.removeprefix("/tvl/")))
            return (400, {"message": "Protocol not found"}) if locked is None else (200, locked[0])
        case "fred", "/fred/series/observations":
            return observations(market, params)
        case _:
            return 404, {"error": "Not Found"}


def coingecko_prices(market: Market, ids: Sequence[str]) -> Json:
    by_id = {coin.id: symbol for symbol, coin in coins().items()}
    found: dict[str, Json] = {}
    for each in ids:
        symbol = by_id.get(each, each.removeprefix("stub-").upper())
        price = market.prices.get(symbol)
        if price is not None:
            found[each] = {
                "usd": price,
                "eur": price if symbol.startswith("EUR") else round(price / 1.08, 6),
                "usd_24h_change": market.changes.get(symbol, 0.1),
                "last_updated_at": int(market.now.timestamp()),
            }
    return found


def coingecko_search(market: Market, query: str) -> Json:
    """Find coins by symbol, each with a namesake that has no rank."""
    rows: list[Json] = []
    for place, symbol in enumerate(sorted(market.prices), start=1):
        if query.upper() in symbol:
            known = coins().get(symbol)
            name = known.name if known else symbol.title()
            known_id = known.id if known else f"stub-{symbol.lower()}"
            copy_id, copy = f"{symbol.lower()}-copy", f"{symbol} copy"
            rows.append({"id": known_id, "name": name, "symbol": symbol, "market_cap_rank": place})
            rows.append({"id": copy_id, "name": copy, "symbol": symbol, "market_cap_rank": None})
    return {"coins": rows, "exchanges": []}


def binance_ticker(market: Market, pair: str) -> tuple[int, Json]:
    symbol = pair.removesuffix("USDT")
    price = market.prices.get(symbol)
    if price is None or symbol == "USDT":
        return 400, {"code": -1121, "msg": "Invalid symbol."}
    change = market.changes.get(symbol, 0.1)
    opened = price / (1 + change / 100)
    closed = int(market.now.timestamp() * 1000)
    return 200, {
        "symbol": pair,
        "priceChangePercent": f"{change:.3f}",
        "weightedAvgPrice": f"{(price + opened) / 2:.8f}",
        "lastPrice": f"{price:.8f}",
        "highPrice": f"{max(price, opened):.8f}",
        "lowPrice": f"{min(price, opened):.8f}",
        "closeTime": closed,
    }


def kraken_ticker(market: Market, pair: str) -> Json:
    name = pair.removesuffix("USD")
    symbol = _KRAKEN.get(name, name)
    price = market.prices.get(symbol)
    if price is None:
        return {"error": ["EQuery:Unknown asset pair"]}
    opened = price / (1 + market.changes.get(symbol, 0.1) / 100)
    low, high, mean = (
        f"{each:.5f}" for each in (min(price, opened), max(price, opened), (price + opened) / 2)
    )
    row: Json = {
        "c": [f"{price:.5f}", "0.10000000"],
        "p": [mean, mean],
        "l": [low, low],
        "h": [high, high],
    }
    return {"error": [], "result": {f"X{name}ZUSD" if name in _KRAKEN else pair: row}}


def stablecoins(market: Market) -> Json:
    rows: list[Json] = []
    for symbol, coin in coins().items():
        if not coin.peg or symbol not in market.prices:
            continue
        peg = f"pegged{coin.peg}"
        supply, before = market.supplies.get(symbol, (1e9, 1e9))
        rows.append(
            {
                "name": coin.name,
                "symbol": symbol,
                "pegType": peg,
                "circulating": {peg: supply},
                "circulatingPrevDay": {peg: before},
                "price": market.prices[symbol],
            }
        )
    return {"peggedAssets": rows}


def hacks(market: Market) -> Json:
    return [
        {
            "date": int(datetime.combine(hack.date, time(), UTC).timestamp()),
            "name": hack.name,
            "technique": hack.technique or "Unknown",
            "amount": hack.amount,
            "chain": ["Ethereum"],
        }
        for hack in market.hacks
    ]


def protocol(market: Market, slug: str) -> tuple[int, Json]:
    locked = market.locked.get(slug)
    if locked is None:
        return 400, {"message": "Protocol not found"}
    now, before = locked
    moments = [market.now - timedelta(days=days) for days in (3, 2, 1, 0)]
    points: list[Json] = [
        {"date": int(moment.timestamp()), "totalLiquidityUSD": value}
        for moment, value in zip(moments, (before, before, before, now), strict=True)
    ]
    name = slug.replace("-", " ").title()
    return 200, {"id": "1", "name": name, "chains": ["Ethereum"], "tvl": points}


def observations(market: Market, params: Mapping[str, str]) -> tuple[int, Json]:
    key = params.get("api_key", "")
    if not key or key == "wrong":
        message = "Bad Request.  The value for variable api_key is not registered."
        return 400, {"error_code": 400, "error_message": message}
    values = market.series.get(f"{params.get('series_id')}:{params.get('units', 'lin')}")
    if values is None:
        return 400, {"error_code": 400, "error_message": "Bad Request.  The series does not exist."}
    until = params.get("observation_end", "9999-12-31")
    days = sorted((day for day in values if day <= until), reverse=True)
    wanted = days[: int(params.get("limit", "100000"))]
    rows: list[Json] = [{"date": day, "value": f"{values[day]}"} for day in wanted]
    return 200, {"units": params.get("units", "lin"), "count": len(days), "observations": rows}


def sample(now: datetime) -> Market:
    """Build a quiet day: every peg holds, one protocol was robbed the day before."""
    yesterday = (now - timedelta(days=1)).date()
    months = {f"{now.year - 1}-{month:02d}-01": 3.0 + month / 10 for month in range(1, 13)}
    return Market(
        prices={
            "BTC": 60_120.5,
            "ETH": 2_510.25,
            "SOL": 140.1,
            "USDC": 0.9998,
            "USDT": 1.0002,
            "DAI": 0.9996,
            "EURC": 1.0001,
            "NEWT": 0.25,
        },
        now=now,
        changes={"BTC": -2.1, "ETH": -3.4, "SOL": -12.5, "USDC": 0.01, "USDT": 0.0},
        supplies={"USDC": (4.0e10, 4.1e10), "USDT": (1.2e11, 1.2e11)},
        hacks=(Hack(name="Euler V1", date=yesterday, amount=197e6, technique="Flash loan"),),
        locked={"euler-finance": (1.0e7, 2.0e8), "aave": (1.0e10, 1.01e10)},
        series={"CPIAUCNS:pc1": months, "UNRATE:lin": dict.fromkeys(months, 4.1)},
    )


class Exchange:
    """One source; the detail of `lying` says how: negative, text, nan, stale."""

    def __init__(
        self, name: str, now: Callable[[], datetime], market: Market | None = None
    ) -> None:
        self.name = name
        self._now = now
        self._market = market

    def answer(self, request: Inbound, fault: Fault | None) -> StubReply:
        if fault is not None and fault.kind == "wrong_schema":
            return json_reply({"ok": True, "quotes": [{"v": 1}]})
        if fault is not None and fault.kind == "empty":
            return json_reply(_EMPTY[self.name], 400 if self.name == "binance" else 200)
        market = self._market or sample(self._now())
        status, body = respond(market, self.name, request.path, query_params(request))
        if fault is not None and fault.kind == "lying":
            body = falsify(body, fault.detail or "negative")
        return json_reply(body, status)

    def refuse(self, status: int, fault: Fault) -> StubReply:
        """Refuse in the vendor's error shape."""
        wait = (("retry-after", f"{fault.seconds:g}"),) if status == 429 else ()
        body: Json = {"status": {"error_code": status, "error_message": f"refused {status}"}}
        if self.name == "binance":
            body = {"code": 0, "msg": f"refused {status}"}
        elif self.name == "fred":
            body = {"error_code": status, "error_message": f"refused {status}"}
        return json_reply(body, status, wait)


def falsify(body: Json, how: str) -> Json:
    """Replace the prices of an answer by impossible ones, or its times by old ones."""
    if isinstance(body, list):
        return [falsify(each, how) for each in body]
    if not isinstance(body, dict):
        return body
    return {
        name: _falsify_value(value, how)
        if name in (_TIMES if how == "stale" else _PRICES)
        else falsify(value, how)
        for name, value in body.items()
    }


def _falsify_value(value: Json, how: str) -> Json:
    if how == "stale":
        age = timedelta(days=3).total_seconds()
        unit = 1000 if cast("float", value) > 1e11 else 1
        return int(cast("float", value) - age * unit)
    as_text = isinstance(value, str | list)  # exchanges write their numbers as text
    lie: Json = {"negative": -1.0, "text": "one dollar", "nan": math.nan}[how]
    if isinstance(value, list):
        return [str(lie), *value[1:]]
    return str(lie) if as_text else lie
