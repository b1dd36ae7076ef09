"""FastAPI's own server-sent events beside ours: CPU for the same events to the same followers.

    .venv/bin/python -m scripts.compare_sse [FOLLOWERS] [EVENTS]

All read one tail of one journal in memory, so that only the way from the event to the socket differs:
`ours` sends what was written out once; `fastapi` yields events that it writes out for each follower;
`fastapi, written` yields them with their JSON written out once. Figures are ratios within one run.
"""

from __future__ import annotations

import asyncio
import json
import resource
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime

import uvicorn
from fastapi import FastAPI, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from groundwire.doors.api.frames import encode
from groundwire.doors.api.server import Impatient
from groundwire.doors.api.stream import EventStream
from groundwire.model.event import Event
from groundwire.model.run import RunHead, RunState
from groundwire.runs.broadcast import Broadcasts, Frame
from groundwire.runs.journal import Bell

WAYS = ("ours", "fastapi", "fastapi, written")
_PATHS = {"ours": "/ours", "fastapi": "/theirs", "fastapi, written": "/written"}
_AT = datetime(2026, 11, 16, tzinfo=UTC)
_PAYLOAD = {"text": "据《示例日报》报道 according to a page that was read " * 12, "n": [1, 2, 3]}


class Journal:
    """A run in memory; `ports.Runs` and `ports.Journal` as far as a tail needs them."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.state: RunState = "running"

    async def head(self, run_id: str) -> RunHead:
        return RunHead(id=run_id, state=self.state, fence=1, last_seq=len(self.events))

    async def read(self, _run_id: str, after: int = 0, limit: int = 500) -> Sequence[Event]:
        return self.events[after : after + limit]

    def add(self, run_id: str) -> None:
        seq = len(self.events) + 1
        made = Event(
            run_id=run_id, seq=seq, key=str(seq), attempt=1, step=f"round1/read/{seq}",
            type="evidence", payload=_PAYLOAD, at=_AT,
        )  # fmt: skip
        self.events.append(made)


def served() -> FastAPI:
    """Three ways to follow, and one to begin."""
    api = FastAPI()
    journal, bell = Journal(), Bell()
    tails = Broadcasts(journal, journal, bell, encode, most=10_000, poll=lambda: 60.0)  # type: ignore[arg-type]

    async def frames() -> AsyncIterator[Frame]:
        async for some in tails.follow("run"):
            for frame in some:
                yield frame

    async def always() -> bool:
        return True

    @api.get("/ours")
    async def ours() -> Response:
        return EventStream(tails.follow("run"), always)

    @api.get("/theirs", response_class=EventSourceResponse)
    async def theirs() -> AsyncIterator[ServerSentEvent]:
        async for frame in frames():
            event = journal.events[frame.seq - 1]
            yield ServerSentEvent(data=event, event=event.type, id=str(event.seq))

    @api.get("/written", response_class=EventSourceResponse)
    async def written() -> AsyncIterator[ServerSentEvent]:
        async for frame in frames():
            event = journal.events[frame.seq - 1]
            text = frame.data.decode().partition("data: ")[2].rstrip("\n")
            yield ServerSentEvent(raw_data=text, event=event.type, id=str(event.seq))

    @api.get("/followers")
    async def followers() -> int:
        return tails.followers

    @api.get("/new")
    async def new() -> None:
        journal.events.clear()
        journal.state = "running"

    @api.get("/go")
    async def go(count: int) -> float:
        before = _cpu()
        for _ in range(count):
            journal.add("run")
            bell.ring("run")
            await asyncio.sleep(0.005)
        journal.state = "complete"
        bell.ring("run")
        while tails.followers:  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        return _cpu() - before

    _ = ours, theirs, written, followers, new, go
    return api


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def get(port: int, path: str) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    return answer.partition(b"\r\n\r\n")[2]


async def follow(port: int, path: str) -> int:
    """How many events came."""
    return (await get(port, path)).count(b"event: evidence\n")


async def measured(port: int, followers: int, events: int) -> dict[str, float]:
    found: dict[str, float] = {}
    for way in WAYS:
        await get(port, "/new")
        tasks = [asyncio.create_task(follow(port, _PATHS[way])) for _ in range(followers)]
        while int(await get(port, "/followers")) < followers:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        found[way] = json.loads(await get(port, f"/go?count={events}"))
        for task in tasks:
            if (count := await task) != events:
                raise SystemExit(f"{way}: {count} of {events} events came")
    return found


def main() -> None:
    if sys.argv[1:2] == ["serve"]:
        uvicorn.run(served(), port=int(sys.argv[2]), log_level="error", http=Impatient)
        return
    followers = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    events = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    port = 8649
    server = subprocess.Popen([sys.executable, __file__, "serve", str(port)])
    try:
        asyncio.run(_compared(port, followers, events))
    finally:
        server.kill()
        server.wait()


async def _compared(port: int, followers: int, events: int) -> None:
    for _ in range(200):
        try:
            await get(port, "/followers")
            break
        except OSError:
            await asyncio.sleep(0.1)
    found = await measured(port, followers, events)
    sys.stdout.write(f"{followers} followers, {events} events\n")
    for way, seconds in found.items():
        each = seconds / followers / events * 1e6
        ratio = seconds / found["ours"]
        sys.stdout.write(f"{way:<18} {seconds:6.2f} s CPU  {each:6.1f} µs each  {ratio:.1f} ×\n")


if __name__ == "__main__":
    main()
