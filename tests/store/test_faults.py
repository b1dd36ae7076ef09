"""Full disks, damaged files, locks, lost servers and killed processes: clear errors, no halves."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import threading
import time
from pathlib import Path
from typing import Literal

import pytest

from groundwire.errors import (
    CorruptStore,
    DiskFull,
    GroundwireError,
    IllegalState,
    SettingsError,
    StoreAway,
    StoreBusy,
    StoreError,
)
from groundwire.store import Store, open_store
from groundwire.store.budget import reserve
from groundwire.store.dialect import dialect_of
from groundwire.store.statement import Connection

from .make import Cap, Make

WRITER = Path(__file__).with_name("writer.py")


@pytest.fixture
def file(tmp_path: Path, sqlite_template: Path) -> Path:
    path = tmp_path / "gw.db"
    path.write_bytes(sqlite_template.read_bytes())
    return path


def count_one(connection: Connection) -> None:
    reserve(connection, [Cap(scope="n", limit=None)], 1)


async def limit_pages(store: Store, pages: int) -> int:
    """Set how far the file may grow, and return the limit: it cannot be below the file's size."""
    pragma = f"PRAGMA max_page_count={pages}"
    (granted,) = await store.database.write(lambda c: c.raw.execute(pragma).fetchone())
    return granted


async def test_a_full_disk_is_said_and_nothing_is_half_written(file: Path, make: Make):
    async with open_store(f"sqlite:///{file}") as store:
        lease = await make.lease(store)
        await store.ledger.begin(lease, make.intent(run=100))
        size = await limit_pages(store, 1)
        noise = "".join(chr(0x4E00 + n * 7919 % 20000) for n in range(200_000))
        with pytest.raises(DiskFull, match="disk is full"):
            await store.ledger.finish(lease, make.answer(response={"text": noise}))
        record = await store.ledger.find("run_1", "k1")
        assert record is not None
        assert record.outcome == "intent"
        assert await store.budget.reserved(["run"]) == {"run": 10}
        await limit_pages(store, size + 10_000)  # space again: the store goes on by itself
        assert (await store.ledger.finish(lease, make.answer())).outcome == "ok"


def test_a_file_that_is_no_database_is_refused(tmp_path: Path):
    path = tmp_path / "gw.db"
    path.write_bytes(b"this is not a database, and it is long enough to be seen as none" * 50)
    with pytest.raises(CorruptStore, match="damaged or is not a database"):
        open_store(f"sqlite:///{path}")
    assert path.read_bytes().startswith(b"this is not")


async def test_damaged_pages_are_said(file: Path, make: Make):
    async with open_store(f"sqlite:///{file}") as store:
        lease = await make.lease(store)
        for n in range(50):
            answer = make.answer(f"k{n}", response={"x": "y" * 1500})
            await store.ledger.note(lease, make.intent(f"k{n}"), answer, "local")
    data = bytearray(file.read_bytes())
    for page in range(4096 * 20, len(data), 4096):
        data[page : page + 200] = b"\xff" * 200
    file.write_bytes(data)
    with pytest.raises(CorruptStore):
        async with open_store(f"sqlite:///{file}") as store:
            await store.ledger.records("run_1")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE calls SET response = 'x'",  # looks compressed, is not
        "UPDATE calls SET response = '{'",  # cut off
        "UPDATE calls SET outcome = 'perhaps'",  # no such outcome
    ],
)
async def test_a_row_that_cannot_be_read_is_said(file: Path, make: Make, change: str):
    async with open_store(f"sqlite:///{file}") as store:
        lease = await make.lease(store)
        await store.ledger.note(lease, make.intent(), make.answer(), "local")
        change = change.replace("'x'", "CAST('x' AS BLOB)").replace("'{'", "CAST('{' AS BLOB)")
        await store.database.write(lambda c: c.raw.execute(change).close())
        with pytest.raises(CorruptStore):
            await store.ledger.find("run_1", "k1")
        assert (await store.runs.get("run_1")) is not None


