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
    """Until standard input ends, or a signal. While it lasts nothing but the protocol reaches
    standard output: what anything else prints there goes to standard error."""
    house = House(app)
    server = build(house)
    lines = _Lines(house, asyncio.get_running_loop())
    async with stdio_server(stdin=anyio.wrap_file(cast("IO[str]", lines))) as (read, write):
        await server.run(read, write, server.create_initialization_options())


class _Lines(io.TextIOBase):
    """Standard input, read by a thread that nobody waits for: a signal ends it, although a read
    under way cannot be ended."""

    def __init__(self, house: House, loop: asyncio.AbstractEventLoop) -> None:
        self._house = house
        self._loop = loop
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(each, self._lines.put, _END)
        threading.Thread(target=self._pump, args=(_taken(),), daemon=True).start()

    def readline(self, size: int = -1, /) -> str:
        line = self._lines.get()
        if line == _END:
            # Before whoever reads this ends the calls under way: nobody has taken those back.
            self._loop.call_soon_threadsafe(self._house.stopping.set)
        return line

    def _pump(self, source: io.BufferedReader) -> None:
        for line in source:
            self._lines.put(line.decode("utf-8", "replace"))
        self._lines.put(_END)


def _taken() -> io.BufferedReader:
    """Our own copy of standard input; what is left in its place is empty, for whoever else looks."""
    own = os.dup(sys.stdin.fileno())
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, sys.stdin.fileno())
    os.close(nothing)
    return os.fdopen(own, "rb")
