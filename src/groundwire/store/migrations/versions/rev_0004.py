"""What analysts say of sources, kept with who and why."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from groundwire.store.migrations.columns import big, index, name, num, text

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "overrides",
        num(),
        name("domain"),
        name("tier", nullable=True),
        text("owner", nullable=True),
        text("why"),
        text("who"),
        big("at"),
        big("withdrawn_at", nullable=True),
        text("withdrawn_by", nullable=True),
        text("withdrawn_why", nullable=True),
        sa.PrimaryKeyConstraint("num", name="pk_overrides"),
    )
    index("overrides", "domain")
