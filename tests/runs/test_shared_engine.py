"""The engine on PostgreSQL, several in one process: which executes what, is woken, is notified."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import psycopg
import pytest

from groundwire import errors
from groundwire.context import Context, Parts
from groundwire.gateway.tally import Tally
from groundwire.jobs import Job
from groundwire.model.base import Value
from groundwire.model.clock import utc_now
from groundwire.model.run import NewRun, Run, Versions
from groundwire.runs.broadcast import Broadcasts
from groundwire.runs.engine import Pace
from groundwire.runs.journal import Bell, follow
from groundwire.runs.outbox import Deliveries
from groundwire.runs.runner import Services
from groundwire.runs.shared import SharedEngine
from groundwire.store import Store, open_store
from groundwire.store.wakeups import EVENTS
from groundwire.words import words

pytestmark = pytest.mark.postgres

VERSIONS = Versions(code="1", prompts="p", data="d")
QUICK = Pace(reconcile=0.2)
NEVER = Pace(reconcile=3600.0)
KINDS = ("test", "other")


class Given(Value):
    word: str = "x"


class WorkResult(Value):
    run_id: str
    status: str = "complete"
    word: str = ""


Work = Callable[[Context, Given], Awaitable[WorkResult]]


class Office:
    """An engine that looks like a process of its own to the database."""

    def __init__(self, store: Store, work: Work, *, at_once: int = 8, pace: Pace = QUICK) -> None:
        jobs = {
            kind: Job(kind=kind, input=Given, result=WorkResult, run=work, draw=lambda: "")
            for kind in KINDS
        }
        self.store = store
        self.bell = Bell()
        services = Services(
            runs=store.runs,
            journal=store.journal,
            ledger=store.ledger,
            bell=self.bell,
            clock=utc_now,
            lease_clock=utc_now,
            job=jobs.__getitem__,
            parts=lambda _run: cast(Parts, None),
            caps=lambda _run: lambda _now: (),
            versions=lambda: VERSIONS,
            wait_for_calls=_nothing_to_wait_for,
            redact=str,
            deliveries=Deliveries(
                lambda: store.outbox, lambda: None, _nothing_to_wait_for, utc_now
            ),
            patience=lambda: timedelta(days=7),
            tally=Tally(),
        )
        turn = store.turn
        assert not isinstance(turn, Path)
        self.engine = SharedEngine(services, turn, KINDS, at_once=at_once, pace=pace)

    async def hears(self) -> None:
        async with asyncio.timeout(60):
            while not self.engine.listening:
                await asyncio.sleep(0.01)


async def _nothing_to_wait_for(_run_id: str) -> None:
    """No gateway, no flights."""


def new(name: str = "run-1", kind: str = "test") -> NewRun:
    now = utc_now()
    return NewRun(
        id=name,
        kind=kind,
        input={"word": name},
        settings={},
        now=now,
        seed="00",
        versions=VERSIONS,
        created_at=now,
    )


async def echo(context: Context, given: Given) -> WorkResult:
    await context.step("work").emit("progress", {"word": given.word})
    return WorkResult(run_id=context.run_id, word=given.word)


async def forever(context: Context, given: Given) -> WorkResult:
    await context.step("work").emit("progress", {"word": given.word})
    await asyncio.sleep(3600)
    raise AssertionError


@pytest.fixture
def database_kind() -> str:
    return "postgres"


OpenOffice = Callable[..., Any]


@pytest.fixture
def office(database_url: str) -> OpenOffice:
    """Open one, and close it at the end of its block."""

    @asynccontextmanager
    async def opened(work: Work = echo, **how: Any) -> AsyncIterator[Office]:
        async with open_store(database_url) as store:
            made = Office(store, work, **how)
            try:
                yield made
            finally:
                await made.engine.stop()

    return opened


class Admin:
    """Somebody at the database. Never blocks the loop: a worker may have to let go of a row."""

    def __init__(self, connection: psycopg.AsyncConnection[Any]) -> None:
        self._connection = connection

    async def __call__(self, sql: str, *values: Any) -> list[Any]:
        cursor = await self._connection.execute(sql.encode(), values or None)
        return await cursor.fetchall() if cursor.description else []

    async def waiting(self) -> list[str]:
        rows = await self("SELECT queueing_lock FROM procrastinate_jobs WHERE status = 'todo'")
        return sorted(row[0] for row in rows)


@pytest.fixture
async def admin(database_url: str) -> AsyncIterator[Admin]:
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as connection:
        yield Admin(connection)


async def reached(store: Store, run_id: str, *states: str) -> Run:
    async with asyncio.timeout(60):
        while (run := await store.runs.get(run_id)) is None or run.state not in states:
            await asyncio.sleep(0.02)
        return run


async def _heard(bell: Bell) -> None:
    with bell.listening("run-1") as listener:
        await listener.wait_for(3600)


async def test_without_any_worker_a_process_executes_what_it_submitted_and_only_that(
    office: OpenOffice, admin: Admin
) -> None:
    async with office() as alone:
        await alone.store.runs.create(new("of-somebody-else"))
        await alone.engine.submit(new("mine"))
        await reached(alone.store, "mine", "complete")
        await alone.engine.submit(new("mine-too"))
        await reached(alone.store, "mine-too", "complete")
        left = await alone.store.runs.get("of-somebody-else")
        assert left is not None
        assert left.state == "queued"
        assert await admin.waiting() == ["of-somebody-else"]


async def test_whoever_follows_a_run_that_nobody_has_picks_it_up(office: OpenOffice) -> None:
    async with office() as alone:
        now = utc_now()
        for name in ("queued", "left"):
            await alone.store.runs.create(new(name))
        await alone.store.runs.claim("left", "dead", now, now)
        for name, fence in (("queued", 1), ("left", 2)):
            await alone.engine.ensure_executed(name)
            assert (await reached(alone.store, name, "complete")).fence == fence


async def test_a_worker_executes_what_others_submit_and_its_jobs_are_gone_afterwards(
    office: OpenOffice, admin: Admin
) -> None:
    async with office() as worker, office(forever) as other:
        await worker.engine.work()
        for number in range(8):
            await other.store.runs.create(new(f"run-{number}", KINDS[number % 2]))
        ended = [await reached(other.store, f"run-{n}", "complete") for n in range(8)]
        assert {run.fence for run in ended} == {1}
        async with asyncio.timeout(60):
            while await admin("SELECT id FROM procrastinate_jobs"):
                await asyncio.sleep(0.02)


async def test_a_queued_run_that_lost_its_job_is_picked_up(
    office: OpenOffice, admin: Admin
) -> None:
    async with office() as worker:
        await worker.store.runs.create(new())
        await admin("DELETE FROM procrastinate_jobs")
        await worker.engine.work()
        await reached(worker.store, "run-1", "complete")
        await worker.hears()
        await admin("ALTER TABLE procrastinate_jobs DISABLE TRIGGER USER")  # nobody is told
        await worker.store.runs.create(new("run-2"))
        await admin("DELETE FROM procrastinate_jobs")
        await admin("ALTER TABLE procrastinate_jobs ENABLE TRIGGER USER")
        await reached(worker.store, "run-2", "complete")


async def test_the_status_of_a_job_says_nothing_about_its_run(
    office: OpenOffice, admin: Admin
) -> None:
    """Marked as succeeded by somebody who did nothing: the run is executed all the same."""
    async with office() as worker:
        await worker.store.runs.create(new())
        await admin("UPDATE procrastinate_jobs SET status = 'succeeded'")
        await worker.engine.work()
        await reached(worker.store, "run-1", "complete")


async def test_a_worker_that_stops_hands_its_runs_to_another_with_their_wake_ups(
    office: OpenOffice, admin: Admin
) -> None:
    """The reconcilers sleep: what the other is woken by was left by the one that stopped."""
    async with office(forever, at_once=2, pace=NEVER) as first:
        await first.engine.work()
        for number in range(4):
            await first.store.runs.create(new(f"run-{number}"))
        await reached(first.store, "run-0", "running")
        await reached(first.store, "run-1", "running")
        await first.engine.stop()
        states = {(await reached(first.store, f"run-{n}", "queued")).state for n in range(4)}
        assert states == {"queued"}
        assert await admin.waiting() == [f"run-{n}" for n in range(4)]
        async with office(echo, pace=NEVER) as second:
            await second.engine.work()
            ended = [await reached(second.store, f"run-{n}", "complete") for n in range(4)]
            assert [run.restarts for run in ended] == [1, 1, 0, 0]


async def test_a_run_is_cancelled_wherever_it_is_executed(office: OpenOffice) -> None:
    async with office(forever, pace=NEVER) as worker, office() as other:
        await worker.engine.work()
        await worker.hears()
        await other.store.runs.create(new())
        await reached(other.store, "run-1", "running")
        await other.engine.cancel("run-1")
        run = await reached(other.store, "run-1", "cancelled")
        assert words("en").stored(run.error) == errors.RunCancelled().message


async def test_each_kind_has_places_of_its_own(office: OpenOffice) -> None:
    """Runs of one kind that fill all their places hold up no other."""

    async def work(context: Context, given: Given) -> WorkResult:
        return await (forever if given.word.startswith("long") else echo)(context, given)

    async with office(work, at_once=1) as worker:
        await worker.engine.work()
        await worker.store.runs.create(new("long-1"))
        await reached(worker.store, "long-1", "running")
        await worker.store.runs.create(new("long-2"))
        await worker.store.runs.create(new("short", "other"))
        await reached(worker.store, "short", "complete")
        second = await worker.store.runs.get("long-2")
        assert second is not None
        assert second.state == "queued"


async def test_trouble_in_the_store_is_a_wake_up_for_later(
    office: OpenOffice, admin: Admin
) -> None:
    async def unlucky(context: Context, given: Given) -> WorkResult:
        raise errors.StoreBusy

    async with office(unlucky) as worker:
        await worker.engine.work()
        await worker.store.runs.create(new())
        async with asyncio.timeout(60):
            while not await admin(
                "SELECT 1 FROM procrastinate_jobs WHERE status = 'todo' AND scheduled_at > now()"
            ):
                await asyncio.sleep(0.02)


async def test_a_follower_elsewhere_is_woken_and_need_not_look(office: OpenOffice) -> None:
    """Both followers would look again after an hour; they have it all when the run is over."""
    gate = asyncio.Event()

    async def gated(context: Context, given: Given) -> WorkResult:
        await context.step("before").emit("progress", {"word": given.word})
        await gate.wait()
        return await echo(context, given)

    async with office(gated) as worker, office() as desk:
        await desk.engine.start()
        await desk.hears()
        await worker.store.runs.create(new())
        store, bell = desk.store, desk.bell
        seen: list[str] = []

        async def reads() -> None:
            found = follow(store.runs, store.journal, bell, "run-1", poll=lambda: 3600.0)
            async for event in found:
                seen.append(event.type)

        async def streams() -> list[bytes]:
            tails = Broadcasts(
                store.runs, store.journal, bell, lambda e: e.type.encode(), poll=lambda: 3600.0
            )
            return [frame.data async for some in tails.follow("run-1") for frame in some]

        reading, streaming = asyncio.create_task(reads()), asyncio.create_task(streams())
        await asyncio.sleep(0.1)
        await worker.engine.work()
        async with asyncio.timeout(60):
            while len(seen) < 2:
                await asyncio.sleep(0.01)
            assert not reading.done()
            gate.set()
            await reading
            assert await streaming == [b"run", b"progress", b"progress", b"complete"]
        assert seen == ["run", "progress", "progress", "complete"]


async def test_the_ear_comes_back_and_whoever_waits_looks_meanwhile(
    office: OpenOffice, admin: Admin
) -> None:
    async with office() as desk:
        await desk.engine.start()
        await desk.hears()
        waiting = asyncio.create_task(_heard(desk.bell))
        await asyncio.sleep(0)
        ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname ="
        ended += " current_database() AND application_name = 'groundwire listener'"
        assert await admin(ended) == [(True,)]
        async with asyncio.timeout(60):
            await waiting  # rung when it went deaf
        await desk.hears()
        waiting = asyncio.create_task(_heard(desk.bell))
        await asyncio.sleep(0)
        await admin("SELECT pg_notify(%s, 'run-1')", EVENTS)
        async with asyncio.timeout(60):
            await waiting


async def test_a_queue_that_was_lost_is_taken_up_again_and_runs_go_on_meanwhile(
    office: OpenOffice, admin: Admin
) -> None:
    """Every connection of the process is cut: the run under way keeps its lease and ends."""
    gate = asyncio.Event()

    async def gated(context: Context, given: Given) -> WorkResult:
        if given.word == "run-1":
            await gate.wait()
        return await echo(context, given)

    async with office(gated) as worker:
        await worker.engine.work()
        await worker.hears()
        await worker.store.runs.create(new())
        await reached(worker.store, "run-1", "running")
        await admin(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND application_name LIKE 'groundwire%'"
        )
        await worker.store.runs.create(new("run-2"))
        await reached(worker.store, "run-2", "complete")
        gate.set()
        run = await reached(worker.store, "run-1", "complete")
        assert (run.fence, run.restarts) == (1, 0)
        await worker.hears()


async def test_a_worker_that_was_struck_off_goes_on_under_a_new_number(
    office: OpenOffice, admin: Admin
) -> None:
    """As after an hour of being frozen: its queue ends, its runs do not, and it begins anew."""
    async with office(forever, at_once=1, pace=NEVER) as worker:
        await worker.engine.work()
        await worker.hears()
        await worker.store.runs.create(new("run-1"))
        await reached(worker.store, "run-1", "running")
        before = await admin("SELECT max(id) FROM procrastinate_workers")
        await admin("DELETE FROM procrastinate_workers")
        await worker.store.runs.create(new("run-2", "other"))
        await reached(worker.store, "run-2", "running")
        assert before < await admin("SELECT min(id) FROM procrastinate_workers")
        # Fetched by the new one, and there is no place for it: it must not be lost with the stop.
        await worker.store.runs.create(new("run-3"))
        async with asyncio.timeout(60):
            while await admin.waiting():
                await asyncio.sleep(0.02)
        await worker.engine.stop()
        runs = [await worker.store.runs.get(f"run-{number}") for number in (1, 2, 3)]
        assert [(run.state, run.fence) for run in runs if run] == [
            ("queued", 1),
            ("queued", 1),
            ("queued", 0),
        ]
        assert await admin.waiting() == ["run-1", "run-2", "run-3"]
