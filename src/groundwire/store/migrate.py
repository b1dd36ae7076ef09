"""Brings a database to the schema of this version; Alembic is imported only for an old one.

Importing Alembic takes longer than a whole small job, so a fresh database is made from the
metadata and stamped, and one that is up to date is recognised by one SELECT.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, insert, inspect, select
from sqlalchemy.exc import DBAPIError

from groundwire.errors import GroundwireError, NewerSchema, StoreAway, StoreError
from groundwire.store.dialect import Dialect, Sqlite, dialect_of
from groundwire.store.schema import HEAD, REVISIONS, versions
from groundwire.store.schema_schedules import metadata  # read from here, it has all tables


def ensure(url: str) -> str:
    """Create or upgrade if needed; return what was done: `created`, `upgraded` or `current`."""
    return _bring(dialect_of(url), fresh=True)


def upgrade(url: str) -> str:
    """Do the same through Alembic alone, revision by revision."""
    return _bring(dialect_of(url), fresh=False)


def current(url: str) -> str | None:
    """Return the database's revision; None if it has no tables of ours."""
    dialect = dialect_of(url)
    if isinstance(dialect, Sqlite) and not dialect.path.exists():
        return None  # asking must not create the file
    try:
        with dialect.engine().connect() as connection:
            return _revision(connection)
    except (DBAPIError, *dialect.errors) as error:
        raise _translated(dialect, error) from error


def _bring(dialect: Dialect, *, fresh: bool) -> str:
    if isinstance(dialect, Sqlite):
        try:
            dialect.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreAway("error.no_folder", path=dialect.path.parent, why=error) from error
    try:
        with dialect.engine().connect() as connection:
            if _known(_revision(connection)) == HEAD:
                return "current"
            connection.rollback()
            dialect.lock_schema(connection)
            # Another process may have done it while we waited for the lock.
            found = _known(_revision(connection))
            if found == HEAD:
                return "current"
            if found is None and fresh:
                _create(connection)
            else:
                _migrate(connection)
            connection.commit()
            return "created" if found is None else "upgraded"
    except (DBAPIError, *dialect.errors) as error:
        raise _translated(dialect, error) from error


def _revision(connection: Connection) -> str | None:
    names = inspect(connection).get_table_names()
    if versions.name in names:
        return connection.execute(select(versions.c.version_num)).scalar_one_or_none()
    if metadata.tables.keys() & set(names):
        raise StoreError("error.no_revision")
    return None


def _known(revision: str | None) -> str | None:
    if revision is not None and revision not in REVISIONS:
        raise NewerSchema("error.newer_revision", revision=revision, head=HEAD, hint="hint.upgrade")
    return revision


def _create(connection: Connection) -> None:
    from groundwire.store.fulltext import COLLECTIONS
    from groundwire.store.migrations.ddl import create_fulltext, create_queue

    metadata.create_all(connection)
    for each in COLLECTIONS:
        create_fulltext(connection, each.name, each.rows)
    create_queue(connection)
    versions.create(connection)
    connection.execute(insert(versions).values(version_num=HEAD))


def _migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    folder = str(Path(__file__).parent / "migrations")
    config.set_main_option("script_location", folder.replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _translated(dialect: Dialect, error: Exception) -> GroundwireError:
    cause = error.orig if isinstance(error, DBAPIError) else error
    return dialect.translate(cause if isinstance(cause, Exception) else error)
