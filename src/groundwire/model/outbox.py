"""Results that are to be handed on."""

from __future__ import annotations

from typing import Literal

from groundwire.model.base import Instant, JsonObject, Value


class Parcel(Value):
    """A row of the outbox: a result that is to be handed on, once."""

    id: str
    run_id: str
    attempt: int
    kind: Literal["signal", "sighting"]
    payload: JsonObject
    created_at: Instant
    delivered_at: Instant | None = None
    tries: int = 0
    error: str = ""
