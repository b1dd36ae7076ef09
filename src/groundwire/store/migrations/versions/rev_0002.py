"""Memory: claims with two times, who saw them, what they rest on, and why they fell."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


# Written out, not taken from `schema.py`: a revision says what it did, whatever comes later.
def _name(column: str, *, nullable: bool = False) -> sa.Column[Any]:
    kind = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    return sa.Column(column, kind, nullable=nullable)


def _text(column: str) -> sa.Column[Any]:
    return sa.Column(column, sa.Text(), nullable=False)


def _big(column: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(column, sa.BigInteger(), nullable=nullable)


def _int(column: str) -> sa.Column[Any]:
    return sa.Column(column, sa.Integer(), nullable=False, autoincrement=False)


def upgrade() -> None:
    _beliefs()
    _sightings()
    _grounds()
    _doubts()
    _fulltext()


def _beliefs() -> None:
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "beliefs",
        sa.Column("num", number, nullable=False),
        _name("id"),
        _text("text"),
        _name("language"),
        _name("kind"),
        _text("subject"),
        _name("subject_key"),
        _text("predicate"),
        _text("value"),
        _text("time"),
        _big("true_from", nullable=True),
        _big("true_to", nullable=True),
        _name("precision"),
        sa.PrimaryKeyConstraint("num", name="pk_beliefs"),
        sa.UniqueConstraint("id", name="uq_beliefs_id"),
    )
    op.create_index("ix_beliefs_subject_key", "beliefs", ["subject_key"])


def _sightings() -> None:
    op.create_table(
        "sightings",
        _name("belief_id"),
        _name("run_id"),
        _int("attempt"),
        _name("job"),
        _big("learned_at"),
        _big("said_at", nullable=True),
        _name("verdict"),
        sa.Column[Any]("confidence", sa.Double(), nullable=True),
        sa.Column("settled", sa.SmallInteger(), nullable=False),
        sa.PrimaryKeyConstraint("belief_id", "run_id", "attempt", name="pk_sightings"),
        sa.ForeignKeyConstraint(["belief_id"], ["beliefs.id"], name="fk_sightings_belief_id"),
    )
    for column in ("run_id", "learned_at", "settled"):
        op.create_index(f"ix_sightings_{column}", "sightings", [column])


def _grounds() -> None:
    op.create_table(
        "grounds",
        _name("belief_id"),
        _name("run_id"),
        _int("attempt"),
        _int("place"),
        _name("evidence_id"),
        _name("document_id"),
        _text("url"),
        _text("title"),
        _text("publisher"),
        _big("published_at", nullable=True),
        _text("quote"),
        _int("quote_start"),
        _int("quote_end"),
        sa.PrimaryKeyConstraint("belief_id", "run_id", "attempt", "place", name="pk_grounds"),
        sa.ForeignKeyConstraint(["belief_id"], ["beliefs.id"], name="fk_grounds_belief_id"),
    )
    for column in ("run_id", "document_id"):
        op.create_index(f"ix_grounds_{column}", "grounds", [column])


def _doubts() -> None:
    op.create_table(
        "doubts",
        _name("id"),
        _name("belief_id"),
        _name("kind"),
        _big("at"),
        _name("successor", nullable=True),
        _text("who"),
        _text("why"),
        sa.PrimaryKeyConstraint("id", name="pk_doubts"),
        sa.ForeignKeyConstraint(["belief_id"], ["beliefs.id"], name="fk_doubts_belief_id"),
    )
    op.create_index("ix_doubts_belief_id_at", "doubts", ["belief_id", "at"])
    op.create_index("ix_doubts_successor", "doubts", ["successor"])


_FULLTEXT = {
    "sqlite": (
        "CREATE VIRTUAL TABLE memory_text USING fts5("
        "title, body, tokenize=\"ascii tokenchars '$%.'\")",
        "CREATE TABLE memory_totals (documents INTEGER NOT NULL, terms INTEGER NOT NULL)",
        "INSERT INTO memory_totals VALUES (0, 0)",
    ),
    "postgresql": (
        "CREATE TABLE memory_text ("
        "num bigint PRIMARY KEY REFERENCES beliefs (num), "
        "title text NOT NULL, body text NOT NULL, vector tsvector NOT NULL"
        ") WITH (toast_tuple_target = 128)",
        "CREATE INDEX ix_memory_text_vector ON memory_text USING gin (vector)",
        "CREATE TABLE memory_totals (documents bigint NOT NULL, terms bigint NOT NULL)",
        "INSERT INTO memory_totals VALUES (0, 0)",
    ),
}


def _fulltext() -> None:
    connection = op.get_bind()
    for sql in _FULLTEXT[connection.dialect.name]:
        connection.exec_driver_sql(sql)
