"""What MCP is tested against: `gw mcp` and `gw serve` as processes, and a web that makes one wait."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from groundwire.app import App, open_app
from groundwire.jobs.sections import Settings
from groundwire.model.run import FINISHED, Run
from tests import nursery

LEGACY, MODERN = "legacy", "2026-07-28"
ERAS = (LEGACY, MODERN)
WHY = "Why did USDC lose its peg in March 2023?"
RUMOUR = "传闻：Coinbase 将于周二上线瑞波币（XRP）"
PLANTED = "tvly-planted-0123456789abcdef"
GW = [sys.executable, "-m", "groundwire"]


def environment(home: Path, **more: str) -> dict[str, str]:
    """Build settings in which searches stay in the archive and pages are read from this machine."""
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return {
        **kept,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "GROUNDWIRE_HOME": str(home),
        "GROUNDWIRE_SEARCH__CHAIN": "archive",
        "GROUNDWIRE_FETCH__ALLOW_PRIVATE": "127.0.0.0/8",
        "GROUNDWIRE_FETCH__TIMEOUT": "110",
        "GROUNDWIRE_ASK__PAGES": "4",
        "GROUNDWIRE_SEARCH__PROVIDERS__TAVILY__API_KEY": PLANTED,
        **more,
    }


def stdio(home: Path, **more: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=GW[0], args=[*GW[1:], "mcp"], env=environment(home, **more), cwd=home
    )


@dataclass
class Desk:
    """A desk that runs as a process of its own."""

    home: Path
    url: str
    process: subprocess.Popen[str]
    output: list[str] = field(default_factory=list)

    @asynccontextmanager
    async def client(self, token: str = "", era: str = LEGACY) -> AsyncIterator[Client]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with httpx2.AsyncClient(headers=headers, timeout=110) as http:
            transport = streamable_http_client(self.url, http_client=http)
            async with Client(transport, mode=era) as client:
                yield client


@contextmanager
def serving(home: Path, **more: str) -> Iterator[Desk]:
    process = nursery.Popen(
        [*GW, "serve", "--port", "0"],
        env=environment(home, **more),
        cwd=home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    lines: list[str] = []
    reading = threading.Thread(target=lambda: lines.extend(process.stderr or ()), daemon=True)
    try:
        for line in process.stderr:
            lines.append(line)
            if "http://" in line:
                break
        else:
            raise AssertionError(f"no desk: {lines}")
        reading.start()
        url = next(word for word in lines[-1].split() if word.startswith("http://")).rstrip(";")
        yield Desk(home, f"{url}/mcp", process, lines)
    finally:
        process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(20)
        process.kill()
        process.wait()
        if reading.ident is not None:
            reading.join()
        process.stderr.close()


@asynccontextmanager
async def beside(home: Path) -> AsyncIterator[App]:
    """Open the same data folder from here, without executing anything."""
    async with open_app(Settings.load({"home": str(home)})) as app:
        yield app


async def state_of(app: App, run_id: str, *states: str) -> Run:
    """Wait until the run is in one of these states (by default, any in which it is over)."""
    wanted = states or tuple(FINISHED)
    while True:
        run = await app.store.runs.get(run_id)
        if run is not None and run.state in wanted:
            return run
        await asyncio.sleep(0.05)


async def taken_back(app: App, run_id: str) -> None:
    """Wait until somebody has asked for the run's end; calls under way may still finish."""
    while not ((head := await app.store.runs.head(run_id)) and head.cancel_requested):
        await asyncio.sleep(0.05)


async def newest(app: App) -> Run:
    return (await app.runs.recent(limit=1))[0]


@dataclass
class SlowWeb:
    """A page that is not answered until it is released."""

    url: str = ""
    requested: asyncio.Event = field(default_factory=asyncio.Event)
    let_go: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            if b"robots.txt" in head.split(b"\r\n", 1)[0]:
                await self._send(writer, "404 Not Found", b"")
                return
            self.requested.set()
            await self.let_go.wait()
            words = " ".join(["The harbour of Antwerp opened a second lock on Monday."] * 12)
            page = f"<html><title>A lock</title><article><p>{words}</p></article></html>"
            await self._send(writer, "200 OK", page.encode())
        writer.close()

    async def _send(self, writer: asyncio.StreamWriter, status: str, body: bytes) -> None:
        head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n"
        writer.write(head.encode() + b"Connection: close\r\n\r\n" + body)
        await writer.drain()
        writer.close()


@asynccontextmanager
async def slow_web() -> AsyncIterator[SlowWeb]:
    web = SlowWeb()
    server = await asyncio.start_server(web.answer, "127.0.0.1", 0)
    web.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/lock.html"
    try:
        yield web
    finally:
        web.let_go.set()
        server.close()


class Heard:
    """Progress messages as they came."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.numbers: list[float] = []

    async def __call__(self, progress: float, _total: float | None, message: str | None) -> None:
        self.numbers.append(progress)
        self.lines.append(message or "")


def text_of(result: object) -> str:
    return result.content[0].text  # type: ignore[attr-defined]


def parsed(text: str) -> dict[str, object]:
    return json.loads(text)
