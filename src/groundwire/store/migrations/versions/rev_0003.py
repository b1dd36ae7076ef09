"""Vectors of documents, by embedding model."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Written out, not taken from `schema.py`: a revision says what it did, whatever comes later.
    op.create_table(
        "vectors",
        sa.Column("document_num", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column(
            "model",
            sa.Text().with_variant(sa.Text(collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("place", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("document_num", "model", "place", name="pk_vectors"),
    )
    op.create_index("ix_vectors_model", "vectors", ["model"])
