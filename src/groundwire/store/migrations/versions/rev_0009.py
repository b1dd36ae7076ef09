"""What a run waits for, and an outbox that is delivered from."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def _name(column: str) -> sa.Column[Any]:
    kind = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    return sa.Column(column, kind, nullable=False)


def upgrade() -> None:
    op.add_column("runs", sa.Column("waiting", sa.Text()))
    op.add_column("runs", sa.Column("waiting_until", sa.BigInteger()))
    # Its rows were addressed to nobody and would never have been read.
    op.drop_table("outbox")
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "outbox",
        sa.Column("num", number, nullable=False),
        _name("id"),
        _name("run_id"),
        sa.Column("attempt", sa.Integer(), nullable=False),
        _name("channel"),
        _name("subscriber"),
        _name("kind"),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("delivered_at", sa.BigInteger()),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("num", name="pk_outbox"),
        sa.UniqueConstraint("id", name="uq_outbox_id"),
    )
    op.create_index("ix_outbox_run_id", "outbox", ["run_id"])
    op.create_index("ix_outbox_delivered_at_due_at", "outbox", ["delivered_at", "due_at"])
