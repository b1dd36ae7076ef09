"""The rows of the ledger: the statements on `calls`, and rows as records."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from pydantic import ValidationError
from sqlalchemy import (
    BigInteger,
    and_,
    bindparam,
    case,
    delete,
    func,
    literal_column,
    select,
    update,
)

from groundwire.errors import CorruptStore
from groundwire.model.base import JsonObject
from groundwire.model.call import (
    CallError,
    CallKind,
    CallLine,
    CallRecord,
    DayOfCalls,
    Intent,
    LastCall,
    Lease,
)
from groundwire.model.phrase import phrase
from groundwire.store import budget, schema
from groundwire.store.payload import (
    DAY_US,
    from_us,
    from_us_or_none,
    pack,
    parse,
    text,
    to_us,
    unpack,
)
from groundwire.store.statement import Connection, Row, Statement
from groundwire.store.table import DatabaseTable, reads

_calls = schema.calls
_runs = schema.runs


class CallRow(NamedTuple):
    """A row of `calls`; fields with defaults are unknown until the call is settled."""

    run_id: str
    key: str
    attempt: int
    kind: str
    provider: str
    occasion: str
    request: bytes
    estimate: int
    scopes: str
    started_at: int
    outcome: str = "intent"
    response: bytes | None = None
    error: str | None = None
    via: str = "sent"
    cost: int = 0
    latency_ms: int = 0
    tries: int = 0
    repeated: int = 0
    finished_at: int | None = None


_all = select(*[_calls.c[name] for name in CallRow._fields]).where(
    _calls.c.run_id == bindparam("run_id")
)
_NEWEST_FIRST = Statement(
    _all.where(_calls.c.key == bindparam("key")).order_by(_calls.c.attempt.desc())
)
_OF_RUN = Statement(_all.order_by(_calls.c.key, _calls.c.attempt))
_LINE = ("kind", "provider", "outcome", "via", "latency_ms", "repeated")
_LINES = Statement(
    select(
        *(_calls.c[name] for name in _LINE),
        _calls.c.cost + case((_calls.c.outcome == "intent", _calls.c.estimate), else_=0),
        # Only models' requests are needed.
        case((_calls.c.kind == "model", _calls.c.request)),
    )
    .where(_calls.c.run_id == bindparam("run_id"), _calls.c.kind != "read")
    .order_by(_calls.c.started_at, _calls.c.key, _calls.c.attempt)
)
_DANGLING = Statement(_all.where(_calls.c.outcome == "intent").order_by(_calls.c.key))
_INSERT = Statement(lambda dialect: dialect.insert(_calls).on_conflict_do_nothing())
_DELETE = Statement(delete(_calls).where(_calls.c.run_id == bindparam("run_id")))

BY_KEY = (
    _calls.c.run_id == bindparam("at_run_id"),
    _calls.c.key == bindparam("at_key"),
    _calls.c.attempt == bindparam("at_attempt"),
)
_SETTLED = (
    "outcome", "response", "error", "via", "cost", "latency_ms", "tries", "repeated", "finished_at",
)  # fmt: skip
_REOPENED = ("attempt", "estimate", "cost", "repeated", "scopes", "started_at")
_SETTLE, _REOPEN = (
    Statement(update(_calls).where(*BY_KEY).values({name: bindparam(name) for name in names}))
    for names in (_SETTLED, _REOPENED)
)

# Calls that were sent, of the runs since a moment: found by the runs' index and the rows' own key,
# so that a ledger of years is not read for a week. A call that was refused here was never tried.
_sent = and_(
    _runs.c.created_at >= bindparam("since"),
    _calls.c.kind == bindparam("kind"),
    _calls.c.via == "sent",
    _calls.c.outcome != "intent",
    _calls.c.tries > 0,
)
_of_runs = _runs.join(_calls, _runs.c.id == _calls.c.run_id)
# A literal: PostgreSQL does not take two parameters of one value for the same expression.
_day_us = literal_column(str(DAY_US), BigInteger)
day_of_call = (_calls.c.started_at - _calls.c.started_at % _day_us).label("day")
_DAYS = Statement(
    select(
        _calls.c.provider,
        day_of_call,
        func.sum(case((_calls.c.outcome == "ok", 1), else_=0)),
        func.count(),
    )
    .select_from(_of_runs)
    .where(_sent)
    .group_by(_calls.c.provider, day_of_call)
    .order_by(_calls.c.provider, day_of_call)
)
_rank = func.row_number().over(
    partition_by=_calls.c.provider,
    order_by=(_calls.c.started_at.desc(), _calls.c.run_id, _calls.c.key),
)
_ranked = (
    select(
        _calls.c.provider, _calls.c.finished_at, _calls.c.started_at, _calls.c.error,
        _calls.c.outcome, _rank.label("rank"),
    )
    .select_from(_of_runs)
    .where(_sent)
    .subquery()
)  # fmt: skip
_NEWEST = Statement(
    select(
        _ranked.c.provider,
        func.coalesce(_ranked.c.finished_at, _ranked.c.started_at),
        case((_ranked.c.outcome == "failed", _ranked.c.error)),
    )
    .where(_ranked.c.rank == 1)
    .order_by(_ranked.c.provider)
)


class CallHistory(DatabaseTable):
    """What the record of calls says beyond the calls themselves. Implements `ports.History`."""

    @reads
    def lines(self, connection: Connection, run_id: str) -> Sequence[CallLine]:
        """Return the outside calls of a run in the order they began, without their answers."""
        return [_line(row) for row in connection.all(_LINES, {"run_id": run_id})]

    @reads
    def days(self, connection: Connection, kind: CallKind, since: datetime) -> Sequence[DayOfCalls]:
        """Return how providers answered, by day, in the runs created since then."""
        rows = connection.all(_DAYS, {"kind": kind, "since": to_us(since)})
        return [
            DayOfCalls(provider=name, day=from_us(day).date(), answered=int(good), made=int(made))
            for name, day, good, made in rows
        ]

    @reads
    def newest(self, connection: Connection, kind: CallKind, since: datetime) -> Sequence[LastCall]:
        rows = connection.all(_NEWEST, {"kind": kind, "since": to_us(since)})
        return [
            LastCall(
                provider=provider,
                at=from_us(at),
                error=None if error is None else CallError.model_validate(parse(error)),
            )
            for provider, at, error in rows
        ]


def rows_of_key(connection: Connection, run_id: str, key: str) -> list[CallRow]:
    """Return every attempt's row for a key, newest first."""
    rows = connection.all(_NEWEST_FIRST, {"run_id": run_id, "key": key})
    return [CallRow(*row) for row in rows]


