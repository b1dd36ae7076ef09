"""MCP over standard input and output, for a client that starts `gw mcp` itself."""

from __future__ import annotations

import asyncio
import io
import os
import queue
import signal
import sys
import threading
from typing import IO, cast

import anyio
from mcp.server.stdio import stdio_server

from groundwire.app import App
from groundwire.doors.mcp.server import build
from groundwire.doors.mcp.visit import House

_END = ""


async def serve(app: App) -> None:
    """Serve until standard input ends, or a signal; only the protocol reaches standard output."""
    house = House(app)
    server = build(house)
    lines = _Lines(house, asyncio.get_running_loop())
    async with stdio_server(stdin=anyio.wrap_file(cast("IO[str]", lines))) as (read, write):
        await server.run(read, write, server.create_initialization_options())


class _Lines(io.TextIOBase):
    """Standard input, read by a thread that nobody waits for: a read under way cannot be
    interrupted, so a signal ends the queue."""

    def __init__(self, house: House, loop: asyncio.AbstractEventLoop) -> None:
        self._house = house
        self._loop = loop
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(each, self._lines.put, _END)
        threading.Thread(target=self._pump, args=(_claim_stdin(),), daemon=True).start()

    def readline(self, size: int = -1, /) -> str:
        line = self._lines.get()
        if line == _END:
            # Before the calls under way are ended: no client has cancelled them.
            self._loop.call_soon_threadsafe(self._house.stopping.set)
        return line

    def _pump(self, source: io.BufferedReader) -> None:
        for line in source:
            self._lines.put(line.decode("utf-8", "replace"))
        self._lines.put(_END)


def _claim_stdin() -> io.BufferedReader:
    """Take over standard input and leave an empty one in its place for everybody else."""
    ours = os.dup(sys.stdin.fileno())
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, sys.stdin.fileno())
    os.close(empty)
    return os.fdopen(ours, "rb")
