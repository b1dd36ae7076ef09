"""Vectors of documents, by embedding model."""

from __future__ import annotations

from groundwire.store.migrations.columns import big, blob, create, name, whole

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    create(
        "vectors",
        big("document_num"),
        name("model"),
        whole("place", "start", "end"),
        blob("data"),
        key="document_num model place",
        indexes=["model"],
    )
