"""What calls cost, summed up by the database: by day, job, kind, provider and way."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import BigInteger, and_, bindparam, case, func, or_, select
from sqlalchemy.sql import ColumnElement

from groundwire.model.costs import CostLine, OwnerLine, Rolled
from groundwire.store import schema
from groundwire.store.budget import FREE
from groundwire.store.calls import day_of_call
from groundwire.store.payload import from_us, to_us
from groundwire.store.signal_rows import judged_event_of
from groundwire.store.statement import Connection, Row, Statement
from groundwire.store.table import DatabaseTable, reads

_calls, _runs, _signals = schema.calls, schema.runs, schema.signals

# Calls are found by their runs, which have an index by time: a run calls soon after it was made.
# What a person's resume calls weeks later is in the budgets' sums, not in these.
_LATE = timedelta(days=7)
_COUNTED = tuple(CostLine.model_fields)[1:]  # all but the day
_JUDGED = ("path", "rolled_in", "preliminary", "confidence", "verdict", "tool_calls")

_shared = and_(or_(_calls.c.via == "cache", _calls.c.via == "joined"), _calls.c.outcome == "ok")
_open = _calls.c.outcome == "intent"
_sent = and_(_calls.c.via == "sent", or_(_open, _calls.c.tries > 0))
_covered = _calls.c.scopes.contains(f'"{FREE}', autoescape=True)


def _sum(condition: ColumnElement[bool], value: ColumnElement[int] | int = 1) -> ColumnElement[int]:
    return func.coalesce(func.sum(case((condition, value), else_=0)), 0)


_in_span = and_(
    _runs.c.created_at >= bindparam("runs_since", type_=BigInteger()),
    _runs.c.created_at < bindparam("until", type_=BigInteger()),
    _calls.c.started_at >= bindparam("since", type_=BigInteger()),
    _calls.c.started_at < bindparam("until", type_=BigInteger()),
)
_grouping = (day_of_call, _runs.c.kind, _calls.c.kind, _calls.c.provider, _calls.c.via)
_spent = _sum(_calls.c.cost >= 0, _calls.c.cost) + _sum(and_(_open, ~_covered), _calls.c.estimate)
_LINES = Statement(
    select(
        *_grouping,
        func.count(),
        _sum(_calls.c.outcome == "failed"),
        _spent,
        _sum(_open),
        _sum(and_(_sent, _covered)),
        _sum(_shared, _calls.c.estimate),
    )
    .select_from(_runs.join(_calls, _runs.c.id == _calls.c.run_id))
    .where(_in_span, _calls.c.kind != "read", or_(_sent, _shared))
    .group_by(*_grouping)
    .order_by(*_grouping)
)
_OWNERS = Statement(
    select(_runs.c.owner, func.count(_runs.c.id.distinct()), func.count(), _spent)
    .select_from(_runs.join(_calls, _runs.c.id == _calls.c.run_id))
    .where(_in_span, _calls.c.kind != "read", _sent)
    .group_by(_runs.c.owner)
    .order_by(_spent.desc(), _runs.c.owner)
)
_of_signal = and_(_calls.c.run_id == _signals.c.id, _calls.c.kind != "read", _sent)
_ROLLED = Statement(
    select(
        _signals.c.id,
        _signals.c.at,
        _signals.c.content,
        _signals.c.outcome,
        select(func.count()).select_from(_calls).where(_of_signal).scalar_subquery(),
        select(func.coalesce(func.sum(_calls.c.cost), 0)).where(_of_signal).scalar_subquery(),
    )
    .where(
        _signals.c.at >= bindparam("since", type_=BigInteger()),
        _signals.c.at < bindparam("until", type_=BigInteger()),
        _signals.c.path != "duplicate",
    )
    .order_by(_signals.c.at, _signals.c.num)
)


class CostTable(DatabaseTable):
    """What the store knows of money, over all runs. Times are from, inclusive, to, exclusive."""

    @reads
    def lines(self, connection: Connection, since: datetime, until: datetime) -> Sequence[CostLine]:
        """Return what calls cost, by day, job, kind, provider and way, in that order."""
        return [
            CostLine(day=from_us(int(day)).date(), **dict(zip(_COUNTED, rest, strict=True)))
            for day, *rest in connection.all(_LINES, _span(since, until))
        ]

    @reads
    def owners(
        self, connection: Connection, since: datetime, until: datetime
    ) -> Sequence[OwnerLine]:
        """Return what each owner's runs sent and spent, the dearest first."""
        return [
            OwnerLine(owner=owner, runs=int(runs), calls=int(calls), micro=int(micro))
            for owner, runs, calls, micro in connection.all(_OWNERS, _span(since, until))
        ]

    @reads
    def rolled(self, connection: Connection, since: datetime, until: datetime) -> Sequence[Rolled]:
        """Return the messages that became signals, duplicates apart, by time."""
        return [_rolled(row) for row in connection.all(_ROLLED, _span(since, until))]


def _span(since: datetime, until: datetime) -> dict[str, int]:
    return {"since": to_us(since), "until": to_us(until), "runs_since": to_us(since - _LATE)}


def _rolled(row: Row) -> Rolled:
    run_id, at, content, outcome, calls, micro = row
    judged = judged_event_of(run_id, content)
    return Rolled(
        **{name: getattr(judged, name) for name in _JUDGED},
        run_id=run_id,
        at=from_us(at),
        outcome=outcome,
        calls=int(calls),
        micro=int(micro),
    )
