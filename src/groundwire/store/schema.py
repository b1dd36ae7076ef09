"""The one schema, in SQLAlchemy Core, for SQLite and PostgreSQL; access is in `schema_access`.

Times are whole microseconds since 1970 (UTC): they compare, sort and round-trip identically on
both databases, without a driver's idea of zones or precision in between. JSON is canonical text;
what can grow large is packed (`payload.pack`) into a binary column. Micro-dollars are integers.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from groundwire.store.columns import Flag, JsonText, Packed, Time, name_type, number_type

# The newest revision in `migrations/versions`; a fresh database is stamped with it.
HEAD = "0013"
# Every revision this version knows, oldest first; any other was written by a newer one.
REVISIONS = tuple(f"{number:04}" for number in range(1, int(HEAD) + 1))

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
    Column("input", JsonText, nullable=False),
    Column("settings", JsonText, nullable=False),
    Column("now", Time, nullable=False),
    Column("seed", Text, nullable=False),
    Column("versions", JsonText, nullable=False),
    Column("created_at", Time, nullable=False),
    Column("idempotency_key", name_type(), unique=True),
    Column("state", name_type(), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("fence", BigInteger, nullable=False),
    Column("claims", Integer, nullable=False),  # in this attempt; restarts are claims - 1
    Column("lease_owner", Text),
    Column("lease_until", Time),
    Column("cancel_requested", Flag, nullable=False),
    Column("last_seq", BigInteger, nullable=False),
    Column("result", Packed),
    Column("digest", Text),
    Column("error", Text),
    Column("updated_at", Time, nullable=False),
    Column("finished_at", Time),
    Column("owner", name_type(), nullable=False, server_default="local"),
    Column("owner_day_micro", BigInteger),  # what its owner may spend in a day
    Column("text", Text, nullable=False, server_default=""),  # what a person typed
    Column("budgets", JsonText),  # limits of its own
    Column("waiting", JsonText),  # what a person is asked
    Column("waiting_until", Time),
    Column("schedule_id", name_type()),  # the standing run that it is a run of
    Index(None, "state", "created_at"),
    Index(None, "created_at"),
    Index(None, "owner", "created_at"),
    Index(None, "schedule_id", "now"),
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
    Column("request", Packed, nullable=False),
    Column("outcome", name_type(), nullable=False),
    Column("response", Packed),
    Column("error", JsonText),
    Column("via", name_type(), nullable=False),
    Column("estimate", BigInteger, nullable=False),
    Column("cost", BigInteger, nullable=False),  # includes what crashed sends were counted at
    Column("latency_ms", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("repeated", Integer, nullable=False),
    Column("scopes", JsonText, nullable=False),  # where the estimate is reserved
    Column("started_at", Time, nullable=False),
    Column("finished_at", Time),
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
    Column("payload", JsonText, nullable=False),
    Column("at", Time, nullable=False),
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
    Column("response", Packed, nullable=False),
    Column("stored_at", Time, nullable=False),
    Column("expires_at", Time, nullable=False),
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
    Column("published_at", Time),
    Column("published_how", name_type(), nullable=False),
    Column("language", name_type(), nullable=False),
    Column("sha256", name_type(), ForeignKey(bodies.c.sha256), nullable=False),
    Column("media_type", name_type(), nullable=False),
    Column("fetched_at", Time, nullable=False),
    Column("sample", Flag, nullable=False),
    Column("tier", name_type()),
    Column("party", name_type()),
    Column("published_offset", Integer),  # minutes from UTC to the zone that it was written in
    Index(None, "canonical_url", "fetched_at"),
    Index(None, "domain"),
    Index(None, "sha256"),
)

vectors = Table(
    "vectors",
    metadata,
    Column("document_num", BigInteger, primary_key=True, autoincrement=False),
    Column("model", name_type(), primary_key=True),  # vendor:model/dimensions
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),  # half-precision floats, unit length
    Index(None, "model"),
)

# --- memory ----------------------------------------------------------------------------------

# What was claimed, once; when we learned it and when we stopped believing it are rows of their
# own, only ever added, so that any past day can be asked about.
beliefs = Table(
    "beliefs",
    metadata,
    Column("num", number_type(), primary_key=True),  # the full-text row
    Column("id", name_type(), nullable=False, unique=True),
    Column("text", Text, nullable=False),
    Column("language", name_type(), nullable=False),
    Column("kind", name_type(), nullable=False),
    Column("subject", Text, nullable=False),
    Column("subject_key", name_type(), nullable=False),  # however it is written
    Column("predicate", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("time", Text, nullable=False),  # as the claim writes it
    Column("true_from", Time),  # true in the world from here …
    Column("true_to", Time),  # … to here, both included
    Column("precision", name_type(), nullable=False),
    Index(None, "subject_key"),
)

sightings = Table(
    "sightings",
    metadata,
    Column("belief_id", name_type(), ForeignKey(beliefs.c.id), primary_key=True),
    Column("run_id", name_type(), primary_key=True),
    Column("attempt", Integer, primary_key=True, autoincrement=False),
    Column("job", name_type(), nullable=False),
    Column("learned_at", Time, nullable=False),
    Column("said_at", Time),  # when the newest of its sources was published
    Column("verdict", name_type(), nullable=False),
    Column("confidence", Double),
    Column("settled", Flag, nullable=False),  # indexed and compared with what was known
    Index(None, "run_id"),
    Index(None, "learned_at"),
    Index(None, "settled"),
)

grounds = Table(
    "grounds",
    metadata,
    Column("belief_id", name_type(), ForeignKey(beliefs.c.id), primary_key=True),
    Column("run_id", name_type(), primary_key=True),
    Column("attempt", Integer, primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("evidence_id", name_type(), nullable=False),
    Column("document_id", name_type(), nullable=False),
    Column("url", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("publisher", Text, nullable=False),
    Column("published_at", Time),
    Column("quote", Text, nullable=False),
    Column("quote_start", Integer, nullable=False),
    Column("quote_end", Integer, nullable=False),
    Index(None, "run_id"),
    Index(None, "document_id"),
)

doubts = Table(
    "doubts",
    metadata,
    Column("id", name_type(), primary_key=True),
    Column("belief_id", name_type(), ForeignKey(beliefs.c.id), nullable=False),
    Column("kind", name_type(), nullable=False),  # rival, withdrawn or lost
    Column("at", Time, nullable=False),
    Column("successor", name_type()),  # the rival belief
    Column("who", Text, nullable=False),  # a run, or a person
    Column("why", Text, nullable=False),
    Index(None, "belief_id", "at"),
    Index(None, "successor"),
)

# --- sources ---------------------------------------------------------------------------------

overrides = Table(  # only ever added; the newest of a domain that was not taken back holds
    "overrides",
    metadata,
    Column("num", number_type(), primary_key=True),
    Column("domain", name_type(), nullable=False),
    Column("tier", name_type()),
    Column("owner", Text),
    Column("why", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("at", Time, nullable=False),
    Column("withdrawn_at", Time),
    Column("withdrawn_by", Text),
    Column("withdrawn_why", Text),
    Index(None, "domain"),
)

# --- messages --------------------------------------------------------------------------------

# A message that says what an earlier one said is kept as a sighting of it, `first_id`.
messages = Table(
    "messages",
    metadata,
    Column("id", name_type(), primary_key=True),
    Column("sha256", name_type(), nullable=False),  # of the normal form
    Column("text", Text, nullable=False),
    Column("language", name_type(), nullable=False),
    Column("source", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("published_at", Time),
    Column("received_at", Time, nullable=False),
    Column("zone", Text, nullable=False),
    Column("keywords_hit", JsonText, nullable=False),
    Column("media_urls", JsonText, nullable=False),
    Column("first_id", name_type()),  # null: it is the first
    Column("layer", name_type()),
    Column("similarity", Double, nullable=False),
    Column("why", Text, nullable=False),
    Column("run_id", name_type()),
    Index(None, "sha256"),
    Index(None, "first_id"),
    Index(None, "run_id", "first_id", "received_at"),
)

bands = Table(  # keys under which near-duplicates meet: never a comparison with all
    "bands",
    metadata,
    Column("key", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Time, primary_key=True, autoincrement=False),  # the newest of a key first
    Column("message_id", name_type(), primary_key=True),
    Index(None, "at"),
    Index(None, "message_id"),
)

cursors = Table(
    "cursors",
    metadata,
    Column("source", name_type(), primary_key=True),
    Column("state", JsonText, nullable=False),
    Column("at", Time, nullable=False),
)

# --- signals ---------------------------------------------------------------------------------

signals = Table(
    "signals",
    metadata,
    Column("num", number_type(), primary_key=True),  # the full-text row
    Column("id", name_type(), nullable=False, unique=True),  # the run
    Column("message_id", name_type(), nullable=False),
    Column("at", Time, nullable=False),
    Column("event_type", name_type(), nullable=False),
    Column("asset_key", name_type(), nullable=False),  # however it is written
    Column("path", name_type(), nullable=False),
    Column("score", Double, nullable=False),  # before calibration
    Column("content", Packed, nullable=False),  # the whole judged event
    Column("outcome", name_type()),
    Column("labelled_at", Time),
    Column("labelled_by", Text),
    Column("note", Text),
    Index(None, "asset_key", "event_type", "at"),
    Index(None, "at"),
    Index(None, "labelled_at"),
)

# Only ever added; the newest of a run holds, and stands in its signal, too.
feedback = Table(
    "feedback",
    metadata,
    Column("num", number_type(), primary_key=True),
    Column("run_id", name_type(), nullable=False),
    Column("outcome", name_type(), nullable=False),
    Column("who", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("at", Time, nullable=False),
    Index(None, "run_id"),
)

quota = Table(
    "quota",
    metadata,
    Column("scope", name_type(), primary_key=True),
    Column("key", name_type(), primary_key=True),
    Column("day", name_type(), nullable=False),
    Column("at", Time, nullable=False),
    Index(None, "scope", "day"),
)

# Results that are to be handed on.
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
    Column("content", Packed, nullable=False),
    Column("created_at", Time, nullable=False),
    Column("due_at", Time, nullable=False),  # not tried before
    Column("delivered_at", Time),
    Column("tries", Integer, nullable=False),
    Column("error", Text, nullable=False),
    Index(None, "run_id"),
    Index(None, "delivered_at", "due_at"),
)

# --- schema version --------------------------------------------------------------------------

# Alembic's own table, as Alembic creates it; kept apart: Alembic must not take it for ours.
versions = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
