"""Events as they are sent: the stream is exactly the journal."""

from __future__ import annotations

from typing import cast

from groundwire.log import Redactor
from groundwire.model.base import Instant, JsonObject, Value, canonical
from groundwire.model.event import Event, EventType

HEARTBEAT = b": still here\n\n"
AWAY = b": the journal cannot be read just now, come back\n\n"
RETRY = b"retry: 1000\n\n"  # milliseconds after which a browser comes back


# An event of the stream; its data is an `EventView`.
SCHEMA: JsonObject = {
    "type": "object",
    "required": ["data"],
    "properties": {
        "id": {"type": "string", "description": "the event's number"},
        "event": {"type": "string", "description": "its type"},
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": {"$ref": "#/components/schemas/EventView"},
        },
    },
}


class EventView(Value):
    """An event as the API shows it: its key is only the journal's own."""

    run_id: str
    seq: int
    attempt: int
    step: str
    type: EventType
    payload: JsonObject
    at: Instant


def view(event: Event, redactor: Redactor | None = None) -> JsonObject:
    """What is sent of an event; `EventView` says what is in it."""
    value: JsonObject = event.model_dump(mode="json", exclude={"key"})
    return value if redactor is None else cast(JsonObject, redactor.value(value))


def encode(event: Event, redactor: Redactor | None = None) -> bytes:
    """A server-sent event: its number is the id that a browser comes back with."""
    data = canonical(view(event, redactor))
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (event.seq, event.type.encode(), data)
