"""Group commit, isolation of failures, cancellation, closing."""

from __future__ import annotations

import asyncio
import threading

import pytest

from groundwire.errors import IllegalState, InputError, StoreError
from groundwire.store import Store
from groundwire.store.budget import reserve, settle
from groundwire.store.database import Database
from groundwire.store.dialect import Sqlite
from groundwire.store.statement import Connection

from .make import Cap

pytestmark = pytest.mark.usefixtures("store")


def count_one(connection: Connection) -> None:
    reserve(connection, [Cap(scope="n", limit=None)], 1)


class Gate:
    """Holds the writer thread, so that what is queued meanwhile becomes one batch."""

    def __init__(self, database: Database) -> None:
        self._entered = threading.Event()
        self._go = threading.Event()
        self._held = asyncio.ensure_future(database.write(self._hold))

    def _hold(self, _: Connection) -> None:
        self._entered.set()
        self._go.wait(60)

    async def __aenter__(self) -> None:
        await asyncio.to_thread(self._entered.wait, 60)

    async def __aexit__(self, *_: object) -> None:
        self._go.set()
        await self._held


async def held(store: Store) -> int:
    return (await store.budget.reserved(["n"]))["n"]


async def test_what_is_queued_shares_a_transaction(store: Store):
    """The first of a batch sees nothing, the last one sees what the others have not committed."""

    def count_and_look(connection: Connection) -> int:
        count_one(connection)
        row = connection.raw.execute("SELECT reserved FROM budgets WHERE scope = 'n'").fetchone()
        # Another connection sees only what is committed.
        other = connection.dialect.connect(writer=False)
        committed = other.execute("SELECT reserved FROM budgets WHERE scope = 'n'").fetchone()
        other.close()
        return row[0] - (committed[0] if committed else 0)

    async with Gate(store.database):
        waiting = [asyncio.ensure_future(store.database.write(count_and_look)) for _ in range(10)]
        await asyncio.sleep(0)
    assert await asyncio.gather(*waiting) == list(range(1, 11))


async def test_only_the_faulty_one_of_a_batch_fails(store: Store):
    def faulty(connection: Connection) -> None:
        count_one(connection)
        raise InputError("no")

    async with Gate(store.database):
        jobs = [count_one, count_one, faulty, count_one]
        waiting = [asyncio.ensure_future(store.database.write(job)) for job in jobs]
        await asyncio.sleep(0)
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(r) for r in results] == [type(None), type(None), InputError, type(None)]
    assert await held(store) == 3  # each good one exactly once, the faulty one not at all


async def test_a_statement_that_the_database_refuses_fails_alone(store: Store):
    def refused(connection: Connection) -> None:
        connection.raw.execute("INSERT INTO budgets (scope) VALUES ('half')")

    async with Gate(store.database):
        jobs = [count_one, refused, count_one]
        waiting = [asyncio.ensure_future(store.database.write(job)) for job in jobs]
        await asyncio.sleep(0)
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(r) for r in results] == [type(None), IllegalState, type(None)]
    assert await held(store) == 2


async def test_work_that_runs_out_of_values_harms_nobody_else(store: Store):
    async with Gate(store.database):
        jobs = [count_one, lambda _: next(iter([])), count_one]
        waiting = [asyncio.ensure_future(store.database.write(job)) for job in jobs]
        await asyncio.sleep(0)
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(r) for r in results] == [type(None), IllegalState, type(None)]


async def test_a_caller_cancelled_in_the_queue_is_skipped(store: Store):
    async with Gate(store.database):
        waiting = [asyncio.ensure_future(store.database.write(count_one)) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[1].cancel()
        await asyncio.sleep(0)
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert isinstance(results[1], asyncio.CancelledError)
    assert await held(store) == 2


async def test_a_cancellation_does_not_reach_into_a_transaction(store: Store):
    entered, go = threading.Event(), threading.Event()

    def slow(connection: Connection) -> None:
        count_one(connection)
        entered.set()
        go.wait(60)
        count_one(connection)

    caller = asyncio.ensure_future(store.database.write(slow))
    await asyncio.to_thread(entered.wait, 60)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    go.set()
    await store.database.write(count_one)
    assert await held(store) == 3


async def test_a_failed_read_leaves_the_reader_usable(store: Store):
    for _ in range(10):
        with pytest.raises((IllegalState, StoreError)):
            await store.database.read(lambda c: c.raw.execute("SELECT * FROM nowhere"))
    assert await held(store) == 0


async def test_close_finishes_what_is_queued_and_refuses_more(store: Store):
    async with Gate(store.database):
        waiting = [asyncio.ensure_future(store.database.write(count_one)) for _ in range(100)]
        await asyncio.sleep(0)
        closing = asyncio.ensure_future(store.close())
        await asyncio.sleep(0)
    await closing
    assert await asyncio.gather(*waiting) == [None] * 100
    with pytest.raises(IllegalState):
        await store.database.write(count_one)
    with pytest.raises(IllegalState):
        await store.database.read(count_one)
    await store.close()


async def test_a_reader_that_ends_late_leaves_no_log_behind(store: Store):
    """Whoever copies a closed data folder finds one whole file in it: the writer goes last."""
    if not isinstance(store.database.dialect, Sqlite):
        pytest.skip("only SQLite keeps a log beside the database")
    await store.database.write(count_one)
    entered, go = threading.Event(), threading.Event()

    def hold(connection: Connection) -> None:
        connection.raw.execute("SELECT count(*) FROM runs").fetchall()
        entered.set()
        go.wait(60)

    reading = asyncio.ensure_future(store.database.read(hold))
    await asyncio.to_thread(entered.wait, 60)
    closing = asyncio.ensure_future(store.close())
    await asyncio.sleep(0.2)
    assert [t.is_alive() for t in store.database._threads if t.name == "gw-writer"] == [True]
    go.set()
    await asyncio.gather(reading, closing)
    path = store.database.dialect.path
    assert sorted(file.name for file in path.parent.glob(f"{path.name}*")) == [path.name]


async def test_any_event_loop_can_use_it(store: Store):
    def elsewhere() -> int:
        async def work() -> int:
            await store.database.write(count_one)
            return await held(store)

        return asyncio.run(work())

    assert await asyncio.to_thread(elsewhere) == 1
    assert await held(store) == 1


async def test_a_caller_whose_loop_is_gone_does_not_stop_the_writer(store: Store):
    left: list[asyncio.Future[None]] = []

    def elsewhere() -> None:
        async def work() -> None:
            left.append(asyncio.ensure_future(store.database.write(count_one)))
            await asyncio.sleep(0)

        loop = asyncio.new_event_loop()
        loop.run_until_complete(work())
        left[0].cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()

    await asyncio.to_thread(elsewhere)
    await store.database.write(count_one)
    assert await held(store) in {1, 2}


async def test_many_increments_at_once_are_all_kept(store: Store):
    """Read-then-write lost 46 of 50; one statement loses none."""
    await asyncio.gather(*[store.database.write(count_one) for _ in range(200)])
    assert await held(store) == 200
    await store.database.write(lambda c: settle(c, ["n"], freed=200, paid=0))
    assert await held(store) == 0
