"""Who may come in: tokens, browser sessions, and the owner of a run."""

from __future__ import annotations

from groundwire.store.migrations.columns import add, big, create, index, name, text, whole

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    add("runs", name("owner", server_default="local"), big("owner_day_micro", nullable=True))
    index("runs", "owner created_at")
    create(
        "tokens",
        name("id", "name", "sha256", "scope"),
        whole("per_minute", nullable=True),
        big("day_micro", nullable=True),
        big("created_at"),
        big("used_at", "revoked_at", nullable=True),
        text("created_by"),
        key="id",
        unique=["name", "sha256"],
    )
    create(
        "sessions",
        name("sha256"),
        name("token_id", nullable=True),
        big("created_at", "expires_at"),
        key="sha256",
        indexes=["token_id", "expires_at"],
    )
