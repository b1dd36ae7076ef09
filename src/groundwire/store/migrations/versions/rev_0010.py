"""Whose own word a document is, where its file says so."""

from __future__ import annotations

from alembic import op

from groundwire.store.migrations.columns import name

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("documents", name("party", nullable=True))
