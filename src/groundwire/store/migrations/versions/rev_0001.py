"""Runs, ledger, events, budgets, cache and the archive with its full-text index."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from groundwire.store.migrations.columns import big, blob, flag, index, name, num, text, whole
from groundwire.store.migrations.ddl import create_fulltext

revision = "0001"
down_revision = None


def upgrade() -> None:
    _runs()
    _ledger()
    _archive()
    create_fulltext(op.get_bind(), "archive", "documents")


def _runs() -> None:
    op.create_table(
        "runs",
        name("id"),
        name("kind"),
        text("input"),
        text("settings"),
        big("now"),
        text("seed"),
        text("versions"),
        big("created_at"),
        name("idempotency_key", nullable=True),
        name("state"),
        whole("attempt"),
        big("fence"),
        whole("claims"),
        text("lease_owner", nullable=True),
        big("lease_until", nullable=True),
        flag("cancel_requested"),
        big("last_seq"),
        blob("result", nullable=True),
        text("digest", nullable=True),
        text("error", nullable=True),
        big("updated_at"),
        big("finished_at", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
        sa.UniqueConstraint("idempotency_key", name="uq_runs_idempotency_key"),
    )
    index("runs", "state", "created_at")
    index("runs", "created_at")
    op.create_table(
        "events",
        name("run_id"),
        big("seq"),
        name("key"),
        whole("attempt"),
        text("step"),
        name("type"),
        text("payload"),
        big("at"),
        sa.PrimaryKeyConstraint("run_id", "seq", name="pk_events"),
        sa.UniqueConstraint("run_id", "key", name="uq_events_run_id_key"),
    )


def _ledger() -> None:
    op.create_table(
        "calls",
        name("run_id"),
        name("key"),
        whole("attempt"),
        name("kind"),
        name("provider"),
        text("occasion"),
        blob("request"),
        name("outcome"),
        blob("response", nullable=True),
        text("error", nullable=True),
        name("via"),
        big("estimate"),
        big("cost"),
        big("latency_ms"),
        whole("tries"),
        whole("repeated"),
        text("scopes"),
        big("started_at"),
        big("finished_at", nullable=True),
        sa.PrimaryKeyConstraint("run_id", "key", "attempt", name="pk_calls"),
    )
    op.create_table(
        "budgets",
        name("scope"),
        big("spent"),
        big("reserved"),
        sa.PrimaryKeyConstraint("scope", name="pk_budgets"),
    )
    op.create_table(
        "cache",
        name("key"),
        blob("response"),
        big("stored_at"),
        big("expires_at"),
        sa.PrimaryKeyConstraint("key", name="pk_cache"),
    )
    index("cache", "expires_at")


def _archive() -> None:
    op.create_table(
        "bodies",
        name("sha256"),
        big("size"),
        blob("data"),
        sa.PrimaryKeyConstraint("sha256", name="pk_bodies"),
    )
    op.create_table(
        "documents",
        num(),
        name("id"),
        name("canonical_url"),
        text("url"),
        text("publisher"),
        name("domain"),
        text("title"),
        text("author", nullable=True),
        big("published_at", nullable=True),
        name("published_how"),
        name("language"),
        name("sha256"),
        name("media_type"),
        big("fetched_at"),
        flag("sample"),
        name("tier", nullable=True),
        sa.PrimaryKeyConstraint("num", name="pk_documents"),
        sa.UniqueConstraint("id", name="uq_documents_id"),
        sa.ForeignKeyConstraint(["sha256"], ["bodies.sha256"], name="fk_documents_sha256"),
    )
    index("documents", "canonical_url", "fetched_at")
    index("documents", "domain")
    index("documents", "sha256")
