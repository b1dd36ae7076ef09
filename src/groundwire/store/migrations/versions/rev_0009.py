"""What a run waits for, and an outbox that is delivered from."""

from __future__ import annotations

from alembic import op

from groundwire.store.migrations.columns import add, big, blob, create, name, num, text, whole

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    add("runs", text("waiting", nullable=True), big("waiting_until", nullable=True))
    # Its rows were addressed to nobody and would never have been read.
    op.drop_table("outbox")
    create(
        "outbox",
        num(),
        name("id", "run_id"),
        whole("attempt"),
        name("channel", "subscriber", "kind"),
        blob("content"),
        big("created_at", "due_at"),
        big("delivered_at", nullable=True),
        whole("tries"),
        text("error"),
        unique=["id"],
        indexes=["run_id", "delivered_at due_at"],
    )
