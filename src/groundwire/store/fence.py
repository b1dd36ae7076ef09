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
    _held(connection, lease, _SHARED)


def lock(connection: Connection, lease: Lease) -> tuple[str, int]:
    """State and last sequence number of the run, locked until the end of the transaction."""
    return _held(connection, lease, _EXCLUSIVE)


def running(connection: Connection, lease: Lease) -> int:
    """As `lock`, for what only a running run may do; the last sequence number."""
    state, last = lock(connection, lease)
    if state != "running":
        raise _fenced(lease)
    return last


def _held(connection: Connection, lease: Lease, standing: Statement) -> tuple[str, int]:
    row = connection.one(standing, {"run_id": lease.run_id})
    if row is None or row[:2] != (lease.fence, lease.attempt):
        raise _fenced(lease)
    return row[2], row[3]


def _fenced(lease: Lease) -> Fenced:
    return Fenced("error.run_of_another", run=lease.run_id)
