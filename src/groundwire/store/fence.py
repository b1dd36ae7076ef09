"""The fence: a write for a run holds only while the lease that it was made under stands."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from groundwire.errors import Fenced
from groundwire.model.call import Lease
from groundwire.store import schema
from groundwire.store.statement import Connection, Row, Statement

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
    row = connection.one(_SHARED, {"run_id": lease.run_id})
    if row is None or row[0] != lease.fence or row[1] != lease.attempt:
        raise _fenced(lease)


def lock(connection: Connection, lease: Lease) -> tuple[str, int]:
    """State and last sequence number of the run, locked until the end of the transaction."""
    row: Row | None = connection.one(_EXCLUSIVE, {"run_id": lease.run_id})
    if row is None or row[0] != lease.fence or row[1] != lease.attempt:
        raise _fenced(lease)
    return row[2], row[3]


def running(connection: Connection, lease: Lease) -> int:
    """As `lock`, for what only a running run may do; the last sequence number."""
    state, last = lock(connection, lease)
    if state != "running":
        raise _fenced(lease)
    return last


def _fenced(lease: Lease) -> Fenced:
    return Fenced("error.run_of_another", run=lease.run_id)
