"""Fresh equals migrated, on both databases; newer, foreign and concurrent cases."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from groundwire.errors import NewerSchema, StoreError
from groundwire.model.query import Query
from groundwire.store import current, ensure, migrate, open_store, upgrade
from groundwire.store.dialect import dialect_of
from groundwire.store.schema import HEAD, REVISIONS

_SPACE = re.compile(r"(\\[nt]|\s)+")
_CATALOG = {
    # Everything that was created, as the database itself writes it down.
    "sqlite": ["SELECT type, name, tbl_name, sql FROM sqlite_master"],
    "postgresql": [
        "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
        "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE connamespace = 'public'::regnamespace",
        "SELECT table_name, column_name, data_type, collation_name, is_nullable, column_default"
        " FROM information_schema.columns WHERE table_schema = 'public'",
        "SELECT relname, relkind, reloptions FROM pg_class"
        " WHERE relnamespace = 'public'::regnamespace",
        "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
        "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
    ],
}


def described(url: str) -> dict[str, Any]:
    """Describe the schema of a database in comparable values."""
    found: dict[str, Any] = {}
    with dialect_of(url).engine().connect() as connection:
        inspector = inspect(connection)
        for table in sorted(inspector.get_table_names()):
            columns = [
                {**column, "type": str(column["type"])} for column in inspector.get_columns(table)
            ]
            found[table] = {
                "columns": columns,
                "primary key": inspector.get_pk_constraint(table),
                "unique": sorted(
                    inspector.get_unique_constraints(table), key=lambda c: str(c["name"])
                ),
                "foreign keys": inspector.get_foreign_keys(table),
                "indexes": sorted(
                    str(index) for index in map(_plain, inspector.get_indexes(table))
                ),
            }
        for query in _CATALOG[connection.dialect.name]:
            rows = connection.execute(text(query)).fetchall()
            found[query] = sorted(_SPACE.sub("", str(tuple(row))) for row in rows)
    return found


def _plain(index: Any) -> dict[str, Any]:
    """Return an index whose condition, if it has one, is its text."""
    options = {name: str(each) for name, each in index.get("dialect_options", {}).items()}
    return {**index, "dialect_options": options}


def emptied(url: str) -> None:
    """Drop all tables."""
    dialect = dialect_of(url)
    if dialect.name == "sqlite":
        Path(url.removeprefix("sqlite:///")).unlink()
        return
    with dialect.engine().begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))


def test_a_fresh_schema_equals_a_migrated_one(empty_database_url: str):
    assert current(empty_database_url) is None
    assert ensure(empty_database_url) == "created"
    fresh = described(empty_database_url)
    emptied(empty_database_url)
    assert upgrade(empty_database_url) == "created"
    assert described(empty_database_url) == fresh
    assert current(empty_database_url) == HEAD
    assert {"runs", "calls", "events", "budgets", "cache", "documents", "bodies"} <= fresh.keys()
    assert {"beliefs", "sightings", "grounds", "doubts"} <= fresh.keys()


def alembic_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).parent / "migrations"))
    return config


def brought_to(url: str, revision: str) -> None:
    """Build a database as an older version of Groundwire left it."""
    config = alembic_config()
    with dialect_of(url).engine().connect() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        connection.commit()


_OLD_ROWS = {
    "runs": {
        "id": "ask-1", "kind": "ask", "input": "{}", "settings": "{}", "now": 1, "seed": "s",
        "versions": '{"code":"1","data":"d","prompts":"p"}', "created_at": 1,
        "state": "complete", "attempt": 1, "fence": 1, "claims": 1, "cancel_requested": 0,
        "last_seq": 1, "result": b'{"answer":[]}', "digest": "d", "updated_at": 2,
        "finished_at": 2,
    },
    "events": {
        "run_id": "ask-1", "seq": 1, "key": "k", "attempt": 1, "step": "", "type": "complete",
        "payload": "{}", "at": 2,
    },
    "calls": {
        "run_id": "ask-1", "key": "k", "attempt": 1, "kind": "search", "provider": "tavily",
        "occasion": "", "request": b"{}", "outcome": "ok", "response": b"{}", "via": "sent",
        "estimate": 1, "cost": 1, "latency_ms": 1, "tries": 1, "repeated": 0, "scopes": "[]",
        "started_at": 1, "finished_at": 2,
    },
    "budgets": {"scope": "run:ask-1", "spent": 1, "reserved": 0},
    "cache": {"key": "k", "response": b"{}", "stored_at": 1, "expires_at": 2},
    "bodies": {"sha256": "b" * 64, "size": 12, "data": zlib.compress("海象迁徙".encode())},
    "documents": {
        "num": 7, "id": "doc_1", "canonical_url": "https://a.example/1", "url": "u",
        "publisher": "a.example", "domain": "a.example", "title": "海象", "published_how": "unknown",
        "language": "zh", "sha256": "b" * 64, "media_type": "text/html", "fetched_at": 1,
        "sample": 0,
    },
    "archive_text": {"title": "海象", "body": "海象 迁徙"},
}  # fmt: skip


def filled_as_0001(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """Write one row into every table of the first revision; return what is in the tables."""
    with dialect_of(url).engine().begin() as connection:
        sqlite = connection.dialect.name == "sqlite"
        for table, row in _OLD_ROWS.items():
            extra: dict[str, Any] = {}
            if table == "archive_text":
                extra = {"rowid": 7} if sqlite else {"num": 7, "vector": "'海象' '迁徙'"}
            names = [*row, *extra]
            places = ", ".join(f":{name}" for name in names)
            sql = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places})"
            if not sqlite:
                sql = sql.replace(":vector", "CAST(:vector AS tsvector)")
            connection.execute(text(sql), {**row, **extra})
        connection.execute(text("UPDATE archive_totals SET documents = 1, terms = 3"))
    return contents(url)


def contents(url: str) -> dict[str, list[tuple[Any, ...]]]:
    with dialect_of(url).engine().connect() as connection:
        return {
            table: [
                tuple(sorted((key, str(value)) for key, value in row.items()))
                for row in connection.execute(text(f"SELECT * FROM {table}")).mappings()
            ]
            for table in (*_OLD_ROWS, "archive_totals")
        }


async def test_an_upgrade_from_the_first_revision_keeps_everything(empty_database_url: str):
    brought_to(empty_database_url, "0001")
    before = filled_as_0001(empty_database_url)
    assert all(before.values())
    assert ensure(empty_database_url) == "upgraded"
    after = contents(empty_database_url)
    for table, rows in before.items():
        # A later revision may add columns; nothing that was there is changed.
        assert [set(row) for row in rows] == [
            set(row) & set(old) for row, old in zip(after[table], rows, strict=True)
        ]
    async with open_store(empty_database_url) as store:
        found = await store.index.search(Query(text="海象"), datetime(2026, 1, 1, tzinfo=UTC))
        assert [hit.document.id for hit in found] == ["doc_1"]


def test_a_revision_takes_nothing_from_the_code_of_today():
    """What a revision did must not change when the store does: revisions share only what stands
    beside them, which takes nothing from elsewhere either."""
    folder = Path(migrate.__file__).parent / "migrations"
    shared = "from groundwire.store.migrations."
    for path in [*folder.glob("versions/rev_*.py"), folder / "columns.py", folder / "ddl.py"]:
        assert "groundwire" not in path.read_text().replace(shared, ""), path.name


def test_the_known_revisions_are_the_files():
    scripts = ScriptDirectory.from_config(alembic_config())
    assert scripts.get_heads() == [HEAD]
    assert [s.revision for s in scripts.walk_revisions()][::-1] == list(REVISIONS)


def test_ensure_leaves_a_current_database_alone(database_url: str):
    assert ensure(database_url) == "current"
    assert upgrade(database_url) == "current"


def test_a_fresh_or_current_database_needs_no_alembic(tmp_path: Path):
    code = (
        "import sys; from groundwire.store import ensure;"
        f"url = 'sqlite:///{tmp_path}/new/gw.db';"
        "assert ensure(url) == 'created'; assert ensure(url) == 'current';"
        "assert 'alembic' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


async def test_a_newer_database_is_refused_in_one_sentence(database_url: str):
    with dialect_of(database_url).engine().begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(NewerSchema, match="9999") as caught:
        open_store(database_url)
    assert caught.value.message.count(". ") == 0
    assert caught.value.hint


def test_tables_without_a_revision_are_refused(empty_database_url: str):
    with dialect_of(empty_database_url).engine().begin() as connection:
        connection.execute(text("CREATE TABLE runs (id text)"))
    with pytest.raises(StoreError, match="without a revision"):
        ensure(empty_database_url)


def test_asking_for_the_revision_creates_nothing(tmp_path: Path):
    assert current(f"sqlite:///{tmp_path}/none.db") is None
    assert list(tmp_path.iterdir()) == []


async def test_two_at_once_create_it_once(empty_database_url: str):
    async def one() -> str:
        code = (
            "import sys; from groundwire.store import ensure; sys.stdout.write(ensure(sys.argv[1]))"
        )
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-c", code, empty_database_url, stdout=asyncio.subprocess.PIPE
        )
        out, _ = await child.communicate()
        assert child.returncode == 0
        return out.decode()

    done = await asyncio.gather(one(), one(), one())
    assert sorted(done) == ["created", "current", "current"]
