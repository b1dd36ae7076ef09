"""What a request is told that a stopping desk can no longer wait for."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundwire.doors.api import problems
from groundwire.doors.api.door import Desk


class Ending:
    """A request that is cut off because the desk stops is answered, if it was not yet."""

    def __init__(self, inner: ASGIApp, desk: Desk) -> None:
        self._inner = inner
        self._desk = desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._inner(scope, receive, sending)
        except asyncio.CancelledError:
            if begun or scope["type"] != "http" or not self._desk.stopping:
                raise
            said = "the desk is stopping; what was begun is taken up at its next start"
            answer = problems.response(503, said, "come back in a moment", {"Retry-After": "2"})
            await answer(scope, receive, send)
