"""The queue of wake-ups on PostgreSQL: procrastinate's tables, pinned, and the way to wake a run."""

from __future__ import annotations

from alembic import op

from groundwire.store.migrations.ddl import create_queue

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    create_queue(op.get_bind())
