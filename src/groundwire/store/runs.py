"""The run rows: the truth about a run, its lease and its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger, and_, bindparam, delete, func, null, or_, select, update

from groundwire.errors import Fenced
from groundwire.model.call import Lease
from groundwire.model.ending import Ending
from groundwire.model.event import Draft, Event
from groundwire.model.message import Message
from groundwire.model.phrase import phrase
from groundwire.model.proposal import Confirmed, Proposal
from groundwire.model.run import FINISHED, NewRun, Run, RunFilter, RunHead, RunPage, RunState
from groundwire.store import (
    budget,
    calls,
    endings,
    fence,
    journal,
    outbox,
    run_list,
    schema,
    waiting,
    wakeups,
)
from groundwire.store.database import Database
from groundwire.store.endings import must
from groundwire.store.payload import to_us
from groundwire.store.run_rows import head_of, new_values, run_of
from groundwire.store.statement import Connection, Row, Statement

if TYPE_CHECKING:
    from groundwire.store.window import ExactWindow

_runs = schema.runs
_ENOUGH = 1_000  # an engine asks again every few seconds
_ABOVE_ALL = chr(0x10FFFF)
_HEAD = ("id", "state", "fence", "lease_owner", "lease_until", "cancel_requested", "kind")

_kind = bindparam("of_kind", type_=schema.name_type())
_state = bindparam("of_state", type_=schema.name_type())
_now = bindparam("at_now", type_=BigInteger())
_this = _runs.c.id == bindparam("run_id")
_leased = and_(
    _this,
    _runs.c.fence == bindparam("with_fence"),
    _runs.c.attempt == bindparam("with_attempt"),
    _runs.c.state == "running",
)
_no_lease: dict[str, Any] = {"lease_owner": null(), "lease_until": null()}
_lease_over = and_(_runs.c.state == "running", _runs.c.lease_until <= _now)
_newest = (_runs.c.created_at.desc(), _runs.c.id.desc())

_INSERT = Statement(lambda dialect: dialect.insert(_runs).on_conflict_do_nothing())
_GET = Statement(select(_runs).where(_this))
_LOCK = Statement(select(_runs).where(_this).with_for_update())
_BY_IDEMPOTENCY = Statement(select(_runs).where(_runs.c.idempotency_key == bindparam("by_key")))
_BY_PREFIX = Statement(
    select(_runs)
    .where(_runs.c.id >= bindparam("low"), _runs.c.id < bindparam("high"))
    .order_by(*_newest)
    .limit(10)
)
_RECENT = Statement(
    select(_runs)
    .where(
        or_(_kind.is_(None), _runs.c.kind == _kind), or_(_state.is_(None), _runs.c.state == _state)
    )
    .order_by(*_newest)
    .limit(bindparam("count"))
)
# Each kind in its own line: a thousand runs of one must not hide the only one of another.
_lines = (
    select(
        *(_runs.c[name] for name in _HEAD),
        func.row_number()
        .over(partition_by=_runs.c.kind, order_by=(_runs.c.created_at, _runs.c.id))
        .label("place"),
    )
    .where(or_(_runs.c.state == "queued", _runs.c.state == "running"))
    .subquery()
)
_UNFINISHED = Statement(
    select(*(_lines.c[name] for name in _HEAD))
    # Who is to stop must be seen, however many wait; then one of each kind, and the next of each.
    .order_by(_lines.c.cancel_requested.desc(), _lines.c.place, _lines.c.kind, _lines.c.id)
    .limit(_ENOUGH)
)
_CLAIM = Statement(
    update(_runs)
    .where(
        _this,
        or_(
            _runs.c.state == "queued",
            _lease_over,
            # Compare and set: between the look and the claim another worker may have taken it.
            and_(
                _runs.c.state == "running",
                _runs.c.fence == bindparam("abandoned", type_=BigInteger()),
            ),
        ),
    )
    .values(
        state="running",
        fence=_runs.c.fence + 1,
        claims=_runs.c.claims + 1,
        lease_owner=bindparam("owner"),
        lease_until=bindparam("until"),
        updated_at=_now,
    )
    .returning(_runs.c.fence, _runs.c.attempt)
)
_RENEW = Statement(update(_runs).where(_leased).values(lease_until=bindparam("until")))
_RELEASE = Statement(
    update(_runs).where(_leased).values(state="queued", **_no_lease).returning(_runs.c.kind)
)
_ASK_TO_STOP = Statement(update(_runs).where(_this).values(cancel_requested=1, updated_at=_now))
_REOPEN = Statement(
    update(_runs)
    .where(_this, *(_runs.c.state != state for state in ("queued", "running", "waiting")))
    .values(
        state="queued",
        attempt=_runs.c.attempt + 1,
        claims=0,
        cancel_requested=0,
        error=null(),
        finished_at=null(),
        updated_at=_now,
        **_no_lease,
    )
)
_DELETE = Statement(delete(_runs).where(_this))


class RunTable:
    """Implements `ports.Runs`."""

    def __init__(self, database: Database, window: Callable[[], ExactWindow]) -> None:
        self._database = database
        self._window = window  # loaded with the first message

    async def create(self, run: NewRun, *, message: Message | None = None) -> Run:
        from groundwire.store.messages import keep  # deferred: it cuts text

        values = new_values(run)

        def work(connection: Connection) -> Run:
            new = connection.change(_INSERT, values) == 1
            found: Run | None = None if not new else Run(**dict(run), updated_at=run.created_at)
            if new:
                wakeups.wake(connection, run.kind, run.id)
            if found is None and run.idempotency_key is not None:
                found = _one(connection, _BY_IDEMPOTENCY, {"by_key": run.idempotency_key})
            found = found or must(_one(connection, _GET, {"run_id": run.id}))
            if message is not None:
                keep(connection, message, found.id)
            return found

        created = await self._database.write(work)
        if message is not None:
            self._window().add(message.text, message.id, message.received_at)
        return created

    async def get(self, run_id: str) -> Run | None:
        return await self._database.read(lambda c: _one(c, _GET, {"run_id": run_id}))

    async def find(self, prefix: str) -> Sequence[Run]:
        values = {"low": prefix, "high": prefix + _ABOVE_ALL}
        return await self._database.read(lambda c: _many(c, _BY_PREFIX, values))

    async def recent(
        self, limit: int = 20, kind: str | None = None, state: RunState | None = None
    ) -> Sequence[Run]:
        values = {"of_kind": kind, "of_state": state, "count": limit}
        return await self._database.read(lambda c: _many(c, _RECENT, values))

    async def page(self, wanted: RunFilter, after: str | None = None, limit: int = 20) -> RunPage:
        return await self._database.read(lambda c: run_list.page(c, wanted, after, limit))

    async def head(self, run_id: str) -> RunHead | None:
        return await self._database.read(lambda c: run_list.head(c, run_id))

    async def counts(self) -> Mapping[RunState, int]:
        return await self._database.read(run_list.counts)

    async def unfinished(self) -> Sequence[RunHead]:
        """At most a thousand, and nothing is parsed: one bad row must not stop the others."""
        return await self._database.read(lambda c: [head_of(row) for row in c.all(_UNFINISHED, {})])

    async def claim(
        self,
        run_id: str,
        owner: str,
        now: datetime,
        until: datetime,
        *,
        abandoned: int | None = None,
    ) -> Lease | None:
        values = {
            "run_id": run_id,
            "owner": owner,
            "at_now": to_us(now),
            "until": to_us(until),
            "abandoned": -1 if abandoned is None else abandoned,
        }

        def work(connection: Connection) -> Row | None:
            row = connection.one(_CLAIM, values)
            if row is not None:
                wakeups.drop(connection, run_id)
            return row

        row = await self._database.write(work)
        return None if row is None else Lease(run_id=run_id, fence=row[0], attempt=row[1])

    async def renew(self, lease: Lease, until: datetime) -> bool:
        values = {**_lease_values(lease), "until": to_us(until)}
        return await self._database.write(lambda c: c.change(_RENEW, values)) == 1

    async def release(self, lease: Lease, *, wait: float = 0.0) -> None:
        def work(connection: Connection) -> None:
            row = connection.one(_RELEASE, _lease_values(lease))
            if row is not None:
                wakeups.wake(connection, row[0], lease.run_id, wait)

        await self._database.write(work)

    async def finish(self, lease: Lease, ending: Ending) -> Event:
        if ending.event is None:
            leaves = endings.prepare(ending)
        else:
            leaves = await asyncio.to_thread(endings.prepare, ending)

        def work(connection: Connection) -> Event:
            stored, seq = fence.lock(connection, lease)
            if stored in FINISHED:
                # The same lease finished before (its answer was lost): what is stored holds.
                closing = ending.closing(lease.run_id, lease.attempt)
                return must(
                    journal.find(connection, lease.run_id, closing.key)
                    or journal.last(connection, lease.run_id)
                )
            if stored != "running":
                raise Fenced("error.lease_over", run=lease.run_id, state=phrase(f"state.{stored}"))
            return endings.write(connection, lease.run_id, lease.attempt, seq, ending, leaves)

        return await self._database.write(work)

    async def wait(
        self, lease: Lease, proposal: Proposal, drafts: Sequence[Draft], at: datetime
    ) -> bool:
        return await self._database.write(lambda c: waiting.wait(c, lease, proposal, drafts, at))

    async def confirm(
        self, run_id: str, proposal_id: str, said: Confirmed, at: datetime
    ) -> Run | None:
        def work(connection: Connection) -> Run | None:
            run = _locked(connection, run_id)
            if run is not None:
                waiting.confirm(connection, run, proposal_id, said, at)
            return _one(connection, _GET, {"run_id": run_id})

        return await self._database.write(work)

    async def expire(self, at: datetime) -> Sequence[str]:
        return await self._database.write(lambda c: waiting.expire(c, at, _locked))

    async def request_cancel(self, run_id: str, at: datetime) -> Run | None:
        def work(connection: Connection) -> Run | None:
            run = _locked(connection, run_id)
            if run is None or run.state in FINISHED:
                return run
            if run.state == "running":
                connection.change(_ASK_TO_STOP, {"run_id": run_id, "at_now": to_us(at)})
                wakeups.tell(connection, wakeups.STOPS, run_id)
            else:
                # Nobody runs it, so nobody else would write the closing event.
                ending = Ending("cancelled", at, result=run.result)
                leaves = endings.prepare(ending)
                endings.write(connection, run_id, run.attempt, run.last_seq, ending, leaves)
            return _one(connection, _GET, {"run_id": run_id})

        return await self._database.write(work)

    async def reopen(self, run_id: str, at: datetime) -> Run | None:
        """A run that is not over is left as it is.

        The last result is kept until the new attempt has its own.
        """

        def work(connection: Connection) -> Run | None:
            opened = connection.change(_REOPEN, {"run_id": run_id, "at_now": to_us(at)}) == 1
            run = _one(connection, _GET, {"run_id": run_id})
            if opened and run is not None:
                wakeups.wake(connection, run.kind, run_id)
            return run

        return await self._database.write(work)

    async def delete(self, run_id: str) -> bool:
        return await self._database.write(lambda c: remove(c, run_id))


def remove(connection: Connection, run_id: str) -> bool:
    """Forget a run, its records, its events and its signal; False: there is none."""
    from groundwire.store.judged_events import remove_of_run  # deferred: it cuts text

    if connection.one(_LOCK, {"run_id": run_id}) is None:
        return False
    calls.delete_run(connection, run_id)
    journal.delete_run(connection, run_id)
    budget.delete_scope(connection, f"run:{run_id}")
    remove_of_run(connection, run_id)
    outbox.remove_of_run(connection, run_id)
    wakeups.drop(connection, run_id)
    return connection.change(_DELETE, {"run_id": run_id}) == 1


def _locked(connection: Connection, run_id: str) -> Run | None:
    return _one(connection, _LOCK, {"run_id": run_id})


def _lease_values(lease: Lease) -> dict[str, Any]:
    return {
        "run_id": lease.run_id,
        "with_fence": lease.fence,
        "with_attempt": lease.attempt,
    }


def _one(connection: Connection, statement: Statement, values: dict[str, Any]) -> Run | None:
    row = connection.one(statement, values)
    return None if row is None else run_of(row)


def _many(connection: Connection, statement: Statement, values: dict[str, Any]) -> list[Run]:
    return [run_of(row) for row in connection.all(statement, values)]
