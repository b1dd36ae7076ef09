"""Whose own word a document is, where its file says so."""

from __future__ import annotations

from groundwire.store.migrations.columns import add, name

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    add("documents", name("party", nullable=True))
