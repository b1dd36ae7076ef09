"""Stubs of the sources of numbers: one market, six wire forms, and how each of them fails and lies."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import cast

from lab.stubs.calllog import Inbound
from lab.stubs.engines import params
from lab.stubs.faults import Fault
from lab.stubs.harness import StubReply, json_reply
from lab.stubs.markets import HOSTS, Market, respond, sample
from lab.stubs.terms import Json

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


class Exchange:
    """One source. `lying` is told how by its detail: negative, text, nan, stale."""

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
        status, body = respond(market, self.name, request.path, params(request))
        if fault is not None and fault.kind == "lying":
            body = lied(body, fault.detail or "negative")
        return json_reply(body, status)

    def refuse(self, status: int, fault: Fault) -> StubReply:
        """A refusal in the words of most: the status says it."""
        wait = (("retry-after", f"{fault.seconds:g}"),) if status == 429 else ()
        said: Json = {"status": {"error_code": status, "error_message": f"refused {status}"}}
        if self.name == "binance":
            said = {"code": 0, "msg": f"refused {status}"}
        elif self.name == "fred":
            said = {"error_code": status, "error_message": f"refused {status}"}
        return json_reply(said, status, wait)


def lied(body: Json, how: str) -> Json:
    """The same answer with prices that cannot be, or with old times."""
    if isinstance(body, list):
        return [lied(each, how) for each in body]
    if not isinstance(body, dict):
        return body
    return {
        name: _lie(value, how)
        if name in (_TIMES if how == "stale" else _PRICES)
        else lied(value, how)
        for name, value in body.items()
    }


def _lie(value: Json, how: str) -> Json:
    if how == "stale":
        gone = timedelta(days=3).total_seconds()
        unit = 1000 if cast("float", value) > 1e11 else 1
        return int(cast("float", value) - gone * unit)
    written = isinstance(value, str | list)  # exchanges write their numbers as text
    lie: Json = {"negative": -1.0, "text": "one dollar", "nan": math.nan}[how]
    if isinstance(value, list):
        return [str(lie), *value[1:]]
    return str(lie) if written else lie


NAMES = tuple(HOSTS)
