"""A desk behind its guard whose archive holds the sample, and callers with tokens of their own."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest

from groundwire import jobs
from groundwire.app import App, access, open_app
from groundwire.doors.api.door import Desk
from groundwire.doors.serving import application, assemble
from groundwire.jobs.sections import Settings
from groundwire.model.access import LOCAL, Caller
from groundwire.model.run import FINISHED, NewRun, Run
from groundwire.versions import versions

HOST = "http://127.0.0.1"
SECRET = "s3cret-of-tests"
WHY = "Did USDC lose its peg in March 2023, and why?"
RUMOUR = "USDC 在2023年3月跌至0.88美元，因为硅谷银行倒闭"


@dataclass
class Api:
    """A desk where everybody needs a token; callers are created by scope."""

    app: App
    desk: Desk
    stack: AsyncExitStack
    made: int = 0
    people: dict[str, Caller] = field(default_factory=dict[str, Caller])

    async def client(self, **headers: str) -> httpx2.AsyncClient:
        transport = httpx2.ASGITransport(application(self.desk), raise_app_exceptions=False)
        client = httpx2.AsyncClient(transport=transport, base_url=HOST, headers=headers)
        return await self.stack.enter_async_context(client)

    async def caller(self, scope: str = "run", name: str = "", **limits: Any) -> httpx2.AsyncClient:
        name = name or f"{scope}-{len(self.people)}"
        made = await self.app.access.create(name, scope=scope, **limits)
        self.people[name] = access.caller(made.token)
        return await self.client(Authorization=f"Bearer {made.secret}")

    async def row(self, kind: str = "ask", owner: Caller = LOCAL, **given: object) -> Run:
        """Write a run that nobody has begun."""
        self.made += 1
        now = self.app.clock()
        given = given or {"question": f"question {self.made}"}
        return await self.app.store.runs.create(
            NewRun(
                id=f"{kind}-{self.made:010d}",
                kind=kind,
                input=self.app.checked(kind, given),
                settings=self.app.outside.run_settings(None),
                now=now,
                seed="00" * 16,
                versions=versions(),
                created_at=now,
                owner=owner.id,
                text=jobs.find(kind).text(self.app.checked(kind, given)),
            )
        )

    async def ended(self, run_id: str) -> Run:
        async with asyncio.timeout(90):
            run = await self.app.ended(run_id)
        assert run.state in FINISHED
        return run


Opened = Callable[..., AbstractAsyncContextManager[Api]]


def _settings(home: Path, **more: object) -> Any:
    given = {
        "home": str(home),
        "offline": True,
        "fetch.workers": 1,
        "intake.secret": SECRET,
        "search.providers.tavily.api_key": "tvly-planted-0123456789abcdef",
        **{name.replace("__", "."): value for name, value in more.items()},
    }
    return Settings.load(given, cwd=home, env={"HOME": str(home)})


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    """Open a desk on the test's own data folder with any settings."""

    @asynccontextmanager
    async def make(*, open_here: bool = False, **more: object) -> AsyncIterator[Api]:
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        async with AsyncExitStack() as stack:
            app = await stack.enter_async_context(open_app(_settings(home, **more)))
            yield Api(app, assemble(app, open_here=open_here), stack)

    return make


@pytest.fixture
async def api(opened: Opened, sample_home: Path, tmp_path: Path) -> AsyncIterator[Api]:
    """A desk on SQLite with the sample."""
    shutil.copytree(sample_home, tmp_path / "home")
    async with opened() as desk:
        yield desk


@pytest.fixture
async def either(opened: Opened, database_url: str) -> AsyncIterator[Api]:
    """An empty desk on each of the two databases."""
    async with opened(database_url=database_url) as desk:
        yield desk
