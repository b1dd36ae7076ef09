"""On PostgreSQL a run and its wake-up are written together, and what has lost its wake-up gets one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from importlib import resources
from typing import Any

import psycopg
import pytest

from groundwire.errors import GroundwireError
from groundwire.model.ending import Ending
from groundwire.store import Store, open_store
from groundwire.store.migrations.ddl import QUEUE_SCHEMA
from groundwire.store.wakeups import ENDS, EVENTS, STOPS, WakeupTable

from .make import Make

pytestmark = pytest.mark.postgres

Connection = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture
def database_kind() -> str:
    return "postgres"


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    async with open_store(database_url) as opened:
        yield opened


@pytest.fixture
def wakeups(store: Store) -> WakeupTable:
    turn = store.turn
    assert isinstance(turn, WakeupTable)
    return turn


@pytest.fixture
def other(database_url: str) -> Any:
    """Connect to the same database as somebody else."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        yield connection


def jobs(other: Connection) -> list[tuple[Any, ...]]:
    """List what waits: queue, task, run, whether for later."""
    return other.execute(
        "SELECT queue_name, task_name, args->>'run_id', scheduled_at IS NOT NULL"
        " FROM procrastinate_jobs WHERE status = 'todo' ORDER BY id"
    ).fetchall()


def forget_jobs(other: Connection) -> None:
    other.execute("DELETE FROM procrastinate_jobs")


def taken(other: Connection, run_id: str, heartbeat: str) -> None:
    """Let a worker that was last heard of then fetch the job of this run."""
    other.execute(
        "WITH worker AS (INSERT INTO procrastinate_workers (last_heartbeat)"
        " VALUES (now() - %s::interval) RETURNING id)"
        " UPDATE procrastinate_jobs SET status = 'doing', worker_id = (SELECT id FROM worker)"
        " WHERE queueing_lock = %s",
        (heartbeat, run_id),
    )


def test_the_pinned_tables_are_those_of_the_installed_procrastinate() -> None:
    """Its code calls functions by their versions; when this fails, add a revision (decision 0023)."""
    installed = (resources.files("procrastinate.sql") / "schema.sql").read_bytes()
    assert QUEUE_SCHEMA.read_bytes().endswith(installed)


async def test_a_run_and_its_wake_up_are_one_transaction(
    store: Store, make: Make, other: Connection
) -> None:
    """What cannot be committed leaves neither of them."""
    other.execute(
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN RAISE EXCEPTION 'refused at the commit'; END; $$"
    )
    other.execute(
        "CREATE CONSTRAINT TRIGGER refusal AFTER INSERT ON runs DEFERRABLE INITIALLY DEFERRED"
        " FOR EACH ROW EXECUTE FUNCTION refuse()"
    )
    with pytest.raises(GroundwireError, match="refused at the commit"):
        await store.runs.create(make.run())
    assert (await store.runs.get("run_1"), jobs(other)) == (None, [])
    other.execute("DROP TRIGGER refusal ON runs")
    await store.runs.create(make.run())
    assert jobs(other) == [("ask", "run", "run_1", False)]
    await store.runs.create(make.run())  # the same again is the same run, and wakes nobody
    assert len(jobs(other)) == 1


async def test_a_run_without_a_wake_up_is_not_written(
    store: Store, make: Make, other: Connection
) -> None:
    other.execute("ALTER FUNCTION wake_run RENAME TO asleep")
    with pytest.raises(GroundwireError):
        await store.runs.create(make.run())
    assert await store.runs.get("run_1") is None


async def test_who_takes_a_run_takes_its_wake_up_and_who_hands_it_back_leaves_one(
    store: Store, make: Make, other: Connection
) -> None:
    lease = await make.lease(store)
    assert jobs(other) == []
    await store.runs.release(lease)
    assert jobs(other) == [("ask", "run", "run_1", False)]
    again = await store.runs.claim("run_1", "worker", make.now, make.later)
    assert again is not None
    await store.runs.release(lease)  # fenced: nothing
    assert jobs(other) == []
    await store.runs.release(again, wait=60)
    assert jobs(other) == [("ask", "run", "run_1", True)]


async def test_a_run_that_is_over_wakes_nobody_until_it_is_resumed(
    store: Store, make: Make, other: Connection
) -> None:
    await store.runs.create(make.run())
    await store.runs.request_cancel("run_1", make.now)
    assert jobs(other) == []
    await store.runs.reopen("run_1", make.now)
    assert jobs(other) == [("ask", "run", "run_1", False)]
    await store.runs.reopen("run_1", make.now)  # queued already
    assert len(jobs(other)) == 1
    await store.runs.delete("run_1")
    assert jobs(other) == []


