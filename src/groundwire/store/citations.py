"""Runs and claims that cite a stored page, found by claims' grounds and signals' evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import bindparam, select

from groundwire.model.base import JsonObject
from groundwire.model.claim import Citer, Resting
from groundwire.store import schema
from groundwire.store.beliefs import same_sighting
from groundwire.store.payload import from_us, parse, unpack
from groundwire.store.statement import Connection, Row, Statement
from groundwire.store.table import DatabaseTable, Rows, reads

_grounds, _beliefs, _sightings = schema.grounds, schema.beliefs, schema.sightings
_runs, _signals = schema.runs, schema.signals
_SEARCHED_SIGNALS = 500  # their evidence is in no index
_ABOUT = 200  # characters
_MOST = 100

_RESTING = Rows(
    Resting,
    [
        _grounds.c.belief_id.label("claim_id"),
        _beliefs.c.text,
        _sightings.c.verdict,
        _grounds.c.quote,
        _grounds.c.quote_start.label("start"),
        _grounds.c.quote_end.label("end"),
        _sightings.c.learned_at,
        _grounds.c.run_id,
    ],
)
_CLAIMS = Statement(
    select(*_RESTING.columns)
    .join_from(_grounds, _beliefs, _beliefs.c.id == _grounds.c.belief_id)
    .join(_sightings, same_sighting)
    .where(_grounds.c.document_id == bindparam("of_document"))
    .order_by(_sightings.c.learned_at.desc(), _grounds.c.belief_id, _grounds.c.quote_start)
    .limit(bindparam("count"))
)
_BY_GROUNDS = Statement(
    select(_grounds.c.run_id).where(_grounds.c.document_id == bindparam("of_document")).distinct()
)
_SIGNALS = Statement(
    select(_signals.c.id, _signals.c.content)
    .order_by(_signals.c.at.desc())
    .limit(_SEARCHED_SIGNALS)
)
_RUN = Statement(
    select(*_runs.c["id", "kind", "owner", "input", "created_at"]).where(
        _runs.c.id == bindparam("run_id")
    )
)


class CitationTable(DatabaseTable):
    """Who cites a stored page."""

    @reads
    def claims(self, connection: Connection, document_id: str) -> Sequence[Resting]:
        """Return the claims that rest on a page, last learned first; each passage once."""
        rows = connection.all(_CLAIMS, {"of_document": document_id, "count": 10 * _MOST})
        # Of a claim learned repeatedly from one passage, only the last time is shown.
        first = {(row[0], row[4]): row for row in reversed(rows)}
        return [_RESTING.value(row) for row in rows if first[row[0], row[4]] is row][:_MOST]

    @reads
    def runs(self, connection: Connection, document_id: str) -> Sequence[Citer]:
        """Return the runs that cite a page, newest first."""
        ids = set(connection.column(_BY_GROUNDS, {"of_document": document_id}))
        ids |= set(_signals_with(connection, document_id))
        runs = [connection.first(_RUN, {"run_id": each}, _citer) for each in sorted(ids)]
        found = sorted(filter(None, runs), key=lambda each: (each.at, each.run_id), reverse=True)
        return found[:_MOST]


def _signals_with(connection: Connection, document_id: str) -> Iterable[str]:
    for run_id, content in connection.all(_SIGNALS, {}):
        evidence: list[JsonObject] = unpack(content).get("evidence", [])
        if any(each.get("document_id") == document_id for each in evidence):
            yield run_id


def _citer(row: Row) -> Citer:
    run_id, kind, owner, run_input, created = row
    texts = [value for value in parse(run_input).values() if isinstance(value, str)]
    return Citer(
        run_id=run_id,
        kind=kind,
        owner=owner,
        about=max(texts, key=len, default="")[:_ABOUT],
        at=from_us(created),
    )
