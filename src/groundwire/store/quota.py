"""Uses of what is limited by the day: counted before the use, once, for all processes together."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import bindparam, func, select

from groundwire.model.quota import Grant
from groundwire.store import schema
from groundwire.store.database import Database
from groundwire.store.payload import to_us
from groundwire.store.statement import Connection, Statement

_quota = schema.quota
_scope = _quota.c.scope == bindparam("of_scope")
_TAKEN = Statement(select(_quota.c.day).where(_scope, _quota.c.key == bindparam("of_key")))
_USED = Statement(
    select(func.count()).select_from(_quota).where(_scope, _quota.c.day == bindparam("of_day"))
)
_TAKE = Statement(lambda dialect: dialect.insert(_quota))


class QuotaTable:
    """Implements `signal_ports.Quota`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(self, scope: str, key: str, limit: int, at: datetime) -> Grant:
        day = _day(at)

        def work(connection: Connection) -> Grant:
            # Counting and adding must be one step, whoever else counts.
            connection.dialect.alone(connection.raw, f"groundwire quota {scope}")
            used = _used(connection, scope, day)
            taken = connection.one(_TAKEN, {"of_scope": scope, "of_key": key})
            if taken is not None:
                return Grant(granted=True, used=used, limit=limit)
            if used >= limit:
                return Grant(
                    granted=False,
                    used=used,
                    limit=limit,
                    # No momentary count: it is part of results.
                    reason="quota.tool_calls",
                    params={"limit": limit},
                )
            connection.change(_TAKE, {"scope": scope, "key": key, "day": day, "at": to_us(at)})
            return Grant(granted=True, used=used + 1, limit=limit)

        return await self._database.write(work)

    async def used(self, scope: str, at: datetime) -> int:
        return await self._database.read(lambda c: _used(c, scope, _day(at)))


def _day(at: datetime) -> str:
    return f"{at:%Y-%m-%d}"


def _used(connection: Connection, scope: str, day: str) -> int:
    row = connection.one(_USED, {"of_scope": scope, "of_day": day})
    return row[0] if row else 0
