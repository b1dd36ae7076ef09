"""Standing runs, the runs of each, and when readers last looked."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from groundwire.store.migrations.columns import add, big, create, flag, index, name, text

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    create(
        "schedules",
        name("id", "kind"),
        text("input", "options", "text", "said", "recurrence", "zone"),
        text("quiet", nullable=True),
        text("budgets", "subscribers"),
        flag("paused"),
        name("owner"),
        big("created_at", "next_at"),
        text("trouble"),
        big("told_at", nullable=True),
        key="id",
        indexes=["paused next_at", "owner"],
    )
    create("looks", name("reader", "schedule_id"), big("at"), key="reader schedule_id")
    add("runs", name("schedule_id", nullable=True))
    index("runs", "schedule_id now")
    under_way = sa.text("state IN ('queued', 'running', 'waiting')")
    op.create_index(
        "ix_runs_under_way",
        "runs",
        ["schedule_id"],
        unique=True,
        sqlite_where=under_way,
        postgresql_where=under_way,
    )
