"""Who cites a stored page, found by the grounds of claims and the evidence of signals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import bindparam, select

from groundwire.model.base import JsonObject
from groundwire.model.citing import Citer, Resting
from groundwire.store import schema
from groundwire.store.database import Database
from groundwire.store.payload import from_us, parse, unpack
from groundwire.store.statement import Connection, Row, Statement

_grounds, _beliefs, _sightings = schema.grounds, schema.beliefs, schema.sightings
_runs, _signals = schema.runs, schema.signals
_LOOKED_THROUGH = 500  # signals whose evidence is looked at: it is in no index
_ABOUT = 200  # characters

_CLAIMS = Statement(
    select(
        _grounds.c.belief_id,
        _beliefs.c.text,
        _sightings.c.verdict,
        _grounds.c.quote,
        _grounds.c.quote_start,
        _grounds.c.quote_end,
        _sightings.c.learned_at,
        _grounds.c.run_id,
    )
    .join(_beliefs, _beliefs.c.id == _grounds.c.belief_id)
    .join(
        _sightings,
        (_sightings.c.belief_id == _grounds.c.belief_id)
        & (_sightings.c.run_id == _grounds.c.run_id)
        & (_sightings.c.attempt == _grounds.c.attempt),
    )
    .where(_grounds.c.document_id == bindparam("of_document"))
    .order_by(_sightings.c.learned_at.desc(), _grounds.c.belief_id, _grounds.c.quote_start)
    .limit(bindparam("count"))
)
_BY_GROUNDS = Statement(
    select(_grounds.c.run_id).where(_grounds.c.document_id == bindparam("of_document")).distinct()
)
_SIGNALS = Statement(
    select(_signals.c.id, _signals.c.content).order_by(_signals.c.at.desc()).limit(_LOOKED_THROUGH)
)
_RUN = Statement(
    select(_runs.c.id, _runs.c.kind, _runs.c.owner, _runs.c.input, _runs.c.created_at).where(
        _runs.c.id == bindparam("run_id")
    )
)


class CitationTable:
    """Implements `model.citing.Citations`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claims(self, document_id: str, limit: int = 100) -> Sequence[Resting]:
        values = {"of_document": document_id, "count": 10 * limit}
        rows = await self._database.read(lambda c: c.all(_CLAIMS, values))
        # Learned again and again from one passage: the last time stands for all.
        first = {(row[0], row[4]): row for row in reversed(rows)}
        return [_resting(row) for row in rows if first[row[0], row[4]] is row][:limit]

    async def runs(self, document_id: str, limit: int = 100) -> Sequence[Citer]:
        return await self._database.read(lambda c: _citers(c, document_id)[:limit])


def _resting(row: Row) -> Resting:
    claim_id, text, verdict, quote, start, end, learned, run_id = row
    return Resting(
        claim_id=claim_id,
        text=text,
        verdict=verdict,
        quote=quote,
        start=start,
        end=end,
        learned_at=from_us(learned),
        run_id=run_id,
    )


def _citers(connection: Connection, document_id: str) -> list[Citer]:
    ids = {row[0] for row in connection.all(_BY_GROUNDS, {"of_document": document_id})}
    ids |= set(_signals_with(connection, document_id))
    rows = [connection.one(_RUN, {"run_id": each}) for each in sorted(ids)]
    found = [_citer(row) for row in rows if row is not None]
    return sorted(found, key=lambda each: (each.at, each.run_id), reverse=True)


def _signals_with(connection: Connection, document_id: str) -> Iterable[str]:
    for run_id, content in connection.all(_SIGNALS, {}):
        evidence: list[JsonObject] = unpack(content).get("evidence", [])
        if any(each.get("document_id") == document_id for each in evidence):
            yield run_id


def _citer(row: Row) -> Citer:
    run_id, kind, owner, given, created = row
    texts = [value for value in parse(given).values() if isinstance(value, str)]
    return Citer(
        run_id=run_id,
        kind=kind,
        owner=owner,
        about=max(texts, key=len, default="")[:_ABOUT],
        at=from_us(created),
    )
