"""A desk behind its guard, and browsers of several people in front of it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import httpx2
import pytest

from groundwire import jobs
from groundwire.app import App, open_app
from groundwire.doors.api.door import Desk
from groundwire.doors.serving import application, assemble
from groundwire.jobs.sections import Settings
from groundwire.model.access import LOCAL, Caller
from groundwire.model.run import NewRun, Run
from groundwire.versions import versions

HOST = "http://127.0.0.1"
HTML = {"Accept": "text/html,application/xhtml+xml"}


def words_of(page: httpx2.Response) -> str:
    """Return what a reader sees, with single spaces."""
    whole = page.text.replace('<span class="glued">', "")  # begins within a sentence
    text = re.sub(r"<(script|style|head)\b.*?</\1>|<[^>]+>", " ", whole, flags=re.DOTALL)
    return " ".join(unescape(text).split())


def csrf_of(page: httpx2.Response) -> str:
    found = re.search(r'<meta name="csrf" content="([0-9a-f]+)">', page.text)
    assert found is not None, page.text[:500]
    return found[1]


@dataclass
class Site:
    """A desk; `browser` opens a window with cookies of its own."""

    app: App
    desk: Desk
    stack: AsyncExitStack
    runs: int = 0

    async def browser(self, **headers: str) -> httpx2.AsyncClient:
        transport = httpx2.ASGITransport(application(self.desk), raise_app_exceptions=False)
        client = httpx2.AsyncClient(transport=transport, base_url=HOST, headers={**HTML, **headers})
        return await self.stack.enter_async_context(client)

    async def queued(self, kind: str, given: dict[str, object], owner: Caller = LOCAL) -> Run:
        """Write a run that nobody has begun."""
        self.runs += 1
        now = self.app.clock()
        return await self.app.store.runs.create(
            NewRun(
                id=f"{kind}-{self.runs:010d}",
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

    async def signed_in(self, scope: str = "run", name: str = "") -> httpx2.AsyncClient:
        made = await self.app.access.create(name or f"token-{scope}", scope=scope)
        client = await self.browser()
        answer = await client.post("/sign-in", data={"token": made.secret})
        assert answer.status_code == 303, answer.text
        return client


async def _opened(folder: Path, *, open_here: bool) -> AsyncIterator[Site]:
    env = {"GROUNDWIRE_HOME": str(folder / "data"), "GROUNDWIRE_OFFLINE": "1"}
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(open_app(Settings.load({}, folder, env)))
        yield Site(app, assemble(app, open_here=open_here), stack)


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    """Open a desk on this machine's own address, where nobody is asked for a token."""
    async for each in _opened(tmp_path, open_here=True):
        yield each


@pytest.fixture
async def locked(tmp_path: Path) -> AsyncIterator[Site]:
    """Open a desk where everybody needs a token."""
    async for each in _opened(tmp_path, open_here=False):
        yield each


@pytest.fixture
async def browser(site: Site) -> httpx2.AsyncClient:
    return await site.browser()
