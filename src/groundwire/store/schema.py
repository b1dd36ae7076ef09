"""The one schema, in SQLAlchemy Core, for SQLite and PostgreSQL.

Times are whole microseconds since 1970 (UTC): they compare, sort and round-trip identically on
both databases, without a driver's idea of zones or precision in between. JSON is canonical text;
what can grow large is packed (`payload.pack`) into a binary column. Micro-dollars are integers.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.types import TypeEngine

# The newest revision in `migrations/versions`; a fresh database is stamped with it.
HEAD = "0001"
# Every revision this version knows, oldest first; any other was written by a newer one.
REVISIONS = (HEAD,)


def name_type() -> TypeEngine[str]:
    """Ids, hashes, states: compared byte by byte on both databases, so order and prefix agree."""
    return Text().with_variant(Text(collation="C"), "postgresql")


def number_type() -> TypeEngine[int]:
    """A 64-bit identity: SQLite only numbers rows by itself under the name INTEGER."""
    return BigInteger().with_variant(Integer(), "sqlite")


metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    }
)

# --- runs ------------------------------------------------------------------------------------

runs = Table(
    "runs",
    metadata,
    Column("id", name_type(), primary_key=True),
    Column("kind", name_type(), nullable=False),
    Column("input", Text, nullable=False),
    Column("settings", Text, nullable=False),
    Column("now", BigInteger, nullable=False),
    Column("seed", Text, nullable=False),
    Column("versions", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("idempotency_key", name_type(), unique=True),
    Column("state", name_type(), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("fence", BigInteger, nullable=False),
    Column("claims", Integer, nullable=False),  # in this attempt; restarts are claims - 1
    Column("lease_owner", Text),
    Column("lease_until", BigInteger),
    Column("cancel_requested", SmallInteger, nullable=False),
    Column("last_seq", BigInteger, nullable=False),
    Column("result", LargeBinary),  # packed
    Column("digest", Text),
    Column("error", Text),
    Column("updated_at", BigInteger, nullable=False),
    Column("finished_at", BigInteger),
    Index(None, "state", "created_at"),
    Index(None, "created_at"),
)

# --- ledger ----------------------------------------------------------------------------------

calls = Table(
    "calls",
    metadata,
    Column("run_id", name_type(), primary_key=True),
    Column("key", name_type(), primary_key=True),
    Column("attempt", Integer, primary_key=True),
    Column("kind", name_type(), nullable=False),
    Column("provider", name_type(), nullable=False),
    Column("occasion", Text, nullable=False),
    Column("request", LargeBinary, nullable=False),  # packed
    Column("outcome", name_type(), nullable=False),
    Column("response", LargeBinary),  # packed
    Column("error", Text),
    Column("via", name_type(), nullable=False),
    Column("estimate", BigInteger, nullable=False),
    Column("cost", BigInteger, nullable=False),  # includes what crashed sends were counted at
    Column("latency_ms", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("repeated", Integer, nullable=False),
    Column("scopes", Text, nullable=False),  # where the estimate is reserved
    Column("started_at", BigInteger, nullable=False),
    Column("finished_at", BigInteger),
)

events = Table(
    "events",
    metadata,
    Column("run_id", name_type(), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("key", name_type(), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("step", Text, nullable=False),
    Column("type", name_type(), nullable=False),
    Column("payload", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    UniqueConstraint("run_id", "key"),
)

budgets = Table(
    "budgets",
    metadata,
    Column("scope", name_type(), primary_key=True),
    Column("spent", BigInteger, nullable=False),
    Column("reserved", BigInteger, nullable=False),
)

cache = Table(
    "cache",
    metadata,
    Column("key", name_type(), primary_key=True),
    Column("response", LargeBinary, nullable=False),  # packed
    Column("stored_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Index(None, "expires_at"),
)

# --- archive ---------------------------------------------------------------------------------

bodies = Table(
    "bodies",
    metadata,
    Column("sha256", name_type(), primary_key=True),  # of the text, before compression
    Column("size", BigInteger, nullable=False),  # of the text in UTF-8
    Column("data", LargeBinary, nullable=False),  # zlib, level 1
)

documents = Table(
    "documents",
    metadata,
    Column("num", number_type(), primary_key=True),  # the full-text row
    Column("id", name_type(), nullable=False, unique=True),
    Column("canonical_url", name_type(), nullable=False),
    Column("url", Text, nullable=False),
    Column("publisher", Text, nullable=False),
    Column("domain", name_type(), nullable=False),  # registrable
    Column("title", Text, nullable=False),
    Column("author", Text),
    Column("published_at", BigInteger),
    Column("published_how", name_type(), nullable=False),
    Column("language", name_type(), nullable=False),
    Column("sha256", name_type(), ForeignKey(bodies.c.sha256), nullable=False),
    Column("media_type", name_type(), nullable=False),
    Column("fetched_at", BigInteger, nullable=False),
    Column("sample", SmallInteger, nullable=False),
    Column("tier", name_type()),
    Index(None, "canonical_url", "fetched_at"),
    Index(None, "domain"),
    Index(None, "sha256"),
)

# --- schema version --------------------------------------------------------------------------

# Alembic's own table, as Alembic creates it; kept apart because Alembic must not see it as ours.
versions = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
