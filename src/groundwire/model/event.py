"""Events of a run: the journal is the stream, exactly."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from groundwire.model.base import Instant, JsonObject, Value, fingerprint

# A type that all jobs share, or one of a job's own: it declares those in its steps
# (`model.story.types_of`). It is a line of a stream: nothing but letters and `_`.
EventType = Annotated[str, Field(pattern=r"^[a-z][a-z_]{0,39}$")]


def event_key(run_id: str, attempt: int, step: str, kind: str, ordinal: int) -> str:
    """Return an event's key: the same after a restart, so that the journal drops the repetition."""
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
