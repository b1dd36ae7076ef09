"""Signal rows as values, and what outcomes say of who told them."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import ValidationError

from groundwire.errors import CorruptStore
from groundwire.model.history import JudgedEvent, JudgedEventRow
from groundwire.model.outcome import SourceRecord
from groundwire.model.phrase import phrase
from groundwire.store import schema
from groundwire.store.payload import unpack
from groundwire.store.statement import Row
from groundwire.store.table import Rows

_signals = schema.signals
_ROWS = Rows(
    JudgedEventRow,
    [
        _signals.c.id.label("run_id"),
        _signals.c.at,
        _signals.c.content,
        _signals.c.outcome,
        _signals.c.labelled_at,
        _signals.c.labelled_by,
        _signals.c.note,
    ],
)
ROW = _ROWS.columns


def judged_event_of(run_id: str, content: bytes) -> JudgedEvent:
    """Return what a run left in the memory of events."""
    try:
        return JudgedEvent.model_validate(unpack(content))
    except ValidationError as error:
        raise _unreadable(run_id) from error


def signal_of(row: Row) -> JudgedEventRow:
    """Return a signal as it is kept, with what is known of how it ended."""
    fields = _ROWS.fields(row)
    told = {**fields.pop("content"), **{name: each for name, each in fields.items() if each}}
    try:
        return JudgedEventRow.model_validate(told)
    except ValidationError as error:
        raise _unreadable(row[0]) from error


def _unreadable(run_id: str) -> CorruptStore:
    return CorruptStore("error.stored_unreadable", what=phrase("stored.signal", run=run_id))


def newest(rows: Sequence[Row]) -> list[Row]:
    """Of each run the last word."""
    return list({row[0]: row for row in rows}.values())


def records_of(judged: Sequence[tuple[JudgedEvent, str]]) -> list[SourceRecord]:
    counts: dict[tuple[str, str], dict[str, int]] = {}

    def count(kind: str, source: str, column: str) -> None:
        here = counts.setdefault((kind, source), {"hits": 0, "misses": 0, "partly": 0})
        here[column] += 1

    for landing, outcome in judged:
        if landing.source:
            count("message", landing.source, _right(outcome, supports=True))
        stances = {(each.domain, each.stance): None for each in landing.evidence if each.domain}
        for domain, stance in stances:
            if stance in ("supports", "contradicts"):
                count("publisher", domain, _right(outcome, supports=stance == "supports"))
    found = [
        SourceRecord.model_validate({"source": source, "kind": kind, **tally})
        for (kind, source), tally in counts.items()
    ]
    return sorted(
        found, key=lambda each: (-(each.hits + each.misses + each.partly), each.kind, each.source)
    )


def _right(outcome: str, *, supports: bool) -> str:
    if outcome == "partly":
        return "partly"
    return "hits" if (outcome == "true") == supports else "misses"
