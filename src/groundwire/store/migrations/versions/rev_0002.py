"""Memory: claims with two times, who saw them, what they rest on, and why they fell."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from groundwire.store.migrations.columns import big, double, flag, index, name, num, text, whole
from groundwire.store.migrations.ddl import create_fulltext

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    _claims()
    _reasons()
    create_fulltext(op.get_bind(), "memory", "beliefs")


def _claims() -> None:
    op.create_table(
        "beliefs",
        num(),
        name("id"),
        text("text"),
        name("language"),
        name("kind"),
        text("subject"),
        name("subject_key"),
        text("predicate"),
        text("value"),
        text("time"),
        big("true_from", nullable=True),
        big("true_to", nullable=True),
        name("precision"),
        sa.PrimaryKeyConstraint("num", name="pk_beliefs"),
        sa.UniqueConstraint("id", name="uq_beliefs_id"),
    )
    index("beliefs", "subject_key")
    op.create_table(
        "sightings",
        name("belief_id"),
        name("run_id"),
        whole("attempt"),
        name("job"),
        big("learned_at"),
        big("said_at", nullable=True),
        name("verdict"),
        double("confidence", nullable=True),
        flag("settled"),
        sa.PrimaryKeyConstraint("belief_id", "run_id", "attempt", name="pk_sightings"),
        sa.ForeignKeyConstraint(["belief_id"], ["beliefs.id"], name="fk_sightings_belief_id"),
    )
    for column in ("run_id", "learned_at", "settled"):
        index("sightings", column)


def _reasons() -> None:
    op.create_table(
        "grounds",
        name("belief_id"),
        name("run_id"),
        whole("attempt"),
        whole("place"),
        name("evidence_id"),
        name("document_id"),
        text("url"),
        text("title"),
        text("publisher"),
        big("published_at", nullable=True),
        text("quote"),
        whole("quote_start"),
        whole("quote_end"),
        sa.PrimaryKeyConstraint("belief_id", "run_id", "attempt", "place", name="pk_grounds"),
        sa.ForeignKeyConstraint(["belief_id"], ["beliefs.id"], name="fk_grounds_belief_id"),
    )
    for column in ("run_id", "document_id"):
        index("grounds", column)
    op.create_table(
        "doubts",
        name("id"),
        name("belief_id"),
        name("kind"),
        big("at"),
        name("successor", nullable=True),
        text("who"),
        text("why"),
        sa.PrimaryKeyConstraint("id", name="pk_doubts"),
        sa.ForeignKeyConstraint(["belief_id"], ["beliefs.id"], name="fk_doubts_belief_id"),
    )
    index("doubts", "belief_id", "at")
    index("doubts", "successor")