@pytest.mark.parametrize(("durability", "level"), [("normal", 1), ("full", 2)])
async def test_durability_is_what_was_asked_for(
    file: Path, durability: Literal["normal", "full"], level: int
):
    async with open_store(f"sqlite:///{file}", durability=durability) as store:

        def settings(connection: Connection) -> list[object]:
            names = ("synchronous", "journal_mode", "foreign_keys")
            return [connection.raw.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

        assert await store.database.write(settings) == [level, "wal", 1]


async def test_a_lock_held_elsewhere_is_said(file: Path):
    async with open_store(f"sqlite:///{file}") as store:
        await store.database.write(lambda c: c.raw.execute("PRAGMA busy_timeout=20").fetchone())
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        results = await asyncio.gather(
            *[store.database.write(count_one) for _ in range(5)], return_exceptions=True
        )
        assert {type(result) for result in results} == {StoreBusy}
        assert await store.budget.spent(["n"]) == {"n": 0}  # readers are not locked out
        other.rollback()
        other.close()
        await store.database.write(count_one)


@pytest.mark.parametrize(
    ("url", "kind", "says"),
    [
        ("sqlite://", SettingsError, "file"),
        ("sqlite:///:memory:", SettingsError, "file"),
        ("mysql://u:s3cret@h/db", SettingsError, "mysql"),
        ("s3cret", SettingsError, "cannot be read"),
        ("sqlite:////proc/nowhere/gw.db", StoreAway, "cannot be"),
        ("postgresql://u:s3cret@127.0.0.1:1/db", StoreAway, "127.0.0.1:1/db"),
        ("postgres://u:s3cret@127.0.0.1:1/db?bad=s3cret", StoreError, "127.0.0.1:1/db"),
    ],
)
def test_a_database_that_cannot_be_had(url: str, kind: type[GroundwireError], says: str):
    with pytest.raises(kind) as caught:
        open_store(url)
    assert says in caught.value.message
    assert "s3cret" not in caught.value.message + caught.value.hint


@pytest.mark.parametrize(
    ("state", "kind", "cure"),
    [
        ("53100", DiskFull, None),
        ("40001", StoreBusy, "again"),
        ("40P01", StoreBusy, "again"),
        ("53300", StoreBusy, None),  # too many connections
        ("57P01", StoreAway, "reconnect"),  # shut down by its administrator
        ("57P03", StoreAway, "reconnect"),  # starting up
        ("08006", StoreAway, "reconnect"),
        ("28P01", StoreAway, None),  # wrong password: trying again does not help
        ("XX001", CorruptStore, None),
        ("23505", IllegalState, None),
        ("42601", IllegalState, None),
    ],
)
def test_postgresql_errors_are_translated(state: str, kind: type[GroundwireError], cure: str):
    import psycopg

    dialect = dialect_of("postgresql://u:s3cret@h/db")
    error = psycopg.errors.lookup(state)("it said s3cret\nDETAIL: more")
    translated = dialect.translate(error)
    assert type(translated) is kind
    assert "s3cret" not in translated.message
    assert "DETAIL" not in translated.message
    assert dialect.cure(error) == cure


async def test_a_killed_writer_leaves_a_consistent_database(database_url: str):
    child = await asyncio.create_subprocess_exec(
        sys.executable, WRITER, database_url, stdout=asyncio.subprocess.PIPE
    )
    assert child.stdout is not None
    written = [int(await child.stdout.readline()) for _ in range(100)]
    child.kill()
    written += [int(line) for line in (await child.stdout.read()).split()]
    await child.wait()
    async with open_store(database_url) as store:
        records = {record.key: record for record in await store.ledger.records("run_1")}
        events = await store.journal.read("run_1", limit=100_000)
        keys = {event.key for event in events}
        for n in written:  # what was said to be stored is stored
            assert records[f"k{n}"].response == {"n": n, "x": "y" * 3000}
            assert f"e{n}" in keys
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        run = await store.runs.get("run_1")
        assert run is not None
        assert run.last_seq == len(events)
        spent = sum(record.cost for record in records.values())
        held = sum(r.estimate for r in records.values() if r.outcome == "intent")
        assert await store.budget.spent(["run:run_1"]) == {"run:run_1": spent}
        assert await store.budget.reserved(["run:run_1"]) == {"run:run_1": held}
        if store.database.dialect.name == "sqlite":
            check = await store.database.read(
                lambda c: c.raw.execute("PRAGMA integrity_check").fetchall()
            )
            assert check == [("ok",)]


on_postgres = pytest.mark.parametrize(
    "database_kind", [pytest.param("postgres", marks=pytest.mark.postgres)], indirect=True
)


def end_others(connection: Connection) -> None:
    connection.raw.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )


