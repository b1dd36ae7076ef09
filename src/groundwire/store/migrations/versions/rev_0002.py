"""Memory: claims with two times, who saw them, what they rest on, and why they fell."""

from __future__ import annotations

from alembic import op

from groundwire.store.migrations.columns import big, create, double, flag, name, num, text, whole
from groundwire.store.migrations.ddl import create_fulltext

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    create(
        "beliefs",
        num(),
        name("id"),
        text("text"),
        name("language", "kind"),
        text("subject"),
        name("subject_key"),
        text("predicate", "value", "time"),
        big("true_from", "true_to", nullable=True),
        name("precision"),
        unique=["id"],
        indexes=["subject_key"],
    )
    create(
        "sightings",
        name("belief_id", "run_id"),
        whole("attempt"),
        name("job"),
        big("learned_at"),
        big("said_at", nullable=True),
        name("verdict"),
        double("confidence", nullable=True),
        flag("settled"),
        key="belief_id run_id attempt",
        refers={"belief_id": "beliefs.id"},
        indexes=["run_id", "learned_at", "settled"],
    )
    create(
        "grounds",
        name("belief_id", "run_id"),
        whole("attempt", "place"),
        name("evidence_id", "document_id"),
        text("url", "title", "publisher"),
        big("published_at", nullable=True),
        text("quote"),
        whole("quote_start", "quote_end"),
        key="belief_id run_id attempt place",
        refers={"belief_id": "beliefs.id"},
        indexes=["run_id", "document_id"],
    )
    create(
        "doubts",
        name("id", "belief_id", "kind"),
        big("at"),
        name("successor", nullable=True),
        text("who", "why"),
        key="id",
        refers={"belief_id": "beliefs.id"},
        indexes=["belief_id at", "successor"],
    )
    create_fulltext(op.get_bind(), "memory", "beliefs")
