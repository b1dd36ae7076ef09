"""FRED: economic series of the St. Louis Fed; the key goes into the address when it is sent."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date
from typing import ClassVar

from groundwire.data.provider import DataProvider, DataRequest
from groundwire.errors import Malformed, RateLimited
from groundwire.gateway.vendor import Foreign, answer, json_object, rows
from groundwire.model.base import Json, JsonObject, Value
from groundwire.model.measure import Observation

_KEEP = 3_600.0
_LOCKED = 423
_UNKNOWN = "series does not exist"


class Observations(Value):
    """Values of a series, newest first; days without one are left out."""

    values: tuple[Observation, ...] = ()


class _Observation(Foreign):
    date: date
    value: str


class _Answer(Foreign):
    observations: list[Json]


class Provider(DataProvider):
    name: ClassVar[str] = "fred"
    base: ClassVar[str] = "https://api.stlouisfed.org"
    needs_key: ClassVar[bool] = True
    key_hint: ClassVar[str] = "FRED_API_KEY"
    per_second: ClassVar[float] = 2.0
    tool: ClassVar[str] = "macro"

    def secret_params(self) -> dict[str, str]:
        return {"api_key": self.key} if self.key else {}

    def check(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        # It answers 400 to a wrong key, and 423 to too many requests.
        if status == 400 and "api_key" in _error_message(body):
            raise self.wrong_key(status)
        if status == _LOCKED:
            raise RateLimited("outside.shut_out", who="fred", status=status)
        super().check(status, headers, body)


def observations(series: str, units: str, limit: int, until: date) -> DataRequest:
    """Request the newest values of a series up to a day, in FRED's units: lin, chg, pch, pc1."""

    def read(body: Json) -> JsonObject:
        listed = rows("fred", _Observation, answer("fred", _Answer, body).observations)
        found = [
            Observation(day=each.date, value=_value(each.value))
            for each in listed
            if each.value != "."
        ]
        newest = sorted(found, key=lambda each: each.day, reverse=True)
        return Observations(values=tuple(newest)).model_dump(mode="json")

    params = {
        "series_id": series,
        "file_type": "json",
        "sort_order": "desc",
        "limit": str(limit),
        "observation_end": until.isoformat(),
        "units": units,
    }
    return DataRequest("fred", "/fred/series/observations", read, _KEEP, params, _unknown)


def _value(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise Malformed("outside.no_number", who="fred")
    return value


def _unknown(status: int, body: bytes) -> bool:
    return status in (400, 404) and _UNKNOWN in _error_message(body)


def _error_message(body: bytes) -> str:
    return str(json_object(body).get("error_message", ""))
