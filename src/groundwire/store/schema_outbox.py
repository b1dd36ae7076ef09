"""Results that are to be handed on."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, Table, Text

from groundwire.store.schema import name_type, number_type
from groundwire.store.schema_access import metadata

__all__ = ["metadata", "outbox"]

outbox = Table(
    "outbox",
    metadata,
    Column("num", number_type(), primary_key=True),  # in the order of their making
    Column("id", name_type(), nullable=False, unique=True),  # of run, channel and subscriber
    Column("run_id", name_type(), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("channel", name_type(), nullable=False),
    Column("subscriber", name_type(), nullable=False),
    Column("kind", name_type(), nullable=False),
    Column("content", LargeBinary, nullable=False),  # packed
    Column("created_at", BigInteger, nullable=False),
    Column("due_at", BigInteger, nullable=False),  # not tried before
    Column("delivered_at", BigInteger),
    Column("tries", Integer, nullable=False),
    Column("error", Text, nullable=False),
    Index(None, "run_id"),
    Index(None, "delivered_at", "due_at"),
)
