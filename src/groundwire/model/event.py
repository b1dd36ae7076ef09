"""Events of a run: the journal is the stream, exactly."""

from __future__ import annotations

from typing import Literal

from groundwire.model.base import Instant, JsonObject, Value, fingerprint

EventType = Literal[
    "run", "thought", "evidence", "proposal", "progress", "skeleton", "detail", "synthesis",
    "answer", "forum", "chart", "insight", "signal", "brief", "cost", "warning", "gap",
    "complete", "failed", "cancelled",
]  # fmt: skip


def event_key(run_id: str, attempt: int, step: str, kind: str, ordinal: int) -> str:
    """The same event after a restart has the same key, so the journal drops it."""
    return fingerprint([run_id, attempt, step, kind, ordinal])


class Draft(Value):
    """An event before the journal numbers it; payloads hold nothing that depends on order."""

    key: str
    attempt: int
    step: str
    type: EventType
    payload: JsonObject


class Event(Value):
    """An event as stored."""

    run_id: str
    seq: int
    key: str
    attempt: int
    step: str
    type: EventType
    payload: JsonObject
    at: Instant
