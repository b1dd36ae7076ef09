"""What a request is told that a stopping desk can no longer wait for."""

from __future__ import annotations

import asyncio

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundwire.doors.api import problems
from groundwire.doors.api.door import Desk
from groundwire.doors.language import language_of


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
            answer = problems.response(
                503,
                "error.stopping_taken_up",
                "hint.come_back",
                {"Retry-After": "2"},
                language=language_of(HTTPConnection(scope)),
            )
            await answer(scope, receive, send)
