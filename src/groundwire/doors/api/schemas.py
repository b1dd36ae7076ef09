"""Shared by the routes: parameters that mean the same everywhere, and links."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any

from fastapi import Header, Path, Query
from pydantic import BeforeValidator, Field

from groundwire.errors import Unfit
from groundwire.jobs import kinds
from groundwire.model.base import Instant, JsonObject, Value
from groundwire.model.phrase import Phrase
from groundwire.words import Words as Catalogue

MOST = 100  # of a list, at once


def _require_form(pattern: str, code: str) -> BeforeValidator:
    """Return a validator that refuses text of another form; place it after a number's limits."""
    form = re.compile(pattern, re.ASCII)

    def check(value: object) -> object:
        if isinstance(value, str) and not form.fullmatch(value):
            raise Unfit(code)
        return value

    return BeforeValidator(check)


_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_CLOCK = "[0-9]{2}:[0-9]{2}:[0-9]{2}"
# Pydantic alone would accept seconds, `1.0`, `+1` and `１`, too.
Day = Annotated[date, _require_form(_DAY, "input.day")]
Moment = Annotated[Instant, _require_form(f"{_DAY}[Tt ]{_CLOCK}.*", "input.moment")]
Switch = Annotated[bool, _require_form("true|false", "input.switch")]
_SHARE = _require_form("[0-9.]{1,30}(?:[eE]-?[0-9]{1,3})?", "input.share")
Share = Annotated[float, Field(ge=0, le=1), _SHARE]
WHOLE = _require_form("-?[0-9]{1,18}", "input.whole_number")

Limit = Annotated[int, Field(ge=1, le=MOST), WHOLE, Query(description="how many at most")]
RunId = Annotated[str, Path(description="a run's whole id", examples=[f"{kinds()[0]}-1f3a5c7e90"])]
Cursor = Annotated[
    str | None,
    Query(
        pattern=r"^[0-9]{1,18}\.[A-Za-z0-9_-]{1,100}$",
        description="the `next` of the stretch before; stays true while others are added",
    ),
]
Words = Annotated[str, Query(max_length=400)]
IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        pattern=r"^[!-~]{1,200}$",
        description="the same key and body again give the same run; another body is a conflict",
    ),
]


class Told(Phrase):
    """A sentence, by its code and in words."""

    code: str = Field(description="of the sentence; empty where an older version kept none")
    detail: str = Field(description="the sentence, in the language of Accept-Language")


def translate(code: str, params: JsonObject, say: Catalogue) -> Told:
    """Put a code into words; a sentence of an older version stands for itself."""
    return Told(code=code if say.has(code) else "", params=params, detail=say(code, **params))


class Links(Value):
    """Where to go on."""

    self: str = Field(description="the run")
    events: str = Field(description="its events: server-sent, or JSON when asked for")
    export: str = Field(description="its result as a file; add `?format=`")


def links(run_id: str) -> Links:
    path = f"/api/runs/{run_id}"
    return Links(self=path, events=f"{path}/events", export=f"{path}/export")


LOCATION: dict[str, Any] = {"Location": {"description": "the run", "schema": {"type": "string"}}}


def takes(media_type: str, schema: Any, *, required: bool = True) -> dict[str, Any]:
    """Describe a body that the operation reads by itself."""
    return {"requestBody": {"required": required, "content": {media_type: {"schema": schema}}}}


def leads_to(*operations: str, **parameters: str) -> dict[str, Any]:
    """Describe the links of an answer: which operations take which part of it."""
    return {
        "links": {
            each.partition("_")[2]: {"operationId": each, "parameters": parameters}
            for each in operations
        }
    }
