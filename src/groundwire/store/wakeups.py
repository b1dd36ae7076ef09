"""Wake-ups: on PostgreSQL a run row and the job that wakes a worker are written together.

A job only says "look at this run"; what becomes of a run stands in its row and nowhere else. On
SQLite one process executes and looks by itself, so nothing is written there. Other processes are
sent an id, never more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from groundwire.store.database import Database
from groundwire.store.dialect import Postgres
from groundwire.store.payload import to_us
from groundwire.store.statement import Connection
from groundwire.store.table import DatabaseTable, reads, writes

if TYPE_CHECKING:
    from groundwire.store.listener import Listener

# Channels: a run has new events, is over, or is asked to stop.
EVENTS, ENDS, STOPS = "gw_run_events", "gw_run_ends", "gw_run_stops"

_LOCK = 0x77616B65  # any constant does: one process at a time looks for runs without a wake-up
_HEARTBEAT = 30  # seconds after which a silent worker is not counted on
_MOST = 1_000
_WAKE = "SELECT wake_run(%s, %s, %s)"
_DROP = "DELETE FROM procrastinate_jobs WHERE queueing_lock = %s AND status = 'todo'"
_TELL = "SELECT pg_notify(%s, %s)"
_OWNERS = "SELECT DISTINCT lease_owner FROM runs WHERE state = 'running'"
_WORKERS = (
    "SELECT count(*) FROM procrastinate_workers"
    " WHERE last_heartbeat > now() - make_interval(secs => %s)"
)
# Workers that vanished an hour ago or more, with jobs that were woken long since.
_PRUNE = "SELECT procrastinate_prune_stalled_workers_v1(3600)"
_SWEEP = (
    "DELETE FROM procrastinate_jobs"
    " WHERE status NOT IN ('todo', 'doing') OR (status = 'doing' AND worker_id IS NULL)"
)
# Whoever has a lease renews it: a job that was fetched for a run whose lease is over is not live,
# whatever its worker says.
_RECONCILE = """
WITH unattended AS MATERIALIZED (
    SELECT r.id, r.kind, r.state FROM runs r
    WHERE r.state = 'queued'
       OR (r.state = 'running' AND (r.lease_until <= %(now)s OR r.lease_owner = ANY(%(gone)s)))
), lost AS MATERIALIZED (
    SELECT u.id, u.kind FROM unattended u
    WHERE NOT EXISTS (
        SELECT 1 FROM procrastinate_jobs j
        WHERE j.queueing_lock = u.id AND j.status = 'todo'
    ) AND (u.state = 'running' OR NOT EXISTS (
        SELECT 1 FROM procrastinate_jobs j JOIN procrastinate_workers w ON w.id = j.worker_id
        WHERE j.queueing_lock = u.id AND j.status = 'doing'
          AND w.last_heartbeat > now() - make_interval(secs => %(heartbeat)s)
    ))
    LIMIT %(most)s
)
SELECT count(wake_run(kind, id, 0)) FROM lost
"""


def wake(connection: Connection, kind: str, run_id: str, seconds: float = 0.0) -> None:
    """Have a worker look at this run, now or after some seconds, if the transaction holds."""
    _execute(connection, _WAKE, kind, run_id, seconds)


def drop(connection: Connection, run_id: str) -> None:
    """Cancel a wake-up that nobody needs: somebody has the run, or it is over."""
    _execute(connection, _DROP, run_id)


def tell(connection: Connection, channel: str, run_id: str) -> None:
    """Notify other processes, if the transaction holds."""
    _execute(connection, _TELL, channel, run_id)


def _execute(connection: Connection, sql: str, *values: str | float) -> None:
    if connection.dialect.name == "postgresql":
        connection.raw.execute(sql, values).close()


class WakeupTable(DatabaseTable):
    """What a worker does about wake-ups besides being woken; PostgreSQL only."""

    events, ends, stops = EVENTS, ENDS, STOPS

    def __init__(self, database: Database, dialect: Postgres) -> None:
        super().__init__(database)
        self._dialect = dialect

    def listener(
        self, on_notice: Callable[[str, str], None], on_change: Callable[[], None]
    ) -> Listener:
        """Create a listener to other processes; `on_notice` is given channel and id."""
        from groundwire.store.listener import Listener

        return Listener(self._dialect, on_notice, on_change)

    @property
    def conninfo(self) -> str:
        """The connection string for procrastinate, with the password."""
        return self._dialect.conninfo

    @writes
    def again(self, connection: Connection, kind: str, run_id: str) -> None:
        """Have a worker look at this run, unless one is about to."""
        wake(connection, kind, run_id)

    @reads
    def owners(self, connection: Connection) -> Sequence[str]:
        """Return everyone who holds a lease."""
        return [row[0] for row in connection.raw.execute(_OWNERS).fetchall() if row[0]]

    @reads
    def workers(self, connection: Connection) -> int:
        """Count the workers that were heard of lately."""
        return connection.raw.execute(_WORKERS, (_HEARTBEAT,)).fetchone()[0]

    @writes
    def reconcile(self, connection: Connection, now: datetime, gone: Sequence[str]) -> int:
        """Wake every run that nobody attends to; return how many, none while another process looks.

        Such a run is queued, or its lease is over or held by one of those who are `gone`, and no
        live worker has or will have a job for it.
        """
        raw = connection.raw
        locked = raw.execute("SELECT pg_try_advisory_xact_lock(%s)", (_LOCK,)).fetchone()[0]
        if not locked:
            return 0
        raw.execute(_PRUNE).close()
        raw.execute(_SWEEP).close()
        values = {"now": to_us(now), "gone": [*gone], "heartbeat": _HEARTBEAT, "most": _MOST}
        return raw.execute(_RECONCILE, values).fetchone()[0]
