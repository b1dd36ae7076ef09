"""The outbox: written with a run's own end, delivered later, at least once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, bindparam, case, delete, func, null, select, update

from groundwire.model.outbox import Parcel, Subscriber
from groundwire.store import table
from groundwire.store.payload import to_us
from groundwire.store.schema import outbox as _outbox
from groundwire.store.statement import Connection, Statement
from groundwire.store.table import DatabaseTable, Rows, columns_of, reads, writes

ROWS = Rows(Parcel, columns_of(_outbox))
_open = _outbox.c.delivered_at.is_(None)
_now: Any = bindparam("at_now", type_=BigInteger())
_PUT = table.put(
    _outbox,
    ["id"],
    kept=["run_id", "channel", "subscriber"],
    # A new attempt of the run says something else to the same subscriber.
    where=_outbox.c.attempt < bindparam("attempt"),
)
_due = (
    select(_outbox.c.num)
    .where(
        _open,
        _outbox.c.due_at <= _now,
        _outbox.c.channel == bindparam("by_channel"),
        _outbox.c.subscriber == bindparam("to_subscriber"),
    )
    .order_by(_outbox.c.due_at, _outbox.c.num)
    .limit(bindparam("count"))
    .with_for_update(skip_locked=True)
)
_TAKE = Statement(
    update(_outbox)
    .where(_outbox.c.num.in_(_due.scalar_subquery()), _open)
    .values(due_at=bindparam("until"))
    .returning(*ROWS.columns)
)
_SETTLE = Statement(
    update(_outbox)
    .where(_outbox.c.id == bindparam("of_id"), _open, _outbox.c.attempt == bindparam("of_attempt"))
    .values(
        delivered_at=case((bindparam("why") == "", _now), else_=null()),
        due_at=bindparam("next"),
        tries=_outbox.c.tries + 1,
        error=bindparam("why"),
    )
)
_AWAITED = Statement(
    select(_outbox.c.channel, _outbox.c.subscriber)
    .where(_open, _outbox.c.due_at <= _now)
    .group_by(_outbox.c.channel, _outbox.c.subscriber)
    .order_by(func.min(_outbox.c.due_at), _outbox.c.channel, _outbox.c.subscriber)
    .limit(bindparam("count"))
)
_PRUNE = Statement(delete(_outbox).where(_outbox.c.created_at < bindparam("before")))


class OutboxTable(DatabaseTable):
    """Implements `ports.Outbox`."""

    @reads
    def awaited(
        self, connection: Connection, now: datetime, limit: int = 64
    ) -> Sequence[Subscriber]:
        rows = connection.all(_AWAITED, {"at_now": to_us(now), "count": limit})
        return [Subscriber(channel=channel, name=name) for channel, name in rows]

    @writes
    def take(
        self,
        connection: Connection,
        to: Subscriber,
        now: datetime,
        until: datetime,
        limit: int = 16,
    ) -> Sequence[Parcel]:
        values = {
            "by_channel": to.channel,
            "to_subscriber": to.name,
            "at_now": to_us(now),
            "until": to_us(until),
            "count": limit,
        }
        return [ROWS.value(row) for row in connection.all(_TAKE, values)]

    @writes
    def delivered(self, connection: Connection, parcel: Parcel, at: datetime) -> bool:
        return _settle(connection, parcel, "", at, at)

    @writes
    def failed(
        self, connection: Connection, parcel: Parcel, error: str, at: datetime, next: datetime
    ) -> bool:
        return _settle(connection, parcel, error or "failed", at, next)

    @writes
    def prune(self, connection: Connection, before: datetime) -> int:
        return connection.change(_PRUNE, {"before": to_us(before)})


def put(connection: Connection, parcels: Sequence[Parcel]) -> None:
    """Write parcels, each once for an attempt of its run, however often its end is written."""
    for parcel in parcels:
        connection.change(_PUT, ROWS.cells(parcel))


def _settle(connection: Connection, parcel: Parcel, why: str, at: datetime, next: datetime) -> bool:
    about = {"of_id": parcel.id, "of_attempt": parcel.attempt, "why": why}
    return connection.change(_SETTLE, {**about, "at_now": to_us(at), "next": to_us(next)}) == 1
