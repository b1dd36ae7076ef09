"""Fresh equals migrated, on both databases; newer, foreign and concurrent cases."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import inspect, text

from groundwire.errors import NewerSchema, StoreError
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
    """The schema of a database, in values that can be compared."""
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
                "indexes": sorted(inspector.get_indexes(table), key=lambda i: str(i["name"])),
            }
        for query in _CATALOG[connection.dialect.name]:
            rows = connection.execute(text(query)).fetchall()
            found[query] = sorted(_SPACE.sub("", str(tuple(row))) for row in rows)
    return found


def emptied(url: str) -> None:
    """Back to a database without tables."""
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


def test_the_known_revisions_are_the_files():
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).parent / "migrations"))
    scripts = ScriptDirectory.from_config(config)
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
