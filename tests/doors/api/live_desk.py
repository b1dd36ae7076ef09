"""A desk in the test's own loop, over real HTTP; runs are written by the test, no engine works."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from groundwire.app import App, open_app
from groundwire.doors.api.door import Desk
from groundwire.doors.api.server import Server
from groundwire.doors.serving import application, assemble
from groundwire.jobs.sections import Settings
from groundwire.model.base import JsonObject
from groundwire.model.call import Lease
from groundwire.model.clock import utc_now
from groundwire.model.ending import Ending
from groundwire.model.event import Draft, EventType, event_key
from groundwire.model.run import NewRun, Versions


class _Quiet(Server):
    """A server that leaves the signals of the test's process alone."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


@dataclass
class Written:
    """A run that the test itself writes."""

    app: App
    lease: Lease
    count: int = 0

    @property
    def id(self) -> str:
        return self.lease.run_id

    async def add(self, *payloads: JsonObject, kind: EventType = "thought") -> None:
        drafts = [self._draft(kind, payload) for payload in payloads]
        await self.app.store.journal.append(self.lease, drafts, utc_now())
        self.app.bell.ring(self.id)

    async def end(self) -> None:
        ending = Ending("complete", utc_now(), {"run_id": self.id})
        await self.app.store.runs.finish(self.lease, ending)
        self.app.bell.ring(self.id, over=True)

    def _draft(self, kind: EventType, payload: JsonObject) -> Draft:
        self.count += 1
        key = event_key(self.id, self.lease.attempt, str(self.count), kind, 0)
        return Draft(
            key=key,
            attempt=self.lease.attempt,
            step=f"步骤/{self.count}",
            type=kind,
            payload=payload,
        )


@dataclass
class LiveDesk:
    """The desk, its client and its tokens, as a test uses them."""

    app: App
    desk: Desk
    url: str
    http: httpx2.AsyncClient
    runs: int = field(default=0)

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    async def run(self, owner: str = "local") -> Written:
        """A run that is under way, in this test's hands."""
        self.runs += 1
        now = utc_now()
        run = NewRun(
            id=f"ask-{self.runs}",
            kind="ask",
            input={"question": "为什么 why"},
            settings={},
            now=now,
            seed="00",
            versions=Versions(code="1", prompts="p", data="d"),
            created_at=now,
            owner=owner,
        )
        await self.app.store.runs.create(run)
        until = now.replace(year=now.year + 1)
        lease = await self.app.store.runs.claim(run.id, "the test", now, until)
        assert lease is not None
        return Written(self.app, lease)

    async def token(self, name: str, scope: str = "run") -> tuple[str, dict[str, str]]:
        """Create a token; return its id and the header that presents it."""
        made = await self.app.access.create(name, scope=scope)
        return made.token.id, {"Authorization": f"Bearer {made.secret}"}

    async def poll(self, run: Written, after: int = 0, **more: Any) -> httpx2.Response:
        headers = {"Accept": "application/json", **more.pop("headers", {})}
        params = {"after": after, **more}
        return await self.http.get(f"/api/runs/{run.id}/events", params=params, headers=headers)


@asynccontextmanager
async def live_desk(
    home: Path,
    database_url: str,
    *,
    open_here: bool = True,
    patience: float | None = None,
    env: Mapping[str, str] | None = None,
    offline: bool = True,
) -> AsyncIterator[LiveDesk]:
    """Serve a desk until the block ends."""
    loaded = Settings.load(
        {"home": str(home), "database_url": database_url, "offline": offline},
        cwd=home,
        env={"HOME": str(home), **(env or {})},
    )
    async with open_app(loaded) as app:
        desk = assemble(app, open_here=open_here)
        bound = socket.socket()
        bound.bind(("127.0.0.1", 0))
        bound.setblocking(False)
        ready = asyncio.Event()
        server = _Quiet(application(desk), desk, ready.set)
        if patience is not None:
            server.config.http.patience = patience  # type: ignore[union-attr]
        serving = asyncio.create_task(server.serve(sockets=[bound]))
        await ready.wait()
        url = f"http://127.0.0.1:{bound.getsockname()[1]}"
        try:
            async with httpx2.AsyncClient(base_url=url, timeout=60, trust_env=False) as http:
                yield LiveDesk(app, desk, url, http)
        finally:
            server.should_exit = True
            await serving
            bound.close()


@dataclass
class Stream:
    """A stream as it arrives: status, headers, and the text so far."""

    response: httpx2.Response
    text: str = ""
    ended: bool = False

    async def until(self, wanted: str, count: int = 1) -> str:
        """Read on until this has come so many times."""
        async with asyncio.timeout(60):
            while self.text.count(wanted) < count:
                assert not self.ended, self.text
                await self._next()
        return self.text

    async def rest(self) -> str:
        """Read to the end."""
        async with asyncio.timeout(60):
            while not self.ended:
                await self._next()
        return self.text

    async def _next(self) -> None:
        try:
            self.text += await anext(self._parts)
        except StopAsyncIteration:
            self.ended = True

    def __post_init__(self) -> None:
        self._parts = self.response.aiter_text()


@asynccontextmanager
async def stream(
    live: LiveDesk, run_id: str, headers: Mapping[str, str] | None = None, **params: Any
) -> AsyncIterator[Stream]:
    path = f"/api/runs/{run_id}/events"
    async with live.http.stream("GET", path, params=params, headers=dict(headers or {})) as found:
        yield Stream(found)


async def gone(live: LiveDesk) -> None:
    """Wait until nobody follows."""
    async with asyncio.timeout(60):
        while live.desk.tails.followers:
            await asyncio.sleep(0.01)
