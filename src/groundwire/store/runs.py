"""The run rows: a run's state, its lease and its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger, and_, bindparam, delete, func, not_, null, or_, select, update

from groundwire.errors import Conflict, Fenced
from groundwire.model.call import Lease, exams_scope, run_scope
from groundwire.model.ending import Ending
from groundwire.model.event import Event
from groundwire.model.message import Message
from groundwire.model.phrase import phrase
from groundwire.model.run import FINISHED, NewRun, Run, RunHead
from groundwire.store import budget, calls, endings, fence, journal, schema, wakeups
from groundwire.store.database import Database
from groundwire.store.payload import to_us
from groundwire.store.run_list import HEAD, LOCK, ROW, get, head_of, lock, new_values, run_of
from groundwire.store.statement import Connection, Statement, must
from groundwire.store.table import prefixed, reads, writes
from groundwire.store.waiting import WaitingRuns

if TYPE_CHECKING:
    from groundwire.store.messages import ExactWindow

_runs = schema.runs
_ENOUGH = 1_000  # an engine asks again every few seconds

_now = bindparam("at_now", type_=BigInteger())
_with_id = _runs.c.id == bindparam("run_id")
_leased = and_(
    _with_id,
    _runs.c.fence == bindparam("with_fence"),
    _runs.c.attempt == bindparam("with_attempt"),
    _runs.c.state == "running",
)
_no_lease: dict[str, Any] = {"lease_owner": null(), "lease_until": null()}
_lease_over = and_(_runs.c.state == "running", _runs.c.lease_until <= _now)

_INSERT = Statement(lambda dialect: dialect.insert(_runs).on_conflict_do_nothing())
_BY_IDEMPOTENCY = Statement(select(*ROW).where(_runs.c.idempotency_key == bindparam("by_key")))
_BY_PREFIX = Statement(
    select(*ROW)
    .where(_runs.c.id >= bindparam("low"), _runs.c.id < bindparam("high"))
    .order_by(_runs.c.created_at.desc(), _runs.c.id.desc())
    .limit(10)
)
# Each kind in its own queue: a thousand runs of one must not hide the only one of another.
_queues = (
    select(
        *HEAD,
        func.row_number()
        .over(partition_by=_runs.c.kind, order_by=(_runs.c.created_at, _runs.c.id))
        .label("place"),
    )
    .where(or_(_runs.c.state == "queued", _runs.c.state == "running"))
    .subquery()
)
_UNFINISHED = Statement(
    select(*(_queues.c[column.name] for column in HEAD))
    # Runs asked to stop come first, however many wait; then the first of each kind, and so on.
    .order_by(_queues.c.cancel_requested.desc(), _queues.c.place, _queues.c.kind, _queues.c.id)
    .limit(_ENOUGH)
)
_CLAIM = Statement(
    update(_runs)
    .where(
        _with_id,
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
_ASK_TO_STOP = Statement(update(_runs).where(_with_id).values(cancel_requested=1, updated_at=_now))
_under_way = or_(*(_runs.c.state == state for state in ("queued", "running", "waiting")))
_SIBLING = Statement(  # the run of the same standing run that is not over
    select(_runs.c.id).where(_runs.c.schedule_id == bindparam("of_schedule"), _under_way)
)
_REOPEN = Statement(
    update(_runs)
    .where(_with_id, not_(_under_way))
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
_DELETE = Statement(delete(_runs).where(_with_id))
_DELETE_PARTS = tuple(
    Statement(delete(table).where(table.c.run_id == bindparam("run_id")))
    for table in (schema.events, schema.outbox, schema.feedback)
)


class RunTable(WaitingRuns):
    """Implements `ports.Runs`."""

    def __init__(self, database: Database, window: Callable[[], ExactWindow]) -> None:
        super().__init__(database)
        self._window = window  # loaded with the first message

    async def create(self, run: NewRun, *, message: Message | None = None) -> Run:
        created = await self._create(run, message)
        if message is not None:
            self._window().add(message.text, message.id, message.received_at)
        return created

    @writes
    def _create(self, connection: Connection, run: NewRun, message: Message | None) -> Run:
        from groundwire.store.messages import keep  # deferred: it cuts text

        found: Run | None = None
        if connection.change(_INSERT, new_values(run)) == 1:
            wakeups.wake(connection, run.kind, run.id)
            found = Run(**dict(run), updated_at=run.created_at)
        elif run.idempotency_key is not None:
            found = connection.first(_BY_IDEMPOTENCY, {"by_key": run.idempotency_key}, run_of)
        found = found or get(connection, run.id)
        if found is None:
            raise _busy(connection, run)
        if message is not None:
            keep(connection, message, found.id)
        return found

    @reads
    def get(self, connection: Connection, run_id: str) -> Run | None:
        return get(connection, run_id)

    @reads
    def find(self, connection: Connection, prefix: str) -> Sequence[Run]:
        return [run_of(row) for row in connection.all(_BY_PREFIX, prefixed(prefix))]

    @reads
    def unfinished(self, connection: Connection) -> Sequence[RunHead]:
        """Return up to a thousand unfinished runs, unparsed: a bad row must not stop the others."""
        return [head_of(row) for row in connection.all(_UNFINISHED, {})]

    @writes
    def claim(
        self,
        connection: Connection,
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
        row = connection.one(_CLAIM, values)
        if row is None:
            return None
        wakeups.drop(connection, run_id)
        return Lease(run_id=run_id, fence=row[0], attempt=row[1])

    @writes
    def renew(self, connection: Connection, lease: Lease, until: datetime) -> bool:
        return connection.change(_RENEW, {**_lease_values(lease), "until": to_us(until)}) == 1

    @writes
    def release(self, connection: Connection, lease: Lease, *, wait: float = 0.0) -> None:
        kind = connection.cell(_RELEASE, _lease_values(lease))
        if kind is not None:
            wakeups.wake(connection, kind, lease.run_id, wait)

    async def finish(self, lease: Lease, ending: Ending) -> Event:
        extras = await asyncio.to_thread(endings.prepare, ending)
        return await self._finish(lease, ending, extras)

    @writes
    def _finish(
        self, connection: Connection, lease: Lease, ending: Ending, extras: endings.Extras
    ) -> Event:
        stored, seq = fence.lock(connection, lease)
        if stored in FINISHED:
            # The same lease finished before (its answer was lost): what is stored holds.
            return must(journal.last(connection, lease.run_id))
        if stored != "running":
            raise Fenced("error.lease_over", run=lease.run_id, state=phrase(f"state.{stored}"))
        return endings.write(connection, lease.run_id, lease.attempt, seq, ending, extras)

    @writes
    def request_cancel(self, connection: Connection, run_id: str, at: datetime) -> Run | None:
        run = lock(connection, run_id)
        if run is None or run.state in FINISHED:
            return run
        if run.state == "running":
            connection.change(_ASK_TO_STOP, {"run_id": run_id, "at_now": to_us(at)})
            wakeups.tell(connection, wakeups.STOPS, run_id)
        else:
            # Nobody executes it, so nobody else would write the closing event.
            endings.close(connection, run, Ending("cancelled", at, result=run.result))
        return get(connection, run_id)

    @writes
    def reopen(self, connection: Connection, run_id: str, at: datetime) -> Run | None:
        """Queue a finished run for a new attempt; one that is not over is left as it is.

        The last result is kept until the new attempt has its own.
        """
        before = get(connection, run_id)
        if before is not None and before.state in FINISHED and _sibling(connection, before):
            raise _busy(connection, before)
        opened = connection.change(_REOPEN, {"run_id": run_id, "at_now": to_us(at)}) == 1
        run = get(connection, run_id)
        if opened and run is not None:
            wakeups.wake(connection, run.kind, run_id)
        return run

    @writes
    def delete(self, connection: Connection, run_id: str) -> bool:
        return remove(connection, run_id)


def remove(connection: Connection, run_id: str) -> bool:
    """Forget a run, its records, its events and its signal; False: there is no such run."""
    from groundwire.store.judged_events import remove_of_run  # deferred: it cuts text

    if connection.one(LOCK, {"run_id": run_id}) is None:
        return False
    calls.delete_run(connection, run_id)
    for scope in (run_scope(run_id), exams_scope(run_id)):
        budget.delete_scope(connection, scope)
    remove_of_run(connection, run_id)
    for statement in _DELETE_PARTS:
        connection.change(statement, {"run_id": run_id})
    wakeups.drop(connection, run_id)
    return connection.change(_DELETE, {"run_id": run_id}) == 1


def _sibling(connection: Connection, run: NewRun) -> str | None:
    if run.schedule_id is None:
        return None
    return connection.cell(_SIBLING, {"of_schedule": run.schedule_id})


def _busy(connection: Connection, run: NewRun) -> Conflict:
    """Build the refusal of a second run of a standing run at the same time."""
    other = must(_sibling(connection, run))
    return Conflict("schedule.under_way", run=other, hint="hint.follow_run")


def _lease_values(lease: Lease) -> dict[str, Any]:
    return {"run_id": lease.run_id, "with_fence": lease.fence, "with_attempt": lease.attempt}
