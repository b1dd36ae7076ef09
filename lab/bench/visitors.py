"""Clients of a desk under measurement, as cheap as they can be: what is timed is the other side."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import threading
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urljoin

from groundwire.errors import IllegalState
from groundwire.model.base import JsonObject

_LIMIT = 1 << 22  # bytes of a line or a piece
_NAV = re.compile(r'<nav class="places".*?</nav>', re.DOTALL)
_LINK = re.compile(r'href="(/[^"]*)"')
_PARTS = re.compile(r'(?:<link rel="stylesheet" href|<script[^>]* src)="(/[^"]+)"')
_IMPORTS = re.compile(
    r"""^\s*(?:import\s|import\s[^"';]+\sfrom\s|export\s[^"';]+\sfrom\s)\s*["']([./][^"']+)["']""",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Got:
    """An answer, and how long its first byte took, the connection included."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    first: float

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass(slots=True)
class Visitor:
    """Somebody at a browser: comes with the cookie of the first visit."""

    port: int
    cookie: str = ""

    async def get(self, path: str, **headers: str) -> Got:
        return await self.ask("GET", path, b"", **headers)

    async def ask(self, method: str, path: str, body: bytes, **headers: str) -> Got:
        """One request on a connection of its own; a refusal is a fault of the measurement."""
        began = time.perf_counter()
        async with _connected(self.port) as (reader, writer):
            more = {name.replace("_", "-"): value for name, value in headers.items()}
            if self.cookie:
                more["Cookie"] = self.cookie
            writer.write(_request(method, path, self.port, {**more, "Connection": "close"}, body))
            status, found = await _head(reader)
            part = await reader.read(1)
            first = time.perf_counter() - began
            whole = _unchunked(part + await reader.read(), found)
        if status >= 400:
            raise IllegalState(f"{method} {path} was answered with {status}: {whole[:200]!r}")
        if "set-cookie" in found:
            self.cookie = found["set-cookie"].partition(";")[0]
        return Got(status, found, whole, first)

    async def submit(self, kind: str, given: JsonObject) -> str:
        """Start a run; its id."""
        body = json.dumps({"kind": kind, "input": given}).encode()
        bare = Visitor(self.port)  # a program: no session, and nothing that only pages know
        answer = await bare.ask("POST", "/api/runs", body, Content_Type="application/json")
        return str(json.loads(answer.body)["id"])

    async def parts_of(self, page: Got) -> tuple[str, ...]:
        """The style sheets and scripts that a page loads, those that scripts import included."""
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


def places_in(page: Got) -> tuple[str, ...]:
    """The pages that the desk's own navigation leads to."""
    nav = _NAV.search(page.text)
    return tuple(dict.fromkeys(_LINK.findall(nav.group()))) if nav else ()


@dataclass(slots=True)
class Follower:
    """Follows one run to its end, and counts."""

    port: int
    run_id: str
    seqs: list[int] = field(default_factory=list[int])
    first: float = 0.0  # when the first event came, and the last, by the clock of this process
    last: float = 0.0
    size: int = 0

    async def follow(self) -> None:
        path = f"/api/runs/{self.run_id}/events"
        async with _connected(self.port) as (reader, writer):
            writer.write(_request("GET", path, self.port, {"Accept": "text/event-stream"}))
            status, _ = await _head(reader)
            if status != 200:
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

    def check(self, events: int) -> None:
        """Every event, in order, exactly once, or there is nothing to measure."""
        if self.seqs != list(range(1, events + 1)):
            raise IllegalState(f"A follower got {len(self.seqs)} of {events} events.")


async def hammer(port: int, path: str, connections: int, seconds: float) -> float:
    """Requests a second over connections that are kept."""
    until = time.perf_counter() + seconds

    async def one() -> int:
        count = 0
        async with _connected(port) as (reader, writer):
            request = _request("GET", path, port, {"Accept": "application/json"})
            while time.perf_counter() < until:
                writer.write(request)
                _, headers = await _head(reader)
                await reader.readexactly(int(headers["content-length"]))
                count += 1
        return count

    began = time.perf_counter()
    counts = await asyncio.gather(*(one() for _ in range(connections)))
    return sum(counts) / (time.perf_counter() - began)


def waits(port: int, path: str, over: threading.Event) -> list[float]:
    """How long each of several visits took; for a thread of its own, so that this process's other
    clients are not measured, too."""
    found: list[float] = []
    while not found or not over.is_set():
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        began = time.perf_counter()
        try:
            connection.request("GET", path)
            connection.getresponse().read()
        finally:
            connection.close()
        found.append(time.perf_counter() - began)
        over.wait(0.01)
    return found


@asynccontextmanager
async def _connected(
    port: int,
) -> AsyncGenerator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=_LIMIT)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


def _request(
    method: str, path: str, port: int, headers: Mapping[str, str], body: bytes = b""
) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + body


async def _head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    status, *lines = head.rstrip().split("\r\n")
    pairs = (line.partition(":") for line in lines)
    return int(status.split(" ")[1]), {name.lower(): value.strip() for name, _, value in pairs}


def _unchunked(body: bytes, headers: Mapping[str, str]) -> bytes:
    if headers.get("transfer-encoding") != "chunked":
        return body
    parts: list[bytes] = []
    while body:
        size, _, body = body.partition(b"\r\n")
        length = int(size, 16)
        parts.append(body[:length])
        body = body[length + 2 :]
    return b"".join(parts)
