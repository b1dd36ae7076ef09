"""Standing runs: when each is due, moved by compare-and-set, and what its runs were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, and_, bindparam, delete, func, or_, select, update

from groundwire.model.outbox import Parcel
from groundwire.model.run import Run
from groundwire.model.schedule import Schedule, ScheduleLine
from groundwire.store import outbox, schema
from groundwire.store.columns import name_type
from groundwire.store.payload import from_us, to_us
from groundwire.store.run_list import ROW, run_of
from groundwire.store.schema_schedules import looks as _looks
from groundwire.store.schema_schedules import schedules as _schedules
from groundwire.store.statement import Connection, Row, Statement
from groundwire.store.table import DatabaseTable, Rows, columns_of, prefixed, put, reads, writes

_runs, _outbox = schema.runs, schema.outbox
_ROWS = Rows(Schedule, columns_of(_schedules), "stored.schedule")
_now = bindparam("at_now", type_=BigInteger())
_with_id = _schedules.c.id == bindparam("of_id")
_owner: Any = bindparam("of_owner", type_=name_type())
_owned = or_(_owner.is_(None), _schedules.c.owner == _owner)

_PUT = put(_schedules, ["id"], kept=["owner", "created_at", "told_at"])
_BY_PREFIX = Statement(
    select(*_ROWS.columns)
    .where(_schedules.c.id >= bindparam("low"), _schedules.c.id < bindparam("high"), _owned)
    .order_by(_schedules.c.id)
    .limit(2)
)
_GET = Statement(select(*_ROWS.columns).where(_with_id))
_LIST = Statement(
    select(*_ROWS.columns, func.count(_runs.c.id), func.max(_runs.c.now))
    .outerjoin(_runs, _runs.c.schedule_id == _schedules.c.id)
    .where(_owned)
    .group_by(*_ROWS.columns)
    .order_by(_schedules.c.created_at.desc(), _schedules.c.id)
    .limit(bindparam("count"))
)
_awake = _schedules.c.paused == 0
_DUE = Statement(
    select(*_ROWS.columns)
    .where(_awake, _schedules.c.next_at <= _now)
    .order_by(_schedules.c.next_at, _schedules.c.id)
    .limit(bindparam("count"))
)
_LATER = Statement(  # page by page, by id
    select(*_ROWS.columns)
    .where(_awake, _schedules.c.next_at > _now, _schedules.c.id > bindparam("after_id"))
    .order_by(_schedules.c.id)
    .limit(bindparam("count"))
)
_MOVE = Statement(
    update(_schedules)
    .where(_with_id, _awake, _schedules.c.next_at == bindparam("due", type_=BigInteger()))
    .values(next_at=bindparam("next"), paused=bindparam("pause"), trouble=bindparam("why"))
)
_SWITCH = Statement(
    update(_schedules)
    .where(_with_id)
    .values(paused=bindparam("pause"), next_at=bindparam("next"), trouble="")
)
_REMOVE = Statement(delete(_schedules).where(_with_id))
_FORGET_LOOKS = Statement(delete(_looks).where(_looks.c.schedule_id == bindparam("of_id")))
_its_moment = select(_runs.c.now).where(_runs.c.id == bindparam("run_id")).scalar_subquery()
_NOTE_TOLD = Statement(
    update(_schedules)
    .where(
        _schedules.c.id.in_(select(_runs.c.schedule_id).where(_runs.c.id == bindparam("run_id"))),
        # A run at an earlier moment does not wind it back.
        or_(_schedules.c.told_at.is_(None), _schedules.c.told_at < _its_moment),
    )
    .values(told_at=_its_moment)
)

# --- its runs ----------------------------------------------------------------------------------

_of_it = _runs.c.schedule_id == bindparam("of_id")
_told_something = or_(_runs.c.state == "complete", _runs.c.state == "degraded")
_RUNS = Statement(
    select(*ROW)
    .where(_of_it)
    .order_by(_runs.c.now.desc(), _runs.c.created_at.desc(), _runs.c.id.desc())
    .limit(bindparam("count"))
)
_LAST = Statement(
    select(*ROW)
    .where(_of_it, _told_something, _runs.c.now <= _now)
    .order_by(_runs.c.now.desc(), _runs.c.created_at.desc(), _runs.c.id.desc())
    .limit(1)
)
_ADOPT = Statement(
    update(_runs)
    .where(_runs.c.id == bindparam("run_id"), _runs.c.schedule_id.is_(None))
    .values(schedule_id=bindparam("of_id"))
)
_DAYS = Statement(  # when it was looked, for a slider: no result is parsed
    select(_runs.c.id, _runs.c.now)
    .where(_of_it, _told_something)
    .order_by(_runs.c.now, _runs.c.created_at, _runs.c.id)
)
_SENT = Statement(
    select(*outbox.ROWS.columns)
    .join(_runs, and_(_runs.c.id == _outbox.c.run_id, _of_it))
    .order_by(_outbox.c.created_at.desc(), _outbox.c.num.desc())
    .limit(bindparam("count"))
)

# --- readers -----------------------------------------------------------------------------------

_LOOKED = Statement(
    select(_looks.c.schedule_id, _looks.c.at).where(_looks.c.reader == bindparam("by_reader"))
)
_UNSEEN = Statement(
    select(*ROW)
    .join(_schedules, _schedules.c.id == _runs.c.schedule_id)
    .outerjoin(
        _looks,
        and_(_looks.c.schedule_id == _schedules.c.id, _looks.c.reader == bindparam("by_reader")),
    )
    .where(
        _owned,
        _told_something,
        _runs.c.finished_at > func.coalesce(_looks.c.at, _schedules.c.created_at),
    )
    .order_by(_runs.c.finished_at.desc(), _runs.c.id)
    .limit(bindparam("count"))
)
_LOOK = put(_looks, ["reader", "schedule_id"])


class ScheduleTable(DatabaseTable):
    """Implements `ports.Schedules`."""

    @writes
    def put(self, connection: Connection, schedule: Schedule) -> None:
        connection.change(_PUT, _ROWS.cells(schedule))

    @reads
    def get(self, connection: Connection, schedule_id: str) -> Schedule | None:
        return connection.first(_GET, {"of_id": schedule_id}, _ROWS.value)

    @reads
    def find(self, connection: Connection, prefix: str, owner: str | None) -> Sequence[Schedule]:
        """Return up to two whose id begins so; of one owner, where one is named."""
        values = {**prefixed(prefix), "of_owner": owner}
        return [_ROWS.value(row) for row in connection.all(_BY_PREFIX, values)]

    @reads
    def listed(
        self, connection: Connection, owner: str | None, limit: int
    ) -> Sequence[ScheduleLine]:
        """List them, the newest first."""
        rows = connection.all(_LIST, {"of_owner": owner, "count": limit})
        return [_line_of(row) for row in rows]

    @reads
    def due(self, connection: Connection, now: datetime, limit: int) -> Sequence[Schedule]:
        rows = connection.all(_DUE, {"at_now": to_us(now), "count": limit})
        return [_ROWS.value(row) for row in rows]

    @reads
    def later(
        self, connection: Connection, now: datetime, after: str, limit: int
    ) -> Sequence[Schedule]:
        values = {"at_now": to_us(now), "after_id": after, "count": limit}
        return [_ROWS.value(row) for row in connection.all(_LATER, values)]

    @writes
    def move(
        self,
        connection: Connection,
        schedule: Schedule,
        next_at: datetime,
        *,
        trouble: str = "",
        paused: bool = False,
    ) -> bool:
        values = {
            "of_id": schedule.id,
            "due": to_us(schedule.next_at),
            "next": to_us(next_at),
            "pause": int(paused),
            "why": trouble,
        }
        return connection.change(_MOVE, values) == 1

    @writes
    def switch(
        self, connection: Connection, schedule_id: str, next_at: datetime, *, paused: bool
    ) -> bool:
        """Pause one or let it go on; False: there is none."""
        values = {"of_id": schedule_id, "pause": int(paused), "next": to_us(next_at)}
        return connection.change(_SWITCH, values) == 1

    @writes
    def remove(self, connection: Connection, schedule_id: str) -> bool:
        connection.change(_FORGET_LOOKS, {"of_id": schedule_id})
        return connection.change(_REMOVE, {"of_id": schedule_id}) == 1

    @writes
    def adopt(self, connection: Connection, run_id: str, schedule_id: str) -> bool:
        """Make a run that belongs to none the first of its runs."""
        return connection.change(_ADOPT, {"run_id": run_id, "of_id": schedule_id}) == 1

    @reads
    def runs(self, connection: Connection, schedule_id: str, limit: int) -> Sequence[Run]:
        """List its runs, those of the latest moment first."""
        values = {"of_id": schedule_id, "count": limit}
        return [run_of(row) for row in connection.all(_RUNS, values)]

    @reads
    def last(self, connection: Connection, schedule_id: str, until: datetime) -> Run | None:
        """Return its last complete or degraded run at or before a moment."""
        return connection.first(_LAST, {"of_id": schedule_id, "at_now": to_us(until)}, run_of)

    @reads
    def moments(self, connection: Connection, schedule_id: str) -> Sequence[tuple[str, datetime]]:
        """List its complete and degraded runs with their moments, the first one first."""
        rows = connection.all(_DAYS, {"of_id": schedule_id})
        return [(run_id, from_us(now)) for run_id, now in rows]

    @reads
    def sent(self, connection: Connection, schedule_id: str, limit: int) -> Sequence[Parcel]:
        """List the parcels of its runs, the newest first."""
        values = {"of_id": schedule_id, "count": limit}
        return [outbox.ROWS.value(row) for row in connection.all(_SENT, values)]

    @reads
    def looked(self, connection: Connection, reader: str) -> Mapping[str, datetime]:
        """Return when a reader last looked at each."""
        rows = connection.all(_LOOKED, {"by_reader": reader})
        return {schedule_id: from_us(at) for schedule_id, at in rows}

    @reads
    def unseen(
        self, connection: Connection, reader: str, owner: str | None, limit: int
    ) -> Sequence[Run]:
        """List the runs that ended since a reader last looked, the newest first."""
        values = {"by_reader": reader, "of_owner": owner, "count": limit}
        return [run_of(row) for row in connection.all(_UNSEEN, values)]

    @writes
    def look(self, connection: Connection, reader: str, schedule_id: str, at: datetime) -> None:
        connection.change(_LOOK, {"reader": reader, "schedule_id": schedule_id, "at": to_us(at)})


def note_told(connection: Connection, run_id: str) -> None:
    """Note at its standing run, if it has one, that a run found something to tell."""
    connection.change(_NOTE_TOLD, {"run_id": run_id})


def _line_of(row: Row) -> ScheduleLine:
    *cells, count, last = row
    at = None if last is None else from_us(last)
    return ScheduleLine(schedule=_ROWS.value(cells), runs=count, last_at=at)
