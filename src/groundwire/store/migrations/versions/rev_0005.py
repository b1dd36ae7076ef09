"""Messages, signals with feedback, daily uses and the outbox."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
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
    return sa.Column(column, sa.Integer(), nullable=False)


def _num() -> sa.Column[Any]:
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    return sa.Column("num", number, nullable=False)


def _packed(column: str) -> sa.Column[Any]:
    return sa.Column(column, sa.LargeBinary(), nullable=False)


def _double(column: str) -> sa.Column[Any]:
    return sa.Column(column, sa.Double(), nullable=False)


def _index(table: str, *columns: str) -> None:
    op.create_index(f"ix_{table}_{'_'.join(columns)}", table, list(columns))


def upgrade() -> None:
    _messages()
    _bands()
    _signals()
    _feedback()
    _quota()
    _outbox()
    _fulltext()


def _messages() -> None:
    op.create_table(
        "messages",
        _name("id"),
        _name("sha256"),
        _text("text"),
        _name("language"),
        _text("source"),
        _text("author"),
        _big("published_at", nullable=True),
        _big("received_at"),
        _text("zone"),
        _text("keywords_hit"),
        _text("media_urls"),
        _name("first_id", nullable=True),
        _name("layer", nullable=True),
        _double("similarity"),
        _text("why"),
        _name("run_id", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_messages"),
    )
    _index("messages", "sha256")
    _index("messages", "first_id")
    _index("messages", "run_id", "first_id", "received_at")


def _bands() -> None:
    op.create_table(
        "bands",
        _big("key"),
        _big("at"),
        _name("message_id"),
        sa.PrimaryKeyConstraint("key", "at", "message_id", name="pk_bands"),
    )
    _index("bands", "at")
    _index("bands", "message_id")
    op.create_table(
        "cursors",
        _name("source"),
        _text("state"),
        _big("at"),
        sa.PrimaryKeyConstraint("source", name="pk_cursors"),
    )


def _signals() -> None:
    op.create_table(
        "signals",
        _num(),
        _name("id"),
        _name("message_id"),
        _big("at"),
        _name("event_type"),
        _name("asset_key"),
        _name("path"),
        _double("score"),
        _packed("content"),
        _name("outcome", nullable=True),
        _big("labelled_at", nullable=True),
        _text("labelled_by", nullable=True),
        _text("note", nullable=True),
        sa.PrimaryKeyConstraint("num", name="pk_signals"),
        sa.UniqueConstraint("id", name="uq_signals_id"),
    )
    _index("signals", "asset_key", "event_type", "at")
    for column in ("at", "labelled_at"):
        _index("signals", column)


def _feedback() -> None:
    op.create_table(
        "feedback",
        _num(),
        _name("run_id"),
        _name("outcome"),
        _text("who"),
        _text("note"),
        _big("at"),
        sa.PrimaryKeyConstraint("num", name="pk_feedback"),
    )
    _index("feedback", "run_id")


def _quota() -> None:
    op.create_table(
        "quota",
        _name("scope"),
        _name("key"),
        _name("day"),
        _big("at"),
        sa.PrimaryKeyConstraint("scope", "key", name="pk_quota"),
    )
    _index("quota", "scope", "day")


def _outbox() -> None:
    op.create_table(
        "outbox",
        _num(),
        _name("id"),
        _name("run_id"),
        _int("attempt"),
        _name("kind"),
        _packed("payload"),
        _big("created_at"),
        _big("delivered_at", nullable=True),
        _int("tries"),
        _big("tried_at", nullable=True),
        _text("error"),
        sa.PrimaryKeyConstraint("num", name="pk_outbox"),
        sa.UniqueConstraint("id", name="uq_outbox_id"),
    )
    _index("outbox", "run_id")
    _index("outbox", "delivered_at", "num")


_FULLTEXT = {
    "sqlite": (
        "CREATE VIRTUAL TABLE signals_text USING fts5("
        "title, body, tokenize=\"ascii tokenchars '$%.'\")",
        "CREATE TABLE signals_totals (documents INTEGER NOT NULL, terms INTEGER NOT NULL)",
        "INSERT INTO signals_totals VALUES (0, 0)",
    ),
    "postgresql": (
        "CREATE TABLE signals_text ("
        "num bigint PRIMARY KEY REFERENCES signals (num), "
        "title text NOT NULL, body text NOT NULL, vector tsvector NOT NULL"
        ") WITH (toast_tuple_target = 128)",
        "CREATE INDEX ix_signals_text_vector ON signals_text USING gin (vector)",
        "CREATE TABLE signals_totals (documents bigint NOT NULL, terms bigint NOT NULL)",
        "INSERT INTO signals_totals VALUES (0, 0)",
    ),
}


def _fulltext() -> None:
    connection = op.get_bind()
    for sql in _FULLTEXT[connection.dialect.name]:
        connection.exec_driver_sql(sql)
