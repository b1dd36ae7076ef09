"""One follower's stream of server-sent events, from its first byte until it is over or it leaves."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from groundwire.doors.api.frames import AWAY, HEARTBEAT, RETRY
from groundwire.errors import GroundwireError
from groundwire.runs.broadcast import Frames

MEDIA_TYPE = "text/event-stream"
_LOOK = 60.0  # seconds after which it is asked again whether the follower may still read
_HEADERS = {
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",  # nginx holds answers back otherwise
}


class EventStream(Response):
    """Sends what is written out already. An end without the run's last event means: come back.

    `may` says whether the follower may still read: its token may be revoked meanwhile.
    """

    media_type = MEDIA_TYPE

    def __init__(self, frames: AsyncGenerator[Frames], may: Callable[[], Awaitable[bool]]) -> None:
        super().__init__(headers=_HEADERS)
        del self.headers["content-length"]  # nobody knows it
        self._frames = frames
        self._may = may

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        sending = asyncio.create_task(self._send_all(send))
        leaving = asyncio.create_task(_left(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
        finally:
            for task in (sending, leaving):
                task.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)

    async def _send_all(self, send: Send) -> None:
        await send(
            {
                "type": "http.response.start",
                "status": self.status_code,
                "headers": self.raw_headers,
            }
        )
        await send(_body(RETRY))
        looked = time.monotonic()
        try:
            async with aclosing(self._frames) as following:
                async for frames in following:
                    await send(_body(frames.data if frames else HEARTBEAT))
                    if time.monotonic() - looked > _LOOK:
                        looked = time.monotonic()
                        if not await self._may():
                            break
        except GroundwireError:
            await send(_body(AWAY))  # the tail has logged what it is
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _body(data: bytes) -> Message:
    return {"type": "http.response.body", "body": data, "more_body": True}


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
