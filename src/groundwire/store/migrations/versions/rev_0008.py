"""What a person typed, for the search in lists of runs, and the limits of a run's own."""

from __future__ import annotations

import json
from typing import Any, cast

import sqlalchemy as sa
from alembic import op

from groundwire.store.migrations.columns import add, text

revision = "0008"
down_revision = "0007"

_AT_ONCE = 500
_runs = sa.table("runs", sa.column("id"), sa.column("input"), sa.column("text"))


def upgrade() -> None:
    add("runs", text("text", server_default=""), text("budgets", nullable=True))
    bind = op.get_bind()
    change = (
        sa.update(_runs).where(_runs.c.id == sa.bindparam("run")).values(text=sa.bindparam("typed"))
    )
    last = ""
    while rows := bind.execute(
        sa.select(_runs.c.id, _runs.c.input)
        .where(_runs.c.id > last)
        .order_by(_runs.c.id)
        .limit(_AT_ONCE)
    ).fetchall():
        last = rows[-1][0]
        found = [{"run": row[0], "typed": typed} for row in rows if (typed := _typed(row[1]))]
        if found:
            bind.execute(change, found)


def _typed(stored: str) -> str:
    """Return the question, the message, or a tool call's words; none of an unreadable row."""
    try:
        run_input = json.loads(stored)
    except ValueError:
        return ""
    if not isinstance(run_input, dict):
        return ""
    fields = cast("dict[str, Any]", run_input)
    for name in ("question", "text"):
        if isinstance(fields.get(name), str):
            return str(fields[name]).replace("\0", "")
    arguments = fields.get("arguments")
    if not isinstance(arguments, dict):
        return ""
    words = [each for each in cast("dict[str, Any]", arguments).values() if isinstance(each, str)]
    return " ".join(words).replace("\0", "")
