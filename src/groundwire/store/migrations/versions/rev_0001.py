"""Runs, ledger, events, budgets, cache and the archive with its full-text index."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


# Written out, not taken from `schema.py`: a revision says what it did, whatever comes later.
def _name(column: str, *, nullable: bool = False) -> sa.Column[Any]:
    kind = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    return sa.Column(column, kind, nullable=nullable)


def _text(column: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(column, sa.Text(), nullable=nullable)


def _big(column: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(column, sa.BigInteger(), nullable=nullable, autoincrement=False)


def _int(column: str) -> sa.Column[Any]:
    return sa.Column(column, sa.Integer(), nullable=False, autoincrement=False)


def _flag(column: str) -> sa.Column[Any]:
    return sa.Column(column, sa.SmallInteger(), nullable=False)


def _blob(column: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(column, sa.LargeBinary(), nullable=nullable)


def upgrade() -> None:
    _runs()
    _ledger()
    _archive()
    _fulltext()


# As it was on that day, for both databases; `fulltext.py` says why it is so.
_FULLTEXT = {
    "sqlite": (
        "CREATE VIRTUAL TABLE archive_text USING fts5("
        "title, body, tokenize=\"ascii tokenchars '$%.'\")",
        "CREATE TABLE archive_totals (documents INTEGER NOT NULL, terms INTEGER NOT NULL)",
        "INSERT INTO archive_totals VALUES (0, 0)",
    ),
    "postgresql": (
        "CREATE TABLE archive_text ("
        "num bigint PRIMARY KEY REFERENCES documents (num), "
        "title text NOT NULL, body text NOT NULL, vector tsvector NOT NULL"
        ") WITH (toast_tuple_target = 128)",
        "CREATE INDEX ix_archive_text_vector ON archive_text USING gin (vector)",
        "CREATE TABLE archive_totals (documents bigint NOT NULL, terms bigint NOT NULL)",
        "INSERT INTO archive_totals VALUES (0, 0)",
    ),
}


def _fulltext() -> None:
    connection = op.get_bind()
    for sql in _FULLTEXT[connection.dialect.name]:
        connection.exec_driver_sql(sql)


def _runs() -> None:
    op.create_table(
        "runs",
        _name("id"),
        _name("kind"),
        _text("input"),
        _text("settings"),
        _big("now"),
        _text("seed"),
        _text("versions"),
        _big("created_at"),
        _name("idempotency_key", nullable=True),
        _name("state"),
        _int("attempt"),
        _big("fence"),
        _int("claims"),
        _text("lease_owner", nullable=True),
        _big("lease_until", nullable=True),
        _flag("cancel_requested"),
        _big("last_seq"),
        _blob("result", nullable=True),
        _text("digest", nullable=True),
        _text("error", nullable=True),
        _big("updated_at"),
        _big("finished_at", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
        sa.UniqueConstraint("idempotency_key", name="uq_runs_idempotency_key"),
    )
    op.create_index("ix_runs_state_created_at", "runs", ["state", "created_at"])
    op.create_index("ix_runs_created_at", "runs", ["created_at"])
    op.create_table(
        "events",
        _name("run_id"),
        _big("seq"),
        _name("key"),
        _int("attempt"),
        _text("step"),
        _name("type"),
        _text("payload"),
        _big("at"),
        sa.PrimaryKeyConstraint("run_id", "seq", name="pk_events"),
        sa.UniqueConstraint("run_id", "key", name="uq_events_run_id_key"),
    )


def _ledger() -> None:
    op.create_table(
        "calls",
        _name("run_id"),
        _name("key"),
        _int("attempt"),
        _name("kind"),
        _name("provider"),
        _text("occasion"),
        _blob("request"),
        _name("outcome"),
        _blob("response", nullable=True),
        _text("error", nullable=True),
        _name("via"),
        _big("estimate"),
        _big("cost"),
        _big("latency_ms"),
        _int("tries"),
        _int("repeated"),
        _text("scopes"),
        _big("started_at"),
        _big("finished_at", nullable=True),
        sa.PrimaryKeyConstraint("run_id", "key", "attempt", name="pk_calls"),
    )
    op.create_table(
        "budgets",
        _name("scope"),
        _big("spent"),
        _big("reserved"),
        sa.PrimaryKeyConstraint("scope", name="pk_budgets"),
    )
    op.create_table(
        "cache",
        _name("key"),
        _blob("response"),
        _big("stored_at"),
        _big("expires_at"),
        sa.PrimaryKeyConstraint("key", name="pk_cache"),
    )
    op.create_index("ix_cache_expires_at", "cache", ["expires_at"])


def _archive() -> None:
    op.create_table(
        "bodies",
        _name("sha256"),
        _big("size"),
        _blob("data"),
        sa.PrimaryKeyConstraint("sha256", name="pk_bodies"),
    )
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "documents",
        sa.Column("num", number, nullable=False),
        _name("id"),
        _name("canonical_url"),
        _text("url"),
        _text("publisher"),
        _name("domain"),
        _text("title"),
        _text("author", nullable=True),
        _big("published_at", nullable=True),
        _name("published_how"),
        _name("language"),
        _name("sha256"),
        _name("media_type"),
        _big("fetched_at"),
        _flag("sample"),
        _name("tier", nullable=True),
        sa.PrimaryKeyConstraint("num", name="pk_documents"),
        sa.UniqueConstraint("id", name="uq_documents_id"),
        sa.ForeignKeyConstraint(["sha256"], ["bodies.sha256"], name="fk_documents_sha256"),
    )
    op.create_index(
        "ix_documents_canonical_url_fetched_at", "documents", ["canonical_url", "fetched_at"]
    )
    op.create_index("ix_documents_domain", "documents", ["domain"])
    op.create_index("ix_documents_sha256", "documents", ["sha256"])
