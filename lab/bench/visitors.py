"""Clients of a desk under measurement, as cheap as they can be: only the server's time should count."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

import httpx2

from groundwire.errors import IllegalState
from groundwire.model.base import JsonObject

_PLAIN: dict[str, Any] = {"verify": False, "trust_env": False, "timeout": 60}
_LIMIT = 1 << 22  # bytes of a line or a piece
_STREAM = (
    "GET /api/runs/{run_id}/events HTTP/1.1\r\n"
    "Host: 127.0.0.1:{port}\r\nAccept: text/event-stream\r\n\r\n"
)
_NAV = re.compile(r'<nav class="places".*?</nav>', re.DOTALL)
_LINK = re.compile(r'href="(/[^"]*)"')
_PARTS = re.compile(r'(?:<link rel="stylesheet" href|<script[^>]* src)="(/[^"]+)"')
_IMPORTS = re.compile(
    r"""^\s*(?:import\s|import\s[^"';]+\sfrom\s|export\s[^"';]+\sfrom\s)\s*["']([./][^"']+)["']""",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class PageReply:
    """A body as it travelled, and the seconds to its first byte, connection included."""

    body: bytes
    first: float = 0.0

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass(slots=True)
class Visitor:
    """A browser: it keeps the cookie of its first visit."""

    port: int
    cookies: httpx2.Cookies = field(default_factory=httpx2.Cookies)

    async def get(self, path: str, encoding: str = "identity") -> PageReply:
        """Fetch a page or a part of one."""
        return await self._request("GET", path, headers={"Accept-Encoding": encoding})

    async def _request(self, method: str, path: str, **more: Any) -> PageReply:
        """Send one request on a new connection; a refusal is a fault of the measurement."""
        async with httpx2.AsyncClient(
            base_url=f"http://127.0.0.1:{self.port}", cookies=self.cookies, **_PLAIN
        ) as client:
            began = time.perf_counter()
            async with client.stream(method, path, **more) as response:
                first = time.perf_counter() - began
                body = b"".join([piece async for piece in response.aiter_raw()])
            self.cookies = client.cookies
        if response.status_code >= 400:
            raise IllegalState(f"{method} {path} got {response.status_code}: {body[:200]!r}")
        return PageReply(body, first)

    async def submit(self, kind: str, fields: JsonObject) -> str:
        """Start a run as a program does, without a session; return its id."""
        reply = await Visitor(self.port)._request(
            "POST", "/api/runs", json={"kind": kind, "input": fields}
        )
        return str(json.loads(reply.body)["id"])

    async def parts_of(self, page: PageReply) -> tuple[str, ...]:
        """List the style sheets and scripts that a page loads, imported scripts included."""
        found = dict.fromkeys(_PARTS.findall(page.text))
        todo = [path for path in found if path.endswith(".js")]
        while todo:
            path = todo.pop()
            for name in _IMPORTS.findall((await self.get(path)).text):
                inner = urljoin(path, name)
                if inner not in found:
                    found[inner] = None
                    todo.append(inner)
        return tuple(found)


def places_in(page: PageReply) -> tuple[str, ...]:
    """List the pages that the desk's own navigation leads to."""
    nav = _NAV.search(page.text)
    return tuple(dict.fromkeys(_LINK.findall(nav.group()))) if nav else ()


@dataclass(slots=True)
class Follower:
    """Follows one run to its end and counts its events."""

    port: int
    run_id: str
    seqs: list[int] = field(default_factory=list[int])
    first: float = 0.0  # when the first event came, and the last, by the clock of this process
    last: float = 0.0
    size: int = 0

    async def follow(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=_LIMIT)
        try:
            writer.write(_STREAM.format(run_id=self.run_id, port=self.port).encode())
            status = (await reader.readuntil(b"\r\n\r\n")).split()[1].decode()
            if status != "200":
                raise IllegalState(f"The stream of {self.run_id} was answered with {status}.")
            rest = b""
            while size := int(await reader.readuntil(b"\r\n"), 16):
                self.size += size
                *whole, rest = (rest + (await reader.readexactly(size + 2))[:-2]).split(b"\n\n")
                self.last = time.perf_counter()
                for block in whole:
                    if block.startswith(b"id: "):
                        self.seqs.append(int(block[4 : block.index(b"\n")]))
                        self.first = self.first or self.last
        finally:
            writer.transport.abort()

    def check(self, events: int) -> None:
        """Check that every event came in order, exactly once: otherwise there is nothing to measure."""
        if self.seqs != list(range(1, events + 1)):
            raise IllegalState(f"A follower got {len(self.seqs)} of {events} events.")


def time_visits(port: int, path: str, done: threading.Event) -> list[float]:
    """Time one visit after the other until it is done.

    It runs in a thread of its own, so that the other clients of this process are not measured with it.
    """
    found: list[float] = []
    while not found or not done.is_set():
        began = time.perf_counter()
        httpx2.get(f"http://127.0.0.1:{port}{path}", **_PLAIN)
        found.append(time.perf_counter() - began)
        done.wait(0.01)
    return found
