"""The outbox: results that are to be handed on, written with the run's own end, delivered later."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, bindparam, delete, select, update

from groundwire.model.base import short_id
from groundwire.model.outbox import Parcel
from groundwire.store import schema
from groundwire.store.database import Database
from groundwire.store.payload import from_us, from_us_or_none, to_us, unpack
from groundwire.store.statement import Connection, Row, Statement

_outbox = schema.outbox
_this = _outbox.c.id == bindparam("of_id")
_at: Any = bindparam("on", type_=BigInteger())
_COLUMNS = (
    _outbox.c.id,
    _outbox.c.run_id,
    _outbox.c.attempt,
    _outbox.c.kind,
    _outbox.c.payload,
    _outbox.c.created_at,
    _outbox.c.delivered_at,
    _outbox.c.tries,
    _outbox.c.error,
)
_PUT = Statement(
    lambda dialect: (
        dialect.insert(_outbox)
        .values(
            {
                "id": bindparam("id"),
                "run_id": bindparam("run_id"),
                "attempt": bindparam("attempt"),
                "kind": bindparam("kind"),
                "payload": bindparam("payload"),
                "created_at": bindparam("created_at"),
                "tries": 0,
                "error": "",
            }
        )
        .on_conflict_do_nothing(index_elements=["id"])
    )
)
_WAITING = Statement(
    select(*_COLUMNS)
    .where(_outbox.c.delivered_at.is_(None))
    .order_by(_outbox.c.num)
    .limit(bindparam("count"))
)
_DELIVERED = Statement(
    update(_outbox)
    .where(_this, _outbox.c.delivered_at.is_(None))
    .values(delivered_at=_at, tried_at=_at, tries=_outbox.c.tries + 1, error="")
)
_FAILED = Statement(
    update(_outbox)
    .where(_this, _outbox.c.delivered_at.is_(None))
    .values(tried_at=_at, tries=_outbox.c.tries + 1, error=bindparam("why"))
)
_DROP = Statement(delete(_outbox).where(_outbox.c.run_id == bindparam("of_run")))


class OutboxTable:
    """Implements `signal_ports.Outbox`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def waiting(self, limit: int = 100) -> Sequence[Parcel]:
        rows = await self._database.read(lambda c: c.all(_WAITING, {"count": limit}))
        return [_parcel(row) for row in rows]

    async def delivered(self, parcel_id: str, at: datetime) -> bool:
        values = {"of_id": parcel_id, "on": to_us(at)}
        return await self._database.write(lambda c: c.change(_DELIVERED, values)) == 1

    async def failed(self, parcel_id: str, error: str, at: datetime) -> None:
        values = {"of_id": parcel_id, "on": to_us(at), "why": error}
        await self._database.write(lambda c: c.change(_FAILED, values))


def put(
    connection: Connection, run_id: str, attempt: int, kind: str, payload: bytes, at: datetime
) -> None:
    """One row for each attempt of a run, however often its end is written; `payload` is packed."""
    values = {
        "id": short_id("out", [run_id, attempt, kind]),
        "run_id": run_id,
        "attempt": attempt,
        "kind": kind,
        "payload": payload,
        "created_at": to_us(at),
    }
    connection.change(_PUT, values)


def remove_of_run(connection: Connection, run_id: str) -> None:
    connection.change(_DROP, {"of_run": run_id})


def _parcel(row: Row) -> Parcel:
    id, run_id, attempt, kind, payload, created, delivered, tries, error = row
    return Parcel(
        id=id,
        run_id=run_id,
        attempt=attempt,
        kind=kind,
        payload=unpack(payload),
        created_at=from_us(created),
        delivered_at=from_us_or_none(delivered),
        tries=tries,
        error=error,
    )
