"""Events as they are sent, and a follower's stream of them: exactly the journal."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import cast

from pydantic import Field
from starlette.responses import StreamingResponse
from starlette.types import Send

from groundwire.errors import GroundwireError
from groundwire.log import Redactor
from groundwire.model.base import JsonObject, canonical
from groundwire.model.event import Event
from groundwire.runs.broadcast import Frames

Check = Callable[[], Awaitable[bool]]
MEDIA_TYPE = "text/event-stream"
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
_RECHECK = 60.0  # seconds between checks that the follower may still read
_HEADERS = {
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",  # nginx holds answers back otherwise
}


class EventView(Event):
    """An event as the API shows it: without its key, which is internal."""

    key: str = Field(default="", exclude=True)


def view(event: Event, redactor: Redactor) -> JsonObject:
    """Return what is sent of an event, as `EventView` describes it."""
    return cast(JsonObject, redactor.value(event.model_dump(mode="json", exclude={"key"})))


def encode(event: Event, redactor: Redactor) -> bytes:
    """Encode a server-sent event; its number is the id that a browser comes back with."""
    data = canonical(view(event, redactor))
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (event.seq, event.type.encode(), data)


class EventStream(StreamingResponse):
    """Sends encoded events. An end without the run's last event means: come back.

    `may_read` is asked now and then: the follower's token may be revoked.
    """

    media_type = MEDIA_TYPE

    def __init__(self, frames: AsyncGenerator[Frames], may_read: Check) -> None:
        self._chunks = _chunks(frames, may_read)
        super().__init__(self._chunks, headers=_HEADERS)

    async def stream_response(self, send: Send) -> None:
        async with aclosing(self._chunks):  # ends the following with the connection
            await super().stream_response(send)


async def _chunks(frames: AsyncGenerator[Frames], may_read: Check) -> AsyncGenerator[bytes]:
    yield RETRY
    checked_at = time.monotonic()
    try:
        async with aclosing(frames):
            async for each in frames:
                yield each.data if each else HEARTBEAT
                if time.monotonic() - checked_at > _RECHECK:
                    checked_at = time.monotonic()
                    if not await may_read():
                        break
    except GroundwireError:
        yield AWAY  # the tail has logged it
