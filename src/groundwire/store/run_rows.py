"""Run rows as values: what a new run writes, and what is read back."""

from __future__ import annotations

from typing import Any

from groundwire.model.base import JsonObject
from groundwire.model.run import NewRun, Run, RunHead
from groundwire.store.payload import parse
from groundwire.store.schema import runs
from groundwire.store.statement import Row
from groundwire.store.table import Rows, columns_of

_NEW = Rows(NewRun, columns_of(runs))
# How often it was claimed is told as restarts; until when it waits, the proposal says, too.
_ROWS = Rows(Run, columns_of(runs, "claims", "waiting_until", "budgets"), "stored.run")
ROW = (*_ROWS.columns, runs.c.claims, runs.c.budgets)
_HEADS = Rows(RunHead, [runs.c[name] for name in RunHead.model_fields])
HEAD = _HEADS.columns


def new_values(run: NewRun) -> dict[str, Any]:
    """Return the row of a run that nobody has claimed yet."""
    row = _NEW.cells(run, state="queued", attempt=1, fence=0, claims=0, cancel_requested=0)
    return {**row, "last_seq": 0, "updated_at": row["created_at"]}


def head_of(row: Row) -> RunHead:
    return RunHead.model_construct(**_HEADS.fields(row))


def run_of(row: Row) -> Run:
    *cells, claims, budgets = row
    limits: JsonObject = parse(budgets) if budgets else {}  # none: by an older version
    return _ROWS.value(cells, restarts=max(claims - 1, 0), budgets=limits)
