"""The schema of access: tokens and browser sessions. Secrets are kept as hashes only."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, Table, Text

from groundwire.store.columns import Time, name_type
from groundwire.store.schema import metadata

__all__ = ["metadata", "sessions", "tokens"]

tokens = Table(
    "tokens",
    metadata,
    Column("id", name_type(), primary_key=True),
    Column("name", name_type(), nullable=False, unique=True),
    Column("sha256", name_type(), nullable=False, unique=True),  # of the secret
    Column("scope", name_type(), nullable=False),
    Column("per_minute", Integer),  # requests; null: no limit
    Column("day_micro", BigInteger),  # micro-dollars a day; null: no limit of its own
    Column("created_at", Time, nullable=False),
    Column("used_at", Time),
    Column("revoked_at", Time),
    Column("created_by", Text, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("sha256", name_type(), primary_key=True),  # of the cookie
    Column("token_id", name_type()),  # null: a person at this machine
    Column("created_at", Time, nullable=False),
    Column("expires_at", Time, nullable=False),
    Index(None, "token_id"),
    Index(None, "expires_at"),
)
