"""The fence: a write for a run holds only while the lease that it was made under stands."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from groundwire.errors import Fenced
from groundwire.model.call import Lease
from groundwire.store import schema
from groundwire.store.statement import Connection, Statement

_runs = schema.runs
_standing = select(_runs.c.fence, _runs.c.attempt, _runs.c.state, _runs.c.last_seq).where(
    _runs.c.id == bindparam("run_id")
)

# On PostgreSQL these lock the run row, so a claim waits for the writes of the lease it ends;
# on SQLite the write transaction is alone anyway, and the clause is not rendered.
_SHARED = Statement(_standing.with_for_update(read=True))
_EXCLUSIVE = Statement(_standing.with_for_update())


def check(connection: Connection, lease: Lease) -> None:
    """Raise `Fenced` unless the lease stands.

    A run that has finished under this lease still takes settlements: a call that others joined
    outlives the run that sent it, and what it cost must be known.
    """
    _check_row(connection, lease, _SHARED)


def lock(connection: Connection, lease: Lease) -> tuple[str, int]:
    """Lock the run until the transaction ends; return its state and last sequence number."""
    return _check_row(connection, lease, _EXCLUSIVE)


def lock_running(connection: Connection, lease: Lease) -> int:
    """Lock a run that must be running; return its last sequence number."""
    state, last = lock(connection, lease)
    if state != "running":
        raise _fenced(lease)
    return last


def _check_row(connection: Connection, lease: Lease, statement: Statement) -> tuple[str, int]:
    row = connection.one(statement, {"run_id": lease.run_id})
    if row is None or row[:2] != (lease.fence, lease.attempt):
        raise _fenced(lease)
    return row[2], row[3]


def _fenced(lease: Lease) -> Fenced:
    return Fenced("error.run_of_another", run=lease.run_id)
