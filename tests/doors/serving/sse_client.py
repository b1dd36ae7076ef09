"""A cheap follower: one connection, one task; a thousand fit into a test."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

_ENDS = frozenset({"complete", "failed", "cancelled"})
_LIMIT = 1 << 20


@dataclass
class Follower:
    """Follows one run as a browser does: comes back with the number of its last event."""

    ports: list[int]  # of desks that it may ask, in turn
    run_id: str
    after: int = 0
    query: bool = False  # the first time by ?after=, as a page that was loaded again does
    keep: bool = False  # the events, not only their numbers
    seqs: list[int] = field(default_factory=list[int])
    events: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    statuses: list[int] = field(default_factory=list[int])
    comments: int = 0
    over: bool = False

    @property
    def last(self) -> int:
        return self.seqs[-1] if self.seqs else self.after

    async def follow(self) -> None:
        """Follow to the run's last event, over as many connections as it takes."""
        turn = 0
        while not self.over:
            with suppress(OSError, EOFError):  # the desk is away
                await self.once(self.ports[turn % len(self.ports)])
            turn += 1
            if self.statuses and self.statuses[-1] == 204:
                return
            if not self.over:
                await asyncio.sleep(0.05)

    async def once(self, port: int) -> None:
        """Follow over one connection, to its end."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=_LIMIT)
        try:
            by_query = self.query and not self.statuses
            path = f"/api/runs/{self.run_id}/events" + (f"?after={self.last}" if by_query else "")
            known = f"Last-Event-ID: {self.last}\r\n" if self.last and not by_query else ""
            writer.write(
                f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
                f"Accept: text/event-stream\r\n{known}\r\n".encode()
            )
            head = await reader.readuntil(b"\r\n\r\n")
            self.statuses.append(int(head.split(b" ", 2)[1]))
            if self.statuses[-1] == 200:
                await self._read(reader)
        finally:
            writer.transport.abort()

    async def _read(self, reader: asyncio.StreamReader) -> None:
        rest = b""
        while size := int(await reader.readuntil(b"\r\n"), 16):
            *whole, rest = (rest + (await reader.readexactly(size + 2))[:-2]).split(b"\n\n")
            for block in whole:
                self._take(block)
            if self.over:
                return

    def _take(self, block: bytes) -> None:
        if block.startswith((b":", b"retry:")):
            self.comments += 1
            return
        number, kind, data = block.split(b"\n", 2)
        self.seqs.append(int(number.removeprefix(b"id: ")))
        if self.keep:
            self.events.append(json.loads(data.removeprefix(b"data: ")))
        self.over = kind.removeprefix(b"event: ").decode() in _ENDS
