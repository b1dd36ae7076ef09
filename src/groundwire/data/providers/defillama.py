"""DefiLlama: what protocols hold, and its list of hacks; no key."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import ClassVar
from urllib.parse import quote

from pydantic import Field, RootModel

from groundwire.data.provider import DataProvider, DataRequest, Number
from groundwire.errors import Malformed
from groundwire.gateway.vendor import Foreign, answer, rows
from groundwire.model.base import Json, JsonObject, Value
from groundwire.model.measure import Locked, Theft

_KEEP = 300.0
_DAY = 86_400
_MOST_PROTOCOL = 12_000_000  # the history of the largest protocols is larger: then only today's


class Thefts(Value):
    """The list of hacks, newest first."""

    entries: tuple[Theft, ...] = ()


class _Hack(Foreign):
    name: str = Field(min_length=1)
    date: Number
    amount: Number | None = None
    technique: str | None = None
    chain: list[str] | str | None = None


class _Point(Foreign):
    date: Number
    totalLiquidityUSD: Number = Field(ge=0)  # DefiLlama's own name


class _Protocol(Foreign):
    name: str
    tvl: list[Json]


class Provider(DataProvider):
    name: ClassVar[str] = "defillama"
    base: ClassVar[str] = "https://api.llama.fi"
    tool: ClassVar[str] = "onchain"


def thefts() -> DataRequest:
    """Request every hack that it lists."""

    def read(body: Json) -> JsonObject:
        listed = answer("defillama", RootModel[list[Json]], body).root
        found = [_theft(hack) for hack in rows("defillama", _Hack, listed)]
        known = sorted((each for each in found if each), key=lambda t: (t.day, t.name))
        return Thefts(entries=tuple(reversed(known))).model_dump(mode="json")

    return DataRequest("defillama", "/hacks", read, _KEEP)


def locked(slug: str) -> DataRequest:
    """Request what a protocol holds now and held a day before."""

    def read(body: Json) -> JsonObject:
        found = answer("defillama", _Protocol, body)
        points = sorted(
            (point.date, point.totalLiquidityUSD) for point in rows("defillama", _Point, found.tvl)
        )
        if not points:
            raise Malformed("outside.no_history", who="defillama")
        at, now = points[-1]
        before = [value for date, value in points if date <= at - 0.75 * _DAY]
        moment = _moment(at)
        return Locked(
            name=found.name, now=now, before=before[-1] if before else None, at=moment
        ).model_dump(mode="json")

    path = f"/protocol/{quote(slug, safe='')}"
    return DataRequest("defillama", path, read, _KEEP, absent=_unknown, most=_MOST_PROTOCOL)


def locked_now(slug: str) -> DataRequest:
    """Request what a protocol holds now, where its history is too large to be read."""

    def read(body: Json) -> JsonObject:
        if isinstance(body, bool) or not isinstance(body, int | float) or not body >= 0:
            raise Malformed("outside.form", who="defillama")
        try:
            return Locked(name=slug, now=float(body)).model_dump(mode="json")
        except ValueError as error:
            raise Malformed("outside.no_amount", who="defillama") from error

    return DataRequest("defillama", f"/tvl/{quote(slug, safe='')}", read, _KEEP, absent=_unknown)


def _theft(hack: _Hack) -> Theft | None:
    moment = _moment(hack.date)
    if moment is None:
        return None
    chains = (hack.chain,) if isinstance(hack.chain, str) else tuple(hack.chain or ())
    amount = hack.amount if hack.amount is not None and hack.amount > 0 else None
    return Theft(
        name=hack.name,
        day=moment.date(),
        amount=amount,
        technique=(hack.technique or "")[:80],
        chains=chains[:4],
    )


def _moment(seconds: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _unknown(status: int, body: bytes) -> bool:
    """Recognise the 400 or 404, in words, for an unknown protocol."""
    if status not in (400, 404):
        return False
    text = body[:500].decode(errors="replace").lower()
    return "not found" in text or "not in our database" in text
