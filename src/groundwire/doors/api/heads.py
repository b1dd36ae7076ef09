"""HEAD is GET without the body, at every address that can be got."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Heads:
    """Answers with what GET would say of itself; a stream is over when its headers are out."""

    def __init__(self, inner: ASGIApp) -> None:
        self._inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._inner(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                # The server takes the answer for complete: who listens hears that nobody does.
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        await self._inner({**scope, "method": "GET"}, receive, sending)
