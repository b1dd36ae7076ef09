"""A way out through a proxy of the user's own, to addresses that the guard has checked.

The proxy is told an address, never a name: what it would look up itself could be any machine.
"""

from __future__ import annotations

import asyncio
import base64
import ssl
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Self, cast
from urllib.parse import unquote, urlsplit

import httpcore2

from groundwire.errors import AuthRejected

_LONGEST_HEAD = 16_384  # bytes of the proxy's answer
_SECONDS = 10.0
SocketOption = (
    tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]
)


@dataclass(frozen=True, slots=True)
class Proxy:
    """Where a proxy listens, and how it is told who asks."""

    host: str
    port: int
    secure: bool
    credentials: str = ""  # as the header has them

    @classmethod
    def of(cls, url: str) -> Self:
        """Read `http://USER:PASSWORD@HOST:PORT`; the form was checked with the settings."""
        parts = urlsplit(url)
        secure = parts.scheme == "https"
        user = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
        return cls(
            host=parts.hostname or "",
            port=parts.port or (443 if secure else 8080),
            secure=secure,
            credentials="" if user == ":" else base64.b64encode(user.encode()).decode(),
        )


class Tunnel(httpcore2.AsyncNetworkBackend):
    """Connects to an address through the proxy; whoever uses it has checked the address."""

    def __init__(self, proxy: Proxy, certificates: Callable[[], ssl.SSLContext]) -> None:
        self._proxy = proxy
        self._certificates = certificates
        self._inner = cast("httpcore2.AsyncNetworkBackend", httpcore2.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        seconds = _SECONDS if timeout is None else timeout
        proxy = self._proxy
        stream = await self._inner.connect_tcp(
            proxy.host, proxy.port, seconds, local_address, socket_options
        )
        try:
            if proxy.secure:
                stream = await stream.start_tls(self._certificates(), proxy.host, seconds)
            await self._open(
                stream, f"[{host}]:{port}" if ":" in host else f"{host}:{port}", seconds
            )
        except BaseException:
            await stream.aclose()
            raise
        return stream

    async def _open(
        self, stream: httpcore2.AsyncNetworkStream, target: str, seconds: float
    ) -> None:
        """Ask for the way through; an answer that is no yes is a failure of the proxy's."""
        head = [f"CONNECT {target} HTTP/1.1", f"Host: {target}"]
        if self._proxy.credentials:
            head.append(f"Proxy-Authorization: Basic {self._proxy.credentials}")
        await stream.write("\r\n".join([*head, "", ""]).encode(), seconds)
        answer = b""
        while b"\r\n\r\n" not in answer:
            part = await stream.read(4096, seconds)
            answer += part
            if not part or len(answer) > _LONGEST_HEAD:
                raise httpcore2.ConnectError("the proxy broke off")
        status = answer.split(b" ", 2)[1:2]
        if status == [b"407"]:
            raise AuthRejected("outside.key_invalid", who=self._proxy.host, setting="fetch.proxies")
        if not status or not status[0].startswith(b"2"):
            raise httpcore2.ConnectError("the proxy refused")

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        raise httpcore2.ConnectError("a proxy leads to no socket of this machine")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
