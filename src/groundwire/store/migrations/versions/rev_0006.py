"""Who may come in: tokens, browser sessions, and the owner of a run."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


# Written out, not taken from the schema: a revision says what it did, whatever comes later.
def _name(column: str, *, nullable: bool = False) -> sa.Column[Any]:
    kind = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    return sa.Column(column, kind, nullable=nullable)


def upgrade() -> None:
    kind = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    op.add_column("runs", sa.Column("owner", kind, nullable=False, server_default="local"))
    op.add_column("runs", sa.Column("owner_day_micro", sa.BigInteger()))
    op.create_index("ix_runs_owner_created_at", "runs", ["owner", "created_at"])
    op.create_table(
        "tokens",
        _name("id"),
        _name("name"),
        _name("sha256"),
        _name("scope"),
        sa.Column("per_minute", sa.Integer()),
        sa.Column("day_micro", sa.BigInteger()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger()),
        sa.Column("revoked_at", sa.BigInteger()),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
        sa.UniqueConstraint("name", name="uq_tokens_name"),
        sa.UniqueConstraint("sha256", name="uq_tokens_sha256"),
    )
    op.create_table(
        "sessions",
        _name("sha256"),
        _name("token_id", nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name="pk_sessions"),
    )
    op.create_index("ix_sessions_token_id", "sessions", ["token_id"])
    op.create_index("ix_sessions_expires_at", "sessions", ["expires_at"])
