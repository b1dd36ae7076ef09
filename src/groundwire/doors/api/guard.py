"""Around every request: a guard that checks host, origin and size and sets strict headers, HEAD as GET
without its body, and an answer while the desk stops."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundwire.doors.api import problems
from groundwire.doors.api.door import SAFE, Desk
from groundwire.doors.language import language_of
from groundwire.errors import StoreAway, TooBig
from groundwire.model.base import JsonObject

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
# A body is read before its sender is known: only uploads may be large.
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
    """The outermost layer. A name that resolves to this machine need not be ours (DNS rebinding)."""

    def __init__(self, inner: ASGIApp, *, hosts: Iterable[str], most_bytes: int) -> None:
        self._inner = inner
        self._hosts = frozenset(host.lower() for host in (*_LOOPBACK, *hosts))
        self._most = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope["method"], headers)
        if refusal is not None:
            status, detail = refusal
            language = language_of(HTTPConnection(scope))
            params: JsonObject = {"most": self._most_of(headers)}
            answer = problems.response(status, detail, language=language, params=params)
            await answer(scope, receive, _add_headers(send))
            return
        await self._inner(scope, _limit_body(receive, self._most_of(headers)), _add_headers(send))

    def _most_of(self, headers: Headers) -> int:
        upload = headers.get("content-type", "").lower().startswith("multipart/form-data")
        return self._most if upload else min(self._most, _PLAIN_BYTES)

    def _refusal(self, method: str, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if _host_name(host) not in self._hosts:
            return 421, "error.other_name"
        if method not in SAFE and not self._same_origin(headers, host):
            return 403, "error.other_site"
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()):
            return 400, "error.length_no_number"
        too_long = int(length[:19]) > self._most_of(headers)
        return (413, "error.body_more_bytes") if too_long else None

    def _same_origin(self, headers: Headers, host: str) -> bool:
        """Tell whether a change comes from our pages, or from a program, which sends no origin."""
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return False
        origin = headers.get("origin")
        if origin is None:
            return True
        parts = urlsplit(origin)
        return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def _limit_body(receive: Receive, most: int) -> Receive:
    """Count a body as it arrives: it need not declare its length."""
    left = most

    async def receiving() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise TooBig("error.body_too_big")
        return message

    return receiving


def _add_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sending


def _host_name(host: str) -> str:
    """Return a Host header without its port."""
    if host.startswith("["):
        return host.partition("]")[0].lower() + "]"
    return host.partition(":")[0].lower()


def answer_head(inner: ASGIApp) -> ASGIApp:
    """Answer HEAD as GET without the body; a stream is over when its headers are out."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                # This completes the answer, so a stream notices that nobody follows.
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        if scope["type"] == "http" and scope["method"] == "HEAD":
            await inner({**scope, "method": "GET"}, receive, sending)
        else:
            await inner(scope, receive, send)

    return answer


def answer_while_stopping(inner: ASGIApp, desk: Desk) -> ASGIApp:
    """Answer a request that is cut off because the desk stops, if nothing was sent yet."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await inner(scope, receive, sending)
        except asyncio.CancelledError:
            if begun or scope["type"] != "http" or not desk.stopping:
                raise
            stopping = StoreAway("error.stopping_taken_up", hint="hint.come_back")
            response = problems.error_response(stopping, language_of(HTTPConnection(scope)))
            await response(scope, receive, send)

    return answer
