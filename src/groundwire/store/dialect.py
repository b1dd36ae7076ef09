"""The one module where SQLite and PostgreSQL differ: connecting, locking, upserts, errors."""

from __future__ import annotations

import shutil
import sqlite3
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, cast

from sqlalchemy import Connection as CoreConnection
from sqlalchemy import Engine, Table, create_engine
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine import Dialect as CoreDialect
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import NullPool

from groundwire.errors import (
    CorruptStore,
    DiskFull,
    GroundwireError,
    IllegalState,
    MissingExtra,
    SettingsError,
    StoreAway,
    StoreBusy,
    StoreError,
)

Durability = Literal["normal", "full"]
# What to do with a transaction that failed: run it again, on this or on a new connection.
Cure = Literal["again", "reconnect"]
if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

    Insert: TypeAlias = sqlite.Insert | postgresql.Insert
else:
    # SQLAlchemy's part for PostgreSQL takes longer to load than a small database to open.
    Insert = sqlite.Insert

_BUSY_MS = 5_000
_LEAST_FREE = 65_536  # the size of the index beside a write-ahead log
_CONNECT_SECONDS = 5
# A process frozen in a transaction must not keep others from its runs for ever.
_FROZEN = "SET idle_in_transaction_session_timeout = '30s'"
# Any constant does, as long as every version of Groundwire uses the same.
_MIGRATION_LOCK = 0x67726F756E64


class RawCursor(Protocol):
    """The part of a DBAPI cursor that is used."""

    @property
    def rowcount(self) -> int: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...
    def executemany(self, sql: str, parameters: Any, /) -> Any: ...
    def close(self) -> None: ...


class RawConnection(Protocol):
    """What a sqlite3 and a psycopg connection have in common."""

    def execute(self, sql: str, parameters: Any = ..., /) -> RawCursor: ...
    def cursor(self) -> RawCursor: ...
    def commit(self) -> None: ...
    def rollback(self) -> None: ...
    def close(self) -> None: ...


class Sqlite:
    """SQLite in WAL mode, through the standard library."""

    name: Literal["sqlite"] = "sqlite"
    readers = 2
    errors: tuple[type[Exception], ...] = (sqlite3.Error,)  # the driver's base class

    def __init__(self, path: Path, durability: Durability) -> None:
        self.core: CoreDialect = sqlite.dialect(paramstyle="qmark")  # compiles statements
        self.path = path
        self._synchronous = "FULL" if durability == "full" else "NORMAL"

    def connect(self, *, writer: bool) -> RawConnection:
        """Return a new connection, used by the calling thread only. Raises the driver's errors."""
        raw = sqlite3.connect(
            self.path, timeout=_BUSY_MS / 1000, isolation_level=None, cached_statements=512
        )
        try:
            if writer:
                raw.execute("PRAGMA journal_mode=WAL")
            raw.execute(f"PRAGMA synchronous={self._synchronous}")
            raw.execute("PRAGMA foreign_keys=ON")
            raw.execute("PRAGMA cache_size=-16384")
            if not writer:
                raw.execute("PRAGMA query_only=ON")
        except sqlite3.Error:
            raw.close()
            raise
        return cast(RawConnection, raw)

    def begin(self, raw: RawConnection) -> None:
        """Start a write transaction."""
        # IMMEDIATE: a transaction that reads first and writes later would fail as stale.
        raw.execute("BEGIN IMMEDIATE")

    def lock_purpose(self, raw: RawConnection, purpose: str) -> None:
        """Keep others with the same purpose out until the transaction ends."""
        # SQLite has one write transaction at a time anyway.

    def insert(self, table: Table) -> Insert:
        """Return an insert that knows ON CONFLICT."""
        return sqlite.insert(table)

    def cure(self, error: Exception) -> Cure | None:
        """Tell how a transaction that failed so can be run again; None: nothing helps."""
        return None  # busy_timeout has already waited

    def translate(self, error: Exception) -> GroundwireError:
        """Translate the driver's error to one of ours."""
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        match code:
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
                return StoreBusy("error.database_locked", name=self.path)
            case sqlite3.SQLITE_FULL:
                return DiskFull("error.database_full", name=self.path)
            case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
                return CorruptStore("error.no_database", name=self.path)
            case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM | sqlite3.SQLITE_READONLY:
                return StoreAway("error.database_unopened", name=self.path, why=error)
            case sqlite3.SQLITE_CONSTRAINT | sqlite3.SQLITE_MISUSE:
                return IllegalState(f"The database refused a statement: {error}.")
            case sqlite3.SQLITE_IOERR if self._no_space():
                return DiskFull("error.database_full", name=self.path)
            case _:
                return StoreError("error.database_failed", name=self.path, why=error)

    def _no_space(self) -> bool:
        # SQLite calls it an I/O error when the files beside the database find no space.
        try:
            return shutil.disk_usage(self.path.parent).free < _LEAST_FREE
        except OSError:
            return False

    def engine(self) -> Engine:
        """Return SQLAlchemy's engine, for DDL only."""
        return create_engine(
            "sqlite://", creator=lambda: self.connect(writer=True), poolclass=NullPool
        )

    def lock_schema(self, connection: CoreConnection) -> None:
        """Open the transaction of a migration and keep every other migration out until its end."""
        connection.exec_driver_sql("BEGIN IMMEDIATE")


