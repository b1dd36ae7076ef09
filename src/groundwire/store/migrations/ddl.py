"""DDL that SQLAlchemy cannot express: full-text tables, and the queue of wake-ups.

New databases and old revisions share these functions: for a change, add new ones beside them.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection

# `ascii` splits on spaces and folds nothing else once the signs of tokens are letters to it: the
# terms are already cut, folded and stemmed, identically for both databases, and it is the fastest.
_SQLITE = (
    "CREATE VIRTUAL TABLE {name}_text USING fts5(title, body, tokenize=\"ascii tokenchars '$%.'\")",
    "CREATE TABLE {name}_totals (documents INTEGER NOT NULL, terms INTEGER NOT NULL)",
    "INSERT INTO {name}_totals VALUES (0, 0)",
)
# The parser of to_tsvector would cut `$0.88` and Chinese its own way, so the vector is made from
# the array of terms. It chooses candidates only; how often a term occurs is counted in the texts.
# Everything wide is kept out of line: counting and choosing then read a narrow table.
_POSTGRES = (
    "CREATE TABLE {name}_text ("
    "num bigint PRIMARY KEY REFERENCES {rows} (num), "
    "title text NOT NULL, body text NOT NULL, vector tsvector NOT NULL"
    ") WITH (toast_tuple_target = 128)",
    "CREATE INDEX ix_{name}_text_vector ON {name}_text USING gin (vector)",
    "CREATE TABLE {name}_totals (documents bigint NOT NULL, terms bigint NOT NULL)",
    "INSERT INTO {name}_totals VALUES (0, 0)",
)
# Kept here, not taken from the installed package.
QUEUE_SCHEMA = Path(__file__).parent / "procrastinate_3_10.sql"
_WAKE_FUNCTION = """
CREATE FUNCTION wake_run(kind text, run_id text, seconds double precision)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM procrastinate_defer_jobs_v1(ARRAY[ROW(
        kind, 'run', 0, NULL, run_id, jsonb_build_object('run_id', run_id),
        CASE WHEN seconds > 0 THEN now() + make_interval(secs => seconds) END
    )::procrastinate_job_to_defer_v1]);
EXCEPTION WHEN unique_violation THEN
    NULL; -- it has one that waits already
END;
$$
"""


def create_fulltext(connection: Connection, name: str, rows: str) -> None:
    """Create a collection's full-text tables for a table of rows, in the caller's transaction."""
    for sql in _SQLITE if connection.dialect.name == "sqlite" else _POSTGRES:
        connection.exec_driver_sql(sql.format(name=name, rows=rows))


def create_queue(connection: Connection) -> None:
    """Create the queue, in the caller's transaction; nothing on SQLite."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(QUEUE_SCHEMA.read_text(encoding="utf-8").replace("%", "%%"))
        connection.exec_driver_sql(_WAKE_FUNCTION)
