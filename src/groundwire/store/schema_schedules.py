"""The schema of standing runs: on what rule, for whom, and when each reader last looked."""

from __future__ import annotations

from sqlalchemy import Column, Index, Table, Text, text

from groundwire.store.columns import Flag, JsonText, Time, name_type
from groundwire.store.schema import runs
from groundwire.store.schema_exams import metadata

__all__ = ["looks", "metadata", "schedules"]

schedules = Table(
    "schedules",
    metadata,
    Column("id", name_type(), primary_key=True),
    Column("kind", name_type(), nullable=False),
    Column("input", JsonText, nullable=False),
    Column("options", JsonText, nullable=False),
    Column("text", Text, nullable=False),
    Column("said", Text, nullable=False),
    Column("recurrence", JsonText, nullable=False),
    Column("zone", Text, nullable=False),
    Column("quiet", JsonText),
    Column("budgets", JsonText, nullable=False),
    Column("subscribers", JsonText, nullable=False),
    Column("paused", Flag, nullable=False),
    Column("owner", name_type(), nullable=False),
    Column("created_at", Time, nullable=False),
    Column("next_at", Time, nullable=False),
    Column("trouble", Text, nullable=False),
    Column("told_at", Time),  # the moment of its last run that found something to tell
    Index(None, "paused", "next_at"),
    Index(None, "owner"),
)

# When a reader last looked at what a standing run found.
looks = Table(
    "looks",
    metadata,
    Column("reader", name_type(), primary_key=True),
    Column("schedule_id", name_type(), primary_key=True),
    Column("at", Time, nullable=False),
)

# Of a standing run, one run at a time.
_UNDER_WAY = text("state IN ('queued', 'running', 'waiting')")
Index(
    "ix_runs_under_way",
    runs.c.schedule_id,
    unique=True,
    sqlite_where=_UNDER_WAY,
    postgresql_where=_UNDER_WAY,
)
