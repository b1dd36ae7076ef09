"""What analysts say of sources, kept with who and why."""

from __future__ import annotations

from groundwire.store.migrations.columns import big, create, name, num, text

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    create(
        "overrides",
        num(),
        name("domain"),
        name("tier", nullable=True),
        text("owner", nullable=True),
        text("why", "who"),
        big("at"),
        big("withdrawn_at", nullable=True),
        text("withdrawn_by", "withdrawn_why", nullable=True),
        indexes=["domain"],
    )
