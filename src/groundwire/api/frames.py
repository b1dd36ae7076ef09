"""Events as they are sent: the stream is exactly the journal."""

from __future__ import annotations

from groundwire.log import Redactor
from groundwire.model.base import canonical
from groundwire.model.event import Event

HEARTBEAT = b": still here\n\n"


def encode(event: Event, redactor: Redactor | None = None) -> bytes:
    """A server-sent event: its number is the id that a browser comes back with."""
    value = event.model_dump(mode="json", exclude={"key"})
    if redactor is not None:
        value = redactor.value(value)
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (
        event.seq,
        event.type.encode(),
        canonical(value),
    )
