"""What stands around every request: a guard that checks host, origin and size and sets strict headers,
HEAD as GET without its body, and the answer of a desk that stops."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundwire.doors.api import problems
from groundwire.doors.api.door import Desk
from groundwire.doors.language import language_of
from groundwire.errors import TooBig
from groundwire.model.base import JsonObject

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
# A body is read before anybody knows who sent it: only uploads may be large.
_PLAIN_BYTES = 5_000_000
CSP = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Under "no-referrer" browsers send our own forms with the origin "null", and we refuse them.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """Outermost. A name that resolves to this machine is not yet a name of ours (DNS rebinding)."""

    def __init__(self, inner: ASGIApp, *, hosts: Iterable[str], most_bytes: int) -> None:
        self._inner = inner
        self._hosts = frozenset(host.lower() for host in (*_LOOPBACK, *hosts))
        self._most = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refused = self._refused(scope["method"], headers)
        if refused is not None:
            status, detail = refused
            language = language_of(HTTPConnection(scope))
            params: JsonObject = {"most": self._most_of(headers)}
            answer = problems.response(status, detail, language=language, params=params)
            await answer(scope, receive, _strict(send))
            return
        await self._inner(scope, _Measured(receive, self._most_of(headers)), _strict(send))

    def _most_of(self, headers: Headers) -> int:
        upload = headers.get("content-type", "").lower().startswith("multipart/form-data")
        return self._most if upload else min(self._most, _PLAIN_BYTES)

    def _refused(self, method: str, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if _name(host) not in self._hosts:
            return 421, "error.other_name"
        if method not in _SAFE and not self._own(headers, host):
            return 403, "error.other_site"
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()):
            return 400, "error.length_no_number"
        most = self._most_of(headers)
        if int(length[:19]) > most:
            return 413, "error.body_more_bytes"
        return None

    def _own(self, headers: Headers, host: str) -> bool:
        """Programs send no origin; browsers always do with a change, and say from where it comes."""
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return False
        origin = headers.get("origin")
        if origin is None:
            return True
        parts = urlsplit(origin)
        return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


class _Measured:
    """A body without a length is counted as it comes."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._left = most

    async def __call__(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise TooBig("error.body_too_big")
        return message


def _strict(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if "cache-control" not in headers:
                headers["Cache-Control"] = "no-store"
        await send(message)

    return sending


def _name(host: str) -> str:
    """A Host header without its port."""
    if host.startswith("["):
        return host.partition("]")[0].lower() + "]"
    return host.partition(":")[0].lower()


class Heads:
    """HEAD is GET without the body: answers with what GET would say of itself; a stream is over when its headers are out."""

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
