"""The record of calls: intents, settlements, notes, each in one fenced transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from groundwire.errors import IllegalState
from groundwire.log import get_logger
from groundwire.model.base import JsonObject
from groundwire.model.call import (
    MICRO,
    CacheEntry,
    CallError,
    CallRecord,
    Cap,
    Intent,
    Lease,
    Settlement,
    Via,
)
from groundwire.model.ports import Begun
from groundwire.store import budget, cache, calls, fence
from groundwire.store.cache import Packed, RecentAnswers
from groundwire.store.calls import CallHistory, CallRow
from groundwire.store.database import Database
from groundwire.store.payload import parse, text, to_us
from groundwire.store.statement import Connection, must
from groundwire.store.table import reads, writes

log = get_logger("groundwire.app.costs")
_Shared: TypeAlias = tuple[CacheEntry, Packed]


class LedgerTable(CallHistory):
    """Implements `ports.Ledger`."""

    def __init__(self, database: Database, memory: RecentAnswers) -> None:
        super().__init__(database)
        self._memory = memory

    @reads
    def find(self, connection: Connection, run_id: str, key: str) -> CallRecord | None:
        row = calls.best(calls.rows_of_key(connection, run_id, key))
        return None if row is None else calls.record(row)

    @reads
    def records(self, connection: Connection, run_id: str) -> Sequence[CallRecord]:
        return [calls.record(row) for row in calls.rows_of_run(connection, run_id)]

    @writes
    def begin(self, connection: Connection, lease: Lease, intent: Intent) -> Begun:
        fence.check(connection, lease)
        fresh = calls.new_row(lease, intent)
        row = _insert_or_find(connection, lease, fresh)
        if row is None:
            return _reserve(connection, fresh, intent, "go")
        if row.outcome != "intent":
            return Begun(state="done", record=calls.record(row))
        # Rule e: it may have been sent, so it is paid for; and it is sent again.
        again = calls.count_lost(connection, row)._replace(
            attempt=lease.attempt,
            estimate=intent.estimate,
            repeated=row.repeated + 1,
            scopes=fresh.scopes,
            started_at=fresh.started_at,
        )
        calls.reopen(connection, row, again)
        return _reserve(connection, again, intent, "again")

    async def finish(self, lease: Lease, settlement: Settlement) -> CallRecord:
        record, shared, crossed = await self._finish(lease, settlement)
        if shared is not None:
            # Only after the commit: an answer that was not stored is not shared.
            self._memory.put(*shared)
        for cap, spent in crossed:
            log.warning(
                "more is spent than a day's share of the month",
                scope=cap.scope,
                spent_usd=round(spent / MICRO, 4),
                share_usd=round((cap.alert or 0) / MICRO, 4),
                see="gw costs",
            )
        return record

    @writes
    def _finish(
        self, connection: Connection, lease: Lease, settlement: Settlement
    ) -> tuple[CallRecord, _Shared | None, list[tuple[Cap, int]]]:
        fence.check(connection, lease)
        rows = calls.rows_of_key(connection, lease.run_id, settlement.key)
        if not rows:
            raise IllegalState("A call was settled that was never begun.")
        row = rows[0]
        if row.outcome != "intent":
            return calls.record(calls.best(rows) or row), None, []
        packed = self._pack(settlement)
        scopes: list[str] = parse(row.scopes)
        budget.settle(connection, scopes, freed=row.estimate, paid=settlement.cost)
        paid = 0 if budget.is_free(scopes) else settlement.cost
        new = _settle_row(row, settlement, packed, "sent", row.cost + paid)
        calls.settle(connection, row, new)
        shared = _share(connection, settlement, packed)
        crossed = budget.crossed(connection, settlement.alerts, paid)
        return _written_record(new, packed), shared, crossed

    @writes
    def note(
        self,
        connection: Connection,
        lease: Lease,
        intent: Intent,
        settlement: Settlement,
        via: Via,
    ) -> CallRecord:
        fence.check(connection, lease)
        packed = self._pack(settlement)
        fresh = _settle_row(calls.new_row(lease, intent), settlement, packed, via, cost=0)
        row = _insert_or_find(connection, lease, fresh)
        if row is None:
            return _written_record(fresh, packed, intent.request)
        if row.outcome != "intent":
            return calls.record(row)
        # The note itself costs nothing, but an intent that a crash left open may have been sent:
        # the note closes it, and its cost stays.
        lost = calls.count_lost(connection, row)
        closed = _settle_row(lost, settlement, packed, via, lost.cost)
        calls.settle(connection, row, closed)
        return calls.record(closed)

    def _pack(self, settlement: Settlement) -> Packed | None:
        if settlement.response is None:
            return None
        return self._memory.packed(settlement.response) or Packed.of(settlement.response)


def _insert_or_find(connection: Connection, lease: Lease, fresh: CallRow) -> CallRow | None:
    """Insert a row, or return the one that stands for its key.

    A new attempt retries what failed, and nothing else (rule f).
    """
    # A first attempt has no older rows: the insert itself finds what is there.
    first = lease.attempt == 1
    row = None if first else calls.best(calls.rows_of_key(connection, fresh.run_id, fresh.key))
    retried = row is not None and row.outcome == "failed" and row.attempt < lease.attempt
    if row is not None and not retried:
        return row
    if calls.insert(connection, fresh):
        return None
    return must(calls.best(calls.rows_of_key(connection, fresh.run_id, fresh.key)))


def _reserve(
    connection: Connection, row: CallRow, intent: Intent, state: Literal["go", "again"]
) -> Begun:
    """Reserve for a row that is written; a refusal is its outcome.

    A free quota decides what the call will have cost; it refuses nothing, and it opens nothing:
    others may use the same key, so a budget has room for what the vendor bills if we miscount.
    """
    refusal = budget.reserve(connection, intent.caps, intent.estimate)
    if refusal is None:
        free = intent.free if intent.estimate > 0 else None
        # The amount stays reserved in the paid scopes, too, which were taken before in their order.
        if free is not None and budget.reserve(connection, [free], intent.estimate) is None:
            covered = row._replace(scopes=text([*parse(row.scopes), free.scope]))
            calls.reopen(connection, row, covered)
            row = covered
        return Begun(state=state, record=calls.record(row, request=intent.request))
    error = CallError.of(refusal)
    refused = row._replace(
        outcome="failed",
        repeated=max(row.repeated - 1, 0),  # it was not sent again after all
        error=text(error.model_dump(mode="json")),
        finished_at=to_us(intent.at),
    )
    calls.settle(connection, row, refused)
    return Begun(state="refused", record=calls.record(refused))


def _settle_row(
    row: CallRow, settlement: Settlement, packed: Packed | None, via: Via, cost: int
) -> CallRow:
    # An answer has no error of its own: the column holds what its retries overcame.
    error = settlement.error or settlement.overcome
    return row._replace(
        outcome=settlement.outcome,
        response=None if packed is None else packed.data,
        error=None if error is None else text(error.model_dump(mode="json")),
        via=via,
        cost=cost,
        latency_ms=settlement.latency_ms,
        tries=settlement.tries,
        finished_at=to_us(settlement.at),
    )


def _written_record(
    row: CallRow, packed: Packed | None, request: JsonObject | None = None
) -> CallRecord:
    """Return the record of a row just written, without unpacking its parts again."""
    return calls.record(row, request=request, response=None if packed is None else packed.value)


def _share(connection: Connection, settlement: Settlement, packed: Packed | None) -> _Shared | None:
    """Cache an answer for other runs; failures are never shared."""
    key, until = settlement.cache_key, settlement.cache_until
    if packed is None or settlement.outcome != "ok" or key is None or until is None:
        return None
    stored_at = settlement.cache_from or settlement.at
    entry = CacheEntry(key=key, response=packed.value, stored_at=stored_at, expires_at=until)
    cache.put(connection, entry, packed)
    return entry, packed
