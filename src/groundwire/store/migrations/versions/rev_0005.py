"""Messages, signals with feedback, daily uses and the outbox."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from groundwire.store.migrations.columns import big, blob, double, index, name, num, text, whole
from groundwire.store.migrations.ddl import create_fulltext

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    _messages()
    _signals()
    _daily_uses_and_outbox()
    create_fulltext(op.get_bind(), "signals", "signals")


def _messages() -> None:
    op.create_table(
        "messages",
        name("id"),
        name("sha256"),
        text("text"),
        name("language"),
        text("source"),
        text("author"),
        big("published_at", nullable=True),
        big("received_at"),
        text("zone"),
        text("keywords_hit"),
        text("media_urls"),
        name("first_id", nullable=True),
        name("layer", nullable=True),
        double("similarity"),
        text("why"),
        name("run_id", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_messages"),
    )
    index("messages", "sha256")
    index("messages", "first_id")
    index("messages", "run_id", "first_id", "received_at")
    op.create_table(
        "bands",
        big("key"),
        big("at"),
        name("message_id"),
        sa.PrimaryKeyConstraint("key", "at", "message_id", name="pk_bands"),
    )
    index("bands", "at")
    index("bands", "message_id")
    op.create_table(
        "cursors",
        name("source"),
        text("state"),
        big("at"),
        sa.PrimaryKeyConstraint("source", name="pk_cursors"),
    )


def _signals() -> None:
    op.create_table(
        "signals",
        num(),
        name("id"),
        name("message_id"),
        big("at"),
        name("event_type"),
        name("asset_key"),
        name("path"),
        double("score"),
        blob("content"),
        name("outcome", nullable=True),
        big("labelled_at", nullable=True),
        text("labelled_by", nullable=True),
        text("note", nullable=True),
        sa.PrimaryKeyConstraint("num", name="pk_signals"),
        sa.UniqueConstraint("id", name="uq_signals_id"),
    )
    index("signals", "asset_key", "event_type", "at")
    for column in ("at", "labelled_at"):
        index("signals", column)
    op.create_table(
        "feedback",
        num(),
        name("run_id"),
        name("outcome"),
        text("who"),
        text("note"),
        big("at"),
        sa.PrimaryKeyConstraint("num", name="pk_feedback"),
    )
    index("feedback", "run_id")


def _daily_uses_and_outbox() -> None:
    op.create_table(
        "quota",
        name("scope"),
        name("key"),
        name("day"),
        big("at"),
        sa.PrimaryKeyConstraint("scope", "key", name="pk_quota"),
    )
    index("quota", "scope", "day")
    op.create_table(
        "outbox",
        num(),
        name("id"),
        name("run_id"),
        whole("attempt"),
        name("kind"),
        blob("payload"),
        big("created_at"),
        big("delivered_at", nullable=True),
        whole("tries"),
        big("tried_at", nullable=True),
        text("error"),
        sa.PrimaryKeyConstraint("num", name="pk_outbox"),
        sa.UniqueConstraint("id", name="uq_outbox_id"),
    )
    index("outbox", "run_id")
    index("outbox", "delivered_at", "num")
