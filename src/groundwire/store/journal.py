"""The durable event stream of a run: numbered once, in order, without gaps."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import ValidationError
from sqlalchemy import bindparam, delete, insert, select, update

from groundwire.errors import CorruptStore
from groundwire.model.call import Lease
from groundwire.model.event import Draft, Event
from groundwire.model.phrase import phrase
from groundwire.store import fence, schema, wakeups
from groundwire.store.database import Database
from groundwire.store.payload import from_us, parse, text, to_us
from groundwire.store.statement import Connection, Row, Statement

_events = schema.events
_runs = schema.runs

_of_run = select(_events).where(_events.c.run_id == bindparam("run_id"))
_AFTER = Statement(
    _of_run.where(_events.c.seq > bindparam("after"))
    .order_by(_events.c.seq)
    .limit(bindparam("count"))
)
_BY_KEY = Statement(_of_run.where(_events.c.key == bindparam("key")))
_LAST = Statement(_of_run.order_by(_events.c.seq.desc()).limit(1))
_LAST_SEQ = Statement(
    select(_events.c.seq)
    .where(_events.c.run_id == bindparam("run_id"))
    .order_by(_events.c.seq.desc())
    .limit(1)
)
_INSERT = Statement(insert(_events))
_DELETE = Statement(delete(_events).where(_events.c.run_id == bindparam("run_id")))
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
    connection.many(_INSERT, [_values(event) for event in new])
    if new:
        wakeups.tell(connection, wakeups.EVENTS, run_id)
    return new


def find(connection: Connection, run_id: str, key: str) -> Event | None:
    row = connection.one(_BY_KEY, {"run_id": run_id, "key": key})
    return None if row is None else _event(row)


def last(connection: Connection, run_id: str) -> Event | None:
    row = connection.one(_LAST, {"run_id": run_id})
    return None if row is None else _event(row)


def delete_run(connection: Connection, run_id: str) -> None:
    connection.change(_DELETE, {"run_id": run_id})


class JournalTable:
    """Implements `ports.Journal`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def append(self, lease: Lease, drafts: Sequence[Draft], at: datetime) -> Sequence[Event]:
        def work(connection: Connection) -> list[Event]:
            seq = fence.running(connection, lease)
            new = number(connection, lease.run_id, seq, drafts, at)
            if new:
                values = {"run_id": lease.run_id, "last_seq": new[-1].seq}
                connection.change(_ADVANCE, values)
            return new

        return await self._database.write(work)

    async def read(self, run_id: str, after: int = 0, limit: int = 500) -> Sequence[Event]:
        def look(connection: Connection) -> list[Event]:
            values = {"run_id": run_id, "after": after, "count": limit}
            return [_event(row) for row in connection.all(_AFTER, values)]

        return await self._database.read(look)

    async def last(self, run_id: str) -> int:
        row = await self._database.read(lambda c: c.one(_LAST_SEQ, {"run_id": run_id}))
        return 0 if row is None else int(row[0])


def _values(event: Event) -> dict[str, Any]:
    return {**event.model_dump(), "payload": text(event.payload), "at": to_us(event.at)}


def _event(row: Row) -> Event:
    run_id, seq, key, attempt, step, kind, payload, at = row
    try:
        return Event(
            run_id=run_id,
            seq=seq,
            key=key,
            attempt=attempt,
            step=step,
            type=kind,
            payload=parse(payload),
            at=from_us(at),
        )
    except ValidationError as error:
        raise CorruptStore(
            "error.stored_unreadable", what=phrase("stored.event", id=seq, run=run_id)
        ) from error
