"""The durable event stream of a run: numbered once, in order, without gaps."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, insert, select, update

from groundwire.model.call import Lease
from groundwire.model.event import Draft, Event
from groundwire.store import fence, schema, wakeups
from groundwire.store.statement import Connection, Statement
from groundwire.store.table import DatabaseTable, Rows, columns_of, reads, writes

_events = schema.events
_runs = schema.runs

_ROWS = Rows(Event, [_events.c.seq, *columns_of(_events, "seq")], "stored.event")
_of_run = select(*_ROWS.columns).where(_events.c.run_id == bindparam("run_id"))
_AFTER = Statement(
    _of_run.where(_events.c.seq > bindparam("after"))
    .order_by(_events.c.seq)
    .limit(bindparam("count"))
)
_BY_KEY = Statement(_of_run.where(_events.c.key == bindparam("key")))
_LAST = Statement(_of_run.order_by(_events.c.seq.desc()).limit(1))
_INSERT = Statement(insert(_events))
_ADVANCE = Statement(
    update(_runs).where(_runs.c.id == bindparam("run_id")).values(last_seq=bindparam("last_seq"))
)


def number(
    connection: Connection, run_id: str, last: int, drafts: Sequence[Draft], at: datetime
) -> list[Event]:
    """Insert the drafts whose keys are new, after `last`; the caller holds the run's row."""
    new: list[Event] = []
    seen: set[str] = set()
    for draft in drafts:
        known = connection.one(_BY_KEY, {"run_id": run_id, "key": draft.key})
        if known is not None or draft.key in seen:
            continue
        seen.add(draft.key)
        values = {"run_id": run_id, "seq": last + len(new) + 1, "at": at, **draft.model_dump()}
        new.append(Event.model_validate(values))
    connection.many(_INSERT, [_ROWS.cells(event) for event in new])
    if new:
        wakeups.tell(connection, wakeups.EVENTS, run_id)
    return new


def find(connection: Connection, run_id: str, key: str) -> Event | None:
    return connection.first(_BY_KEY, {"run_id": run_id, "key": key}, _ROWS.value)


def last(connection: Connection, run_id: str) -> Event | None:
    return connection.first(_LAST, {"run_id": run_id}, _ROWS.value)


class JournalTable(DatabaseTable):
    """Implements `ports.Journal`."""

    @writes
    def append(
        self, connection: Connection, lease: Lease, drafts: Sequence[Draft], at: datetime
    ) -> Sequence[Event]:
        seq = fence.lock_running(connection, lease)
        new = number(connection, lease.run_id, seq, drafts, at)
        if new:
            connection.change(_ADVANCE, {"run_id": lease.run_id, "last_seq": new[-1].seq})
        return new

    @reads
    def read(
        self, connection: Connection, run_id: str, after: int = 0, limit: int = 500
    ) -> Sequence[Event]:
        values = {"run_id": run_id, "after": after, "count": limit}
        return [_ROWS.value(row) for row in connection.all(_AFTER, values)]