@on_postgres
async def test_lost_connections_are_made_again(store: Store, database_url: str):
    await store.database.write(count_one)
    await asyncio.gather(*[store.budget.spent(["n"]) for _ in range(20)])
    async with open_store(database_url) as other:
        await other.database.read(end_others)
    await store.database.write(count_one)
    for _ in range(8):
        assert await store.budget.reserved(["n"]) == {"n": 2}


@on_postgres
async def test_a_transaction_lost_before_its_commit_is_run_again(store: Store):
    runs: list[int] = []

    def work(connection: Connection) -> None:
        count_one(connection)
        runs.append(1)
        if len(runs) == 1:
            connection.raw.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    await store.database.write(work)
    assert len(runs) == 2
    assert await store.budget.reserved(["n"]) == {"n": 1}


@on_postgres
async def test_a_process_frozen_within_a_transaction_holds_nobody_up(store: Store):
    """The server gives its transaction up; awake again, the process runs it anew."""
    runs: list[int] = []

    def soon(connection: Connection) -> None:
        found = connection.raw.execute("SHOW idle_in_transaction_session_timeout").fetchone()
        assert found == ("30s",)
        connection.raw.execute("SET idle_in_transaction_session_timeout = '100ms'")

    def work(connection: Connection) -> None:
        count_one(connection)
        runs.append(1)
        if len(runs) == 1:
            time.sleep(1.0)
        count_one(connection)

    await store.database.write(soon)
    await store.database.write(work)
    assert len(runs) == 2
    assert await store.budget.reserved(["n"]) == {"n": 2}


@on_postgres
async def test_a_transaction_lost_in_its_commit_is_not_run_again(store: Store):
    def prepare(connection: Connection) -> None:
        connection.raw.execute(
            "CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$"
        )
        connection.raw.execute(
            "CREATE CONSTRAINT TRIGGER leaving AFTER INSERT ON budgets"
            " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION leave()"
        )

    await store.database.write(prepare)
    runs: list[int] = []

    def work(connection: Connection) -> None:
        runs.append(1)
        count_one(connection)

    with pytest.raises(StoreAway):
        await store.database.write(work)
    assert len(runs) == 1
    assert await store.runs.get("x") is None  # and the store goes on


@on_postgres
async def test_a_deadlock_is_run_again(store: Store, database_url: str):
    both = threading.Barrier(2)

    def crossing(first: str, second: str):
        met: list[int] = []

        def work(connection: Connection) -> None:
            reserve(connection, [Cap(scope=first, limit=None)], 1)
            if not met:  # only the first time: the one that is run again comes alone
                met.append(1)
                both.wait(60)
            reserve(connection, [Cap(scope=second, limit=None)], 1)

        return work

    async with open_store(database_url) as other:
        await asyncio.gather(
            store.database.write(crossing("a", "b")), other.database.write(crossing("b", "a"))
        )
    assert await store.budget.reserved(["a", "b"]) == {"a": 2, "b": 2}
