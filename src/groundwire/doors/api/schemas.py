"""What the routes share: parameters that mean the same everywhere, and links."""

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


def _written(pattern: str, code: str) -> BeforeValidator:
    """Return what refuses a text of another form; it stands after the limits of a number, so that
    they are its own."""
    form = re.compile(pattern, re.ASCII)

    def check(value: object) -> object:
        if isinstance(value, str) and not form.fullmatch(value):
            raise Unfit(code)
        return value

    return BeforeValidator(check)


_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_CLOCK = "[0-9]{2}:[0-9]{2}:[0-9]{2}"
# What would also be read as a day or a number, such as seconds, `1.0`, `+1` and `１`, is none.
Day = Annotated[date, _written(_DAY, "input.day")]
Moment = Annotated[Instant, _written(f"{_DAY}[Tt ]{_CLOCK}.*", "input.moment")]
Switch = Annotated[bool, _written("true|false", "input.switch")]
_SHARE = _written("[0-9.]{1,30}(?:[eE]-?[0-9]{1,3})?", "input.share")
Share = Annotated[float, Field(ge=0, le=1), _SHARE]
WHOLE = _written("-?[0-9]{1,18}", "input.whole_number")

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
    """Something said, by its code and in words."""

    code: str = Field(description="of the sentence; empty where an older version kept none")
    detail: str = Field(description="the sentence, in the language of Accept-Language")


def told(code: str, params: JsonObject, say: Catalogue) -> Told:
    """Return what a code says; a sentence of an older version is its own words."""
    return Told(code=code if say.has(code) else "", params=params, detail=say(code, **params))


class Links(Value):
    """Where to go on."""

    self: str = Field(description="the run")
    events: str = Field(description="its events: server-sent, or JSON when asked for")
    export: str = Field(description="its result as a file; add `?format=`")


def links(run_id: str) -> Links:
    here = f"/api/runs/{run_id}"
    return Links(self=here, events=f"{here}/events", export=f"{here}/export")


LOCATION: dict[str, Any] = {"Location": {"description": "the run", "schema": {"type": "string"}}}


def leads_to(*operations: str, **parameters: str) -> dict[str, Any]:
    """The links of an answer: which operations take what stands where in it."""
    return {
        "links": {
            each.partition("_")[2]: {"operationId": each, "parameters": parameters}
            for each in operations
        }
    }
