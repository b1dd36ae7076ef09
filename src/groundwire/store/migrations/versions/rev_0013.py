"""The zone in which a page wrote when it was published."""

from __future__ import annotations

from groundwire.store.migrations.columns import add, whole

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    add("documents", whole("published_offset", nullable=True))
