"""What analysts say of sources, kept with who and why."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


# Written out, not taken from `schema.py`: a revision says what it did, whatever comes later.
def _name(column: str, *, nullable: bool = False) -> sa.Column[Any]:
    kind = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    return sa.Column(column, kind, nullable=nullable)


def upgrade() -> None:
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "overrides",
        sa.Column("num", number, nullable=False),
        _name("domain"),
        _name("tier", nullable=True),
        sa.Column("owner", sa.Text()),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("withdrawn_at", sa.BigInteger()),
        sa.Column("withdrawn_by", sa.Text()),
        sa.Column("withdrawn_why", sa.Text()),
        sa.PrimaryKeyConstraint("num", name="pk_overrides"),
    )
    op.create_index("ix_overrides_domain", "overrides", ["domain"])
