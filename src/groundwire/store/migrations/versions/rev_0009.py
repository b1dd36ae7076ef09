"""What a run waits for, and an outbox that is delivered from."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from groundwire.store.migrations.columns import big, blob, index, name, num, text, whole

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("runs", text("waiting", nullable=True))
    op.add_column("runs", big("waiting_until", nullable=True))
    # Its rows were addressed to nobody and would never have been read.
    op.drop_table("outbox")
    op.create_table(
        "outbox",
        num(),
        name("id"),
        name("run_id"),
        whole("attempt"),
        name("channel"),
        name("subscriber"),
        name("kind"),
        blob("content"),
        big("created_at"),
        big("due_at"),
        big("delivered_at", nullable=True),
        whole("tries"),
        text("error"),
        sa.PrimaryKeyConstraint("num", name="pk_outbox"),
        sa.UniqueConstraint("id", name="uq_outbox_id"),
    )
    index("outbox", "run_id")
    index("outbox", "delivered_at", "due_at")