class Postgres:
    """PostgreSQL through psycopg 3; its methods are documented at `Sqlite`."""

    name: Literal["postgresql"] = "postgresql"
    readers = 4

    def __init__(self, url: URL) -> None:
        try:
            import psycopg
            from sqlalchemy.dialects.postgresql import psycopg as flavour
        except ImportError as error:
            raise MissingExtra(
                "error.needs_postgres", extra="postgres", hint="hint.install"
            ) from error
        self.core: CoreDialect = flavour.dialect(paramstyle="format")
        self.errors: tuple[type[Exception], ...] = (psycopg.Error,)
        self._url = url.set(drivername="postgresql")
        self._place = URL.create(
            "postgresql", host=url.host, port=url.port, database=url.database
        ).render_as_string()

    @property
    def conninfo(self) -> str:
        """The connection string with the password: for drivers only."""
        return self._url.render_as_string(hide_password=False)

    def connect(self, *, writer: bool) -> RawConnection:
        import psycopg

        raw = psycopg.connect(
            self.conninfo,
            autocommit=True,
            connect_timeout=_CONNECT_SECONDS,
            application_name="groundwire",
        )
        if writer:
            raw.execute(_FROZEN)
            raw.autocommit = False
        return cast(RawConnection, raw)

    def begin(self, raw: RawConnection) -> None:
        pass  # psycopg opens the transaction with its first statement

    def lock_purpose(self, raw: RawConnection, purpose: str) -> None:
        raw.execute("SELECT pg_advisory_xact_lock(%s)", (zlib.crc32(purpose.encode()),))

    def insert(self, table: Table) -> Insert:
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)

    def cure(self, error: Exception) -> Cure | None:
        import psycopg

        state = getattr(error, "sqlstate", None)
        if state in {"40001", "40P01"}:  # serialisation failure, deadlock
            return "again"
        if state is None:
            lost = isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError))
        else:
            # Shutdown, crash and start-up of the server; broken connections, and those it gave up.
            lost = state.startswith(("57P01", "57P02", "57P03", "57P05", "25P03", "08"))
        return "reconnect" if lost else None

    def translate(self, error: Exception) -> GroundwireError:
        state: str = getattr(error, "sqlstate", None) or ""
        reason = self._reason(error)
        match state:
            case "53100":
                return DiskFull("error.server_full", name=self._place)
            case "40001" | "40P01" | "55P03" | "53300":
                return StoreBusy("error.database_busy", name=self._place, why=reason)
            case "XX001" | "XX002":
                return CorruptStore("error.database_damaged", name=self._place, why=reason)
            case "28P01" | "28000" | "3D000":
                return StoreAway("error.database_refused", name=self._place, why=reason)
            case _ if self.cure(error) == "reconnect":
                return StoreAway("error.database_away", name=self._place, why=reason)
            case _ if state.startswith(("22", "23", "42")):
                return IllegalState(f"The database refused a statement: {reason}.")
            case _:
                return StoreError("error.database_failed", name=self._place, why=reason)

    def _reason(self, error: Exception) -> str:
        first = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
        password = self._url.password
        return first.replace(str(password), "***") if password else first

    def engine(self) -> Engine:
        return create_engine(
            "postgresql+psycopg://", creator=lambda: self.connect(writer=True), poolclass=NullPool
        )

    def lock_schema(self, connection: CoreConnection) -> None:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")


Dialect: TypeAlias = Sqlite | Postgres  # how one kind of database is reached and spoken to


def dialect_of(url: str, durability: Durability = "normal") -> Dialect:
    """Return the dialect that a database URL names."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        # SQLAlchemy's message repeats the URL, which may hold a password.
        raise SettingsError("error.database_url", hint="hint.database_url") from None
    kind = parsed.get_backend_name()
    if kind == "sqlite":
        if not parsed.database or parsed.database == ":memory:":
            raise SettingsError("error.sqlite_file", hint="hint.sqlite_url")
        return Sqlite(Path(parsed.database).expanduser(), durability)
    if kind in {"postgres", "postgresql"}:
        return Postgres(parsed)
    raise SettingsError("error.database_kind", kind=kind, hint="hint.database_url")