def rows_of_run(connection: Connection, run_id: str) -> list[CallRow]:
    return [CallRow(*row) for row in connection.all(_OF_RUN, {"run_id": run_id})]


def _line(row: Row) -> CallLine:
    *cells, micro, request = row
    body: JsonObject = unpack(request) if request else {}
    prompt = str(body.get("prompt", "")).partition("@")[0]
    return CallLine(**dict(zip(_LINE, cells, strict=True)), prompt=prompt, micro=micro)


def best(rows: Sequence[CallRow]) -> CallRow | None:
    """Return the newest row, or an older one if only that has the answer: no answer is lost."""
    return next((row for row in rows if row.outcome == "ok"), rows[0] if rows else None)


def new_row(lease: Lease, intent: Intent) -> CallRow:
    """Build the row of an intent that has no outcome yet.

    Without caps its estimate is not held back: it says what the answer would have cost.
    """
    return CallRow(
        run_id=lease.run_id,
        key=intent.key,
        attempt=lease.attempt,
        kind=intent.kind,
        provider=intent.provider,
        occasion=intent.occasion,
        request=pack(intent.request),
        estimate=intent.estimate,
        scopes=text([cap.scope for cap in intent.caps]),
        started_at=to_us(intent.at),
    )


def insert(connection: Connection, row: CallRow) -> bool:
    """Insert a row; False: it is there already."""
    return connection.change(_INSERT, row._asdict()) == 1


def settle(connection: Connection, old: CallRow, new: CallRow) -> None:
    """Write the outcome of a row."""
    connection.change(_SETTLE, _changes(old, new, _SETTLED))


def reopen(connection: Connection, old: CallRow, new: CallRow) -> None:
    """Make a dangling intent the intent of this attempt."""
    connection.change(_REOPEN, _changes(old, new, _REOPENED))


def count_lost(connection: Connection, row: CallRow) -> CallRow:
    """Count an intent whose answer was lost as spent at its estimate (rule e)."""
    scopes: list[str] = parse(row.scopes)
    budget.settle(connection, scopes, freed=row.estimate, paid=row.estimate)
    return row._replace(cost=row.cost + (0 if budget.is_free(scopes) else row.estimate))


def delete_run(connection: Connection, run_id: str) -> None:
    """Remove a run's rows; what its open intents had reserved counts as spent."""
    for row in connection.all(_DANGLING, {"run_id": run_id}):
        count_lost(connection, CallRow(*row))
    connection.change(_DELETE, {"run_id": run_id})


def _changes(old: CallRow, new: CallRow, names: Sequence[str]) -> dict[str, Any]:
    values: dict[str, Any] = {name: getattr(new, name) for name in names}
    values["at_run_id"], values["at_key"], values["at_attempt"] = old[:3]
    return values


def record(
    row: CallRow, *, request: JsonObject | None = None, response: JsonObject | None = None
) -> CallRecord:
    """Convert a row to a record; parts that the caller passes are not unpacked again."""
    if response is None and row.response is not None:
        response = unpack(row.response)
    error_field = "overcome" if row.outcome == "ok" else "error"
    try:
        values = row._asdict()
        del values["scopes"], values["error"]
        values |= {
            "request": unpack(row.request) if request is None else request,
            "response": response,
            error_field: None if row.error is None else parse(row.error),
            "started_at": from_us(row.started_at),
            "finished_at": from_us_or_none(row.finished_at),
        }
        return CallRecord.model_validate(values)
    except ValidationError as error:
        raise CorruptStore(
            "error.stored_unreadable", what=phrase("stored.call", id=row.key[:12], run=row.run_id)
        ) from error
