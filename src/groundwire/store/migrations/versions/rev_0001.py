"""Runs, ledger, events, budgets, cache and the archive with its full-text index."""

from __future__ import annotations

from alembic import op

from groundwire.store.migrations.columns import big, blob, create, flag, name, num, text, whole
from groundwire.store.migrations.ddl import create_fulltext

revision = "0001"
down_revision = None


def upgrade() -> None:
    _runs()
    _ledger()
    _archive()
    create_fulltext(op.get_bind(), "archive", "documents")


def _runs() -> None:
    create(
        "runs",
        name("id", "kind"),
        text("input", "settings"),
        big("now"),
        text("seed", "versions"),
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
        text("digest", "error", nullable=True),
        big("updated_at"),
        big("finished_at", nullable=True),
        key="id",
        unique=["idempotency_key"],
        indexes=["state created_at", "created_at"],
    )
    create(
        "events",
        name("run_id"),
        big("seq"),
        name("key"),
        whole("attempt"),
        text("step"),
        name("type"),
        text("payload"),
        big("at"),
        key="run_id seq",
        unique=["run_id key"],
    )


def _ledger() -> None:
    create(
        "calls",
        name("run_id", "key"),
        whole("attempt"),
        name("kind", "provider"),
        text("occasion"),
        blob("request"),
        name("outcome"),
        blob("response", nullable=True),
        text("error", nullable=True),
        name("via"),
        big("estimate", "cost", "latency_ms"),
        whole("tries", "repeated"),
        text("scopes"),
        big("started_at"),
        big("finished_at", nullable=True),
        key="run_id key attempt",
    )
    create("budgets", name("scope"), big("spent", "reserved"), key="scope")
    create(
        "cache",
        name("key"),
        blob("response"),
        big("stored_at", "expires_at"),
        key="key",
        indexes=["expires_at"],
    )


def _archive() -> None:
    create("bodies", name("sha256"), big("size"), blob("data"), key="sha256")
    create(
        "documents",
        num(),
        name("id", "canonical_url"),
        text("url", "publisher"),
        name("domain"),
        text("title"),
        text("author", nullable=True),
        big("published_at", nullable=True),
        name("published_how", "language", "sha256", "media_type"),
        big("fetched_at"),
        flag("sample"),
        name("tier", nullable=True),
        unique=["id"],
        refers={"sha256": "bodies.sha256"},
        indexes=["canonical_url fetched_at", "domain", "sha256"],
    )
