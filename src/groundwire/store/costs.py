"""What calls cost, summed up by the database: by day, job, kind, provider and way."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from pydantic import ValidationError
from sqlalchemy import BigInteger, and_, bindparam, case, func, or_, select
from sqlalchemy.sql import ColumnElement

from groundwire.errors import CorruptStore
from groundwire.model.costs import CostLine, OwnerLine, Rolled
from groundwire.model.history import JudgedEvent
from groundwire.model.phrase import phrase
from groundwire.store import schema
from groundwire.store.budget import FREE
from groundwire.store.calls import day_of_call
from groundwire.store.database import Database
from groundwire.store.payload import from_us, to_us, unpack
from groundwire.store.statement import Connection, Row, Statement

_calls, _runs, _signals = schema.calls, schema.runs, schema.signals

# Calls are found by their runs, which have an index by time: a run calls soon after it was made.
# What a person's resume calls weeks later is in the budgets' sums, not in these.
_LATE = timedelta(days=7)

_shared = and_(or_(_calls.c.via == "cache", _calls.c.via == "joined"), _calls.c.outcome == "ok")
_open = _calls.c.outcome == "intent"
_sent = and_(_calls.c.via == "sent", or_(_open, _calls.c.tries > 0))
_covered = _calls.c.scopes.contains(f'"{FREE}', autoescape=True)


def _sum(condition: ColumnElement[bool], value: ColumnElement[int] | int = 1) -> ColumnElement[int]:
    return func.coalesce(func.sum(case((condition, value), else_=0)), 0)


_when = and_(
    _runs.c.created_at >= bindparam("runs_since", type_=BigInteger()),
    _runs.c.created_at < bindparam("until", type_=BigInteger()),
    _calls.c.started_at >= bindparam("since", type_=BigInteger()),
    _calls.c.started_at < bindparam("until", type_=BigInteger()),
)
_alike = (day_of_call, _runs.c.kind, _calls.c.kind, _calls.c.provider, _calls.c.via)
_spent = _sum(_calls.c.cost >= 0, _calls.c.cost) + _sum(and_(_open, ~_covered), _calls.c.estimate)
_LINES = Statement(
    select(
        *_alike,
        func.count(),
        _sum(_calls.c.outcome == "failed"),
        _spent,
        _sum(_open),
        _sum(and_(_sent, _covered)),
        _sum(_shared, _calls.c.estimate),
    )
    .select_from(_runs.join(_calls, _runs.c.id == _calls.c.run_id))
    .where(_when, _calls.c.kind != "read", or_(_sent, _shared))
    .group_by(*_alike)
    .order_by(*_alike)
)
_OWNERS = Statement(
    select(_runs.c.owner, func.count(_runs.c.id.distinct()), func.count(), _spent)
    .select_from(_runs.join(_calls, _runs.c.id == _calls.c.run_id))
    .where(_when, _calls.c.kind != "read", _sent)
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


class CostTable:
    """Implements `ports.Costs`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def lines(self, since: datetime, until: datetime) -> Sequence[CostLine]:
        span = {**_span(since, until), "runs_since": to_us(since - _LATE)}

        def look(connection: Connection) -> list[CostLine]:
            return [_line(row) for row in connection.all(_LINES, span)]

        return await self._database.read(look)

    async def owners(self, since: datetime, until: datetime) -> Sequence[OwnerLine]:
        span = {**_span(since, until), "runs_since": to_us(since - _LATE)}

        def look(connection: Connection) -> list[OwnerLine]:
            rows = connection.all(_OWNERS, span)
            return [
                OwnerLine(owner=owner, runs=int(runs), calls=int(calls), micro=int(micro))
                for owner, runs, calls, micro in rows
            ]

        return await self._database.read(look)

    async def rolled(self, since: datetime, until: datetime) -> Sequence[Rolled]:
        def look(connection: Connection) -> list[Rolled]:
            return [_rolled(row) for row in connection.all(_ROLLED, _span(since, until))]

        return await self._database.read(look)


def _span(since: datetime, until: datetime) -> dict[str, int]:
    return {"since": to_us(since), "until": to_us(until)}


def _line(row: Row) -> CostLine:
    day, job, kind, provider, via, *counts = row
    calls, failed, micro, unsettled, covered, saved = map(int, counts)
    return CostLine(
        day=from_us(int(day)).date(),
        job=job,
        kind=kind,
        provider=provider,
        via=via,
        calls=calls,
        failed=failed,
        micro=micro,
        unsettled=unsettled,
        covered=covered,
        saved=saved,
    )


def _rolled(row: Row) -> Rolled:
    run_id, at, content, outcome, calls, micro = row
    try:
        landing = JudgedEvent.model_validate(unpack(content))
    except ValidationError as error:
        raise CorruptStore(
            "error.stored_unreadable", what=phrase("stored.signal", run=run_id)
        ) from error
    return Rolled(
        run_id=run_id,
        at=from_us(at),
        path=landing.path,
        rolled_in=landing.rolled_in,
        preliminary=landing.preliminary,
        confidence=landing.confidence,
        verdict=landing.verdict,
        outcome=outcome,
        tool_calls=landing.tool_calls,
        calls=int(calls),
        micro=int(micro),
    )
