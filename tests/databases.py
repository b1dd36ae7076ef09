"""Databases of PostgreSQL for tests: made of a template once, and emptied between two tests.

To make one and to drop it again costs a server more than most tests do.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import psycopg
from psycopg import sql

_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
# Everything a test could have built differently: a database that no longer has it is dropped.
_SHAPE = """
SELECT md5(coalesce(string_agg(line, ',' ORDER BY line), '')) FROM (
    SELECT attrelid::regclass || '.' || attname || ' ' || atttypid || attnotnull || attisdropped AS line
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp'
    UNION ALL SELECT conrelid || conname || convalidated FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT tgrelid || tgname || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT proname || md5(prosrc) FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT setconfig::text FROM pg_db_role_setting
) AS lines
"""
_ALONE = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = %s AND pid != pg_backend_pid()
"""
_RESTART = """
SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
FROM pg_sequences WHERE last_value IS NOT NULL
"""
_RESTING = 3  # databases that wait before one is used again: nobody of its last test is left


@dataclass
class Databases:
    """The databases of one worker."""

    server: str  # URI of the database `postgres`
    worker: str
    template: str
    _free: deque[str] = field(default_factory=deque[str])
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))
    _shape: str = ""
    _tables: tuple[str, ...] = ()
    _first: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)

    @contextmanager
    def lend(self) -> Iterator[str]:
        """Give the URI of a database with the schema and nothing in it."""
        name = self._free.popleft() if len(self._free) >= _RESTING else self._make(self.template)
        yield self.uri(name)
        if self._emptied(name):
            self._free.append(name)
        else:
            self._drop(name)

    @contextmanager
    def bare(self) -> Iterator[str]:
        """Give the URI of a database without any table."""
        name = self._make("template0")
        yield self.uri(name)
        self._drop(name)

    def uri(self, name: str) -> str:
        return self.server.replace("/postgres?", f"/{name}?")

    def look(self) -> None:
        """Learn from the template what an empty database is."""
        with psycopg.connect(self.uri(self.template), autocommit=True) as opened:
            self._tables = tuple(row[0] for row in opened.execute(_TABLES))
            self._shape = _one(opened, _SHAPE)
            self._first = {
                name: _rows(opened, name) for name in self._tables if _rows(opened, name)
            }

    def _make(self, template: str) -> str:
        name = f"test_{self.worker}_{next(self._numbers)}"
        with psycopg.connect(self.server, autocommit=True) as admin:
            admin.execute(f"CREATE DATABASE {name} TEMPLATE {template}")  # type: ignore[call-overload]
        return name

    def _drop(self, name: str) -> None:
        with psycopg.connect(self.server, autocommit=True) as admin:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")  # type: ignore[call-overload]

    def _emptied(self, name: str) -> bool:
        """Empty the database back to its template; tell whether that worked."""
        try:
            with psycopg.connect(self.uri(name)) as opened:
                opened.execute(_ALONE, [name])
                if _one(opened, _SHAPE) != self._shape:
                    return False
                opened.execute("SET LOCAL session_replication_role = replica")  # no foreign keys
                for table in self._filled(opened):
                    first = self._first.get(table, [])
                    if first and _rows(opened, table) == first:
                        continue
                    opened.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))
                    for row in first:
                        values = sql.SQL(",").join([sql.Placeholder()] * len(row))
                        into = sql.SQL("INSERT INTO {} VALUES ({})")
                        opened.execute(into.format(sql.Identifier(table), values), row)
                opened.execute(_RESTART)
        except psycopg.Error:  # a test that broke its database has had it to itself
            return False
        return True

    def _filled(self, opened: psycopg.Connection[Any]) -> list[str]:
        """Return the tables that hold rows, or should."""
        each = [
            sql.SQL("SELECT {} WHERE EXISTS (SELECT FROM {})").format(
                sql.Literal(table), sql.Identifier(table)
            )
            for table in self._tables
        ]
        found = {row[0] for row in opened.execute(sql.SQL(" UNION ALL ").join(each))}
        return [table for table in self._tables if table in found or table in self._first]


def _rows(opened: psycopg.Connection[Any], table: str) -> list[tuple[Any, ...]]:
    return opened.execute(sql.SQL("SELECT * FROM {}").format(sql.Identifier(table))).fetchall()


def _one(opened: psycopg.Connection[Any], query: str) -> str:
    row = opened.execute(query).fetchone()  # type: ignore[call-overload]
    assert row is not None
    return row[0]
