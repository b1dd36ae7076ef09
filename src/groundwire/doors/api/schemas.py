"""What the routes share: parameters that mean the same everywhere, and links."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any

from fastapi import Header, Path, Query
from pydantic import BeforeValidator, Field

from groundwire.errors import Unfit
from groundwire.model.base import Instant, Value

MOST = 100  # of a list, at once
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}.*", re.ASCII)


def _day(value: object) -> object:
    """A day only: what would also be read as a day, such as a number of seconds, is none."""
    if isinstance(value, str) and not _DAY.fullmatch(value):
        raise Unfit("input.day")
    return value


def _moment(value: object) -> object:
    if isinstance(value, str) and not _MOMENT.fullmatch(value):
        raise Unfit("input.moment")
    return value


def _number(value: object) -> object:
    """Digits only: `1.0`, `+1` and `１` are read as numbers elsewhere."""
    if isinstance(value, str) and not re.fullmatch(r"-?[0-9]{1,18}", value):
        raise Unfit("input.whole_number")
    return value


def _share(value: object) -> object:
    if isinstance(value, str) and not re.fullmatch(r"[0-9.]{1,30}(?:[eE]-?[0-9]{1,3})?", value):
        raise Unfit("input.share")
    return value


def _switch(value: object) -> object:
    if isinstance(value, str) and value not in ("true", "false"):
        raise Unfit("input.switch")
    return value


Day = Annotated[date, BeforeValidator(_day)]
Moment = Annotated[Instant, BeforeValidator(_moment)]
Switch = Annotated[bool, BeforeValidator(_switch)]
Share = Annotated[float, Field(ge=0, le=1), BeforeValidator(_share)]
WHOLE = BeforeValidator(_number)  # stands after the limits of a number, so that they are its own

Limit = Annotated[int, Field(ge=1, le=MOST), WHOLE, Query(description="how many at most")]
RunId = Annotated[str, Path(description="a run's whole id", examples=["ask-1f3a5c7e90"])]
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