async def test_a_wake_up_that_waits_is_not_doubled(
    store: Store, make: Make, other: Connection, wakeups: WakeupTable
) -> None:
    await store.runs.create(make.run())
    await wakeups.again("ask", "run_1")
    assert len(jobs(other)) == 1


class TestReconciler:
    async def test_a_queued_run_without_a_job_is_woken(
        self, store: Store, make: Make, other: Connection, wakeups: WakeupTable
    ) -> None:
        await store.runs.create(make.run())
        forget_jobs(other)
        assert await wakeups.reconcile(make.now, ()) == 1
        assert jobs(other) == [("ask", "run", "run_1", False)]
        assert await wakeups.reconcile(make.now, ()) == 0
        assert len(jobs(other)) == 1

    @pytest.mark.parametrize(("heartbeat", "woken"), [("1 second", 0), ("1 minute", 1)])
    async def test_a_job_counts_while_its_worker_lives(
        self,
        store: Store,
        make: Make,
        other: Connection,
        wakeups: WakeupTable,
        heartbeat: str,
        woken: int,
    ) -> None:
        await store.runs.create(make.run())
        taken(other, "run_1", heartbeat)
        assert await wakeups.reconcile(make.now, ()) == woken
        assert len(jobs(other)) == woken

    async def test_a_running_run_is_woken_when_its_lease_is_over_or_its_owner_gone(
        self, store: Store, make: Make, other: Connection, wakeups: WakeupTable
    ) -> None:
        await make.lease(store)
        assert await wakeups.owners() == ["worker"]
        assert await wakeups.reconcile(make.now, ["somebody else"]) == 0
        assert await wakeups.reconcile(make.later - timedelta(seconds=1), ()) == 0
        assert await wakeups.reconcile(make.later, ()) == 1
        forget_jobs(other)
        assert await wakeups.reconcile(make.now, ["worker"]) == 1

    async def test_the_job_of_a_lost_lease_does_not_count_however_fresh_its_heartbeat(
        self, store: Store, make: Make, other: Connection, wakeups: WakeupTable
    ) -> None:
        await store.runs.create(make.run())
        taken(other, "run_1", "1 second")
        await store.runs.claim("run_1", "worker", make.now, make.later)
        assert await wakeups.reconcile(make.now, ()) == 0
        assert await wakeups.reconcile(make.now, ["worker"]) == 1
        other.execute("DELETE FROM procrastinate_jobs WHERE status = 'todo'")
        assert await wakeups.reconcile(make.later, ()) == 1

    async def test_finished_runs_are_left_alone_and_lost_jobs_swept(
        self, store: Store, make: Make, other: Connection, wakeups: WakeupTable
    ) -> None:
        await store.runs.create(make.run())
        taken(other, "run_1", "2 hours")
        await store.runs.request_cancel("run_1", make.now)
        assert await wakeups.reconcile(make.later, ["worker"]) == 0
        for table in ("procrastinate_jobs", "procrastinate_workers"):
            assert other.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)

    async def test_one_process_at_a_time_looks(
        self, store: Store, make: Make, other: Connection, wakeups: WakeupTable
    ) -> None:
        await store.runs.create(make.run())
        forget_jobs(other)
        with other.transaction():
            other.execute("SELECT pg_advisory_xact_lock(%s)", (0x77616B65,))
            assert await wakeups.reconcile(make.now, ()) == 0
        assert await wakeups.reconcile(make.now, ()) == 1


async def test_what_is_told_is_an_id_and_only_if_it_is_stored(
    store: Store, make: Make, other: Connection
) -> None:
    for channel in (EVENTS, ENDS, STOPS):
        other.execute(f"LISTEN {channel}")
    lease = await make.lease(store)
    await store.journal.append(lease, [make.draft()], make.now)
    await store.journal.append(lease, [make.draft()], make.now)  # known: nothing new, not told
    await store.runs.request_cancel("run_1", make.now)
    await store.runs.finish(lease, Ending("failed", make.now, error="no"))
    other.execute("SELECT 1")
    notifications = [
        (each.channel, each.payload) for each in other.notifies(timeout=60, stop_after=4)
    ]
    assert notifications == [
        (EVENTS, "run_1"),
        (STOPS, "run_1"),
        (EVENTS, "run_1"),
        (ENDS, "run_1"),
    ]
