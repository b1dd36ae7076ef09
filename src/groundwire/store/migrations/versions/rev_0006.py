"""Who may come in: tokens, browser sessions, and the owner of a run."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from groundwire.store.migrations.columns import big, index, name, text, whole

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("runs", name("owner", server_default="local"))
    op.add_column("runs", big("owner_day_micro", nullable=True))
    index("runs", "owner", "created_at")
    op.create_table(
        "tokens",
        name("id"),
        name("name"),
        name("sha256"),
        name("scope"),
        whole("per_minute", nullable=True),
        big("day_micro", nullable=True),
        big("created_at"),
        big("used_at", nullable=True),
        big("revoked_at", nullable=True),
        text("created_by"),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
        sa.UniqueConstraint("name", name="uq_tokens_name"),
        sa.UniqueConstraint("sha256", name="uq_tokens_sha256"),
    )
    op.create_table(
        "sessions",
        name("sha256"),
        name("token_id", nullable=True),
        big("created_at"),
        big("expires_at"),
        sa.PrimaryKeyConstraint("sha256", name="pk_sessions"),
    )
    index("sessions", "token_id")
    index("sessions", "expires_at")
