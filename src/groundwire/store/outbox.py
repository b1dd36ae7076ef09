"""The outbox: written with a run's own end, delivered later, at least once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, bindparam, case, delete, null, select, update

from groundwire.model.outbox import Parcel, Subscriber
from groundwire.store.database import Database
from groundwire.store.payload import from_us, from_us_or_none, pack, to_us, unpack
from groundwire.store.schema_outbox import outbox as _outbox
from groundwire.store.statement import Connection, Row, Statement

_this = _outbox.c.id == bindparam("of_id")
_open = _outbox.c.delivered_at.is_(None)
_now: Any = bindparam("at_now", type_=BigInteger())
_COLUMNS = tuple(column for column in _outbox.c if column.name != "num")
_FIELDS = tuple(column.name for column in _COLUMNS)
_CHANGING = ("attempt", "kind", "content", "created_at", "due_at", "delivered_at", "tries", "error")
_PUT = Statement(
    lambda dialect: (
        dialect.insert(_outbox)
        .values({name: bindparam(name) for name in _FIELDS})
        # A new attempt of the run says something else to the same subscriber.
        .on_conflict_do_update(
            index_elements=["id"],
            set_={name: bindparam(name) for name in _CHANGING},
            where=_outbox.c.attempt < bindparam("attempt"),
        )
    )
)
_WAITING = Statement(
    select(*_COLUMNS).where(_open).order_by(_outbox.c.num).limit(bindparam("count"))
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
    .returning(*_COLUMNS)
)
_SETTLE = Statement(
    update(_outbox)
    .where(_this, _open, _outbox.c.attempt == bindparam("of_attempt"))
    .values(
        delivered_at=case((bindparam("why") == "", _now), else_=null()),
        due_at=bindparam("next"),
        tries=_outbox.c.tries + 1,
        error=bindparam("why"),
    )
)
_PRUNE = Statement(delete(_outbox).where(_outbox.c.created_at < bindparam("before")))
_DROP = Statement(delete(_outbox).where(_outbox.c.run_id == bindparam("of_run")))


class OutboxTable:
    """Implements `event_ports.Outbox`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def waiting(self, limit: int = 100) -> Sequence[Parcel]:
        rows = await self._database.read(lambda c: c.all(_WAITING, {"count": limit}))
        return [_parcel(row) for row in rows]

    async def take(
        self, to: Subscriber, now: datetime, until: datetime, limit: int = 16
    ) -> Sequence[Parcel]:
        values = {
            "by_channel": to.channel,
            "to_subscriber": to.name,
            "at_now": to_us(now),
            "until": to_us(until),
            "count": limit,
        }
        rows = await self._database.write(lambda c: c.all(_TAKE, values))
        return [_parcel(row) for row in rows]

    async def delivered(self, parcel: Parcel, at: datetime) -> bool:
        return await self._settled(parcel, "", at, at)

    async def failed(self, parcel: Parcel, error: str, at: datetime, next: datetime) -> bool:
        return await self._settled(parcel, error or "failed", at, next)

    async def prune(self, before: datetime) -> int:
        return await self._database.write(lambda c: c.change(_PRUNE, {"before": to_us(before)}))

    async def _settled(self, parcel: Parcel, why: str, at: datetime, next: datetime) -> bool:
        values = {
            "of_id": parcel.id,
            "of_attempt": parcel.attempt,
            "why": why,
            "at_now": to_us(at),
            "next": to_us(next),
        }
        return await self._database.write(lambda c: c.change(_SETTLE, values)) == 1


def put(connection: Connection, parcels: Sequence[Parcel]) -> None:
    """Write parcels, each once for an attempt of its run, however often its end is written."""
    for parcel in parcels:
        values = {
            **parcel.model_dump(),
            "content": pack(parcel.content),
            "created_at": to_us(parcel.created_at),
            "due_at": to_us(parcel.due_at),
        }
        connection.change(_PUT, values)


def remove_of_run(connection: Connection, run_id: str) -> None:
    connection.change(_DROP, {"of_run": run_id})


def _parcel(row: Row) -> Parcel:
    values: dict[str, Any] = dict(zip(_FIELDS, row, strict=True))
    return Parcel.model_validate(
        {
            **values,
            "content": unpack(values["content"]),
            "created_at": from_us(values["created_at"]),
            "due_at": from_us(values["due_at"]),
            "delivered_at": from_us_or_none(values["delivered_at"]),
        }
    )
