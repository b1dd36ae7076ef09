"""Uses of what is limited by the day: counted before the use, once, for all processes together."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import bindparam, func, insert, select

from groundwire.model.quota import Grant
from groundwire.store import schema
from groundwire.store.payload import to_us
from groundwire.store.statement import Connection, Statement
from groundwire.store.table import DatabaseTable, reads, writes

_quota = schema.quota
_scope = _quota.c.scope == bindparam("of_scope")
_TAKEN = Statement(select(_quota.c.day).where(_scope, _quota.c.key == bindparam("of_key")))
_USED = Statement(
    select(func.count()).select_from(_quota).where(_scope, _quota.c.day == bindparam("of_day"))
)
_TAKE = Statement(insert(_quota))


class QuotaTable(DatabaseTable):
    """Implements `ports.Quota`."""

    @writes
    def take(self, connection: Connection, scope: str, key: str, limit: int, at: datetime) -> Grant:
        # Counting and adding must be one step, whoever else counts.
        connection.dialect.alone(connection.raw, f"groundwire quota {scope}")
        used = _used(connection, scope, at)
        if connection.one(_TAKEN, {"of_scope": scope, "of_key": key}) is not None:
            return Grant(granted=True, used=used, limit=limit)
        if used >= limit:
            # No momentary count: it is part of results.
            reason, params = "quota.tool_calls", {"limit": limit}
            return Grant(granted=False, used=used, limit=limit, reason=reason, params=params)
        connection.change(_TAKE, {"scope": scope, "key": key, "day": _day(at), "at": to_us(at)})
        return Grant(granted=True, used=used + 1, limit=limit)

    @reads
    def used(self, connection: Connection, scope: str, at: datetime) -> int:
        return _used(connection, scope, at)


def _day(at: datetime) -> str:
    return f"{at:%Y-%m-%d}"


def _used(connection: Connection, scope: str, at: datetime) -> int:
    return connection.cell(_USED, {"of_scope": scope, "of_day": _day(at)})
