"""Vectors of documents, by embedding model."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from groundwire.store.migrations.columns import big, blob, index, name, whole

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "vectors",
        big("document_num"),
        name("model"),
        whole("place"),
        whole("start"),
        whole("end"),
        blob("data"),
        sa.PrimaryKeyConstraint("document_num", "model", "place", name="pk_vectors"),
    )
    index("vectors", "model")
