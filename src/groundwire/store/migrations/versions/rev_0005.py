"""Messages, signals with feedback, daily uses and the outbox."""

from __future__ import annotations

from alembic import op

from groundwire.store.migrations.columns import big, blob, create, double, name, num, text, whole
from groundwire.store.migrations.ddl import create_fulltext

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    _messages()
    _signals()
    create_fulltext(op.get_bind(), "signals", "signals")


def _messages() -> None:
    create(
        "messages",
        name("id", "sha256"),
        text("text"),
        name("language"),
        text("source", "author"),
        big("published_at", nullable=True),
        big("received_at"),
        text("zone", "keywords_hit", "media_urls"),
        name("first_id", "layer", nullable=True),
        double("similarity"),
        text("why"),
        name("run_id", nullable=True),
        key="id",
        indexes=["sha256", "first_id", "run_id first_id received_at"],
    )
    create(
        "bands",
        big("key", "at"),
        name("message_id"),
        key="key at message_id",
        indexes=["at", "message_id"],
    )
    create("cursors", name("source"), text("state"), big("at"), key="source")


def _signals() -> None:
    create(
        "signals",
        num(),
        name("id", "message_id"),
        big("at"),
        name("event_type", "asset_key", "path"),
        double("score"),
        blob("content"),
        name("outcome", nullable=True),
        big("labelled_at", nullable=True),
        text("labelled_by", "note", nullable=True),
        unique=["id"],
        indexes=["asset_key event_type at", "at", "labelled_at"],
    )
    create(
        "feedback",
        num(),
        name("run_id", "outcome"),
        text("who", "note"),
        big("at"),
        indexes=["run_id"],
    )
    create("quota", name("scope", "key", "day"), big("at"), key="scope key", indexes=["scope day"])
    create(
        "outbox",
        num(),
        name("id", "run_id"),
        whole("attempt"),
        name("kind"),
        blob("payload"),
        big("created_at"),
        big("delivered_at", nullable=True),
        whole("tries"),
        big("tried_at", nullable=True),
        text("error"),
        unique=["id"],
        indexes=["run_id", "delivered_at num"],
    )
