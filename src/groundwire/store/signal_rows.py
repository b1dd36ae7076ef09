"""Signal rows as values, and the track records of sources by their outcomes."""

from __future__ import annotations

from collections import Counter, defaultdict
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
# What people say of an outcome.
LABEL = ("outcome", "labelled_at", "labelled_by", "note")
_ROWS = Rows(
    JudgedEventRow, [_signals.c.id.label("run_id"), *_signals.c[("at", "content", *LABEL)]]
)
ROW = _ROWS.columns


def judged_event_of(run_id: str, content: bytes) -> JudgedEvent:
    """Read the judged event that a run left."""
    try:
        return JudgedEvent.model_validate(unpack(content))
    except ValidationError as error:
        raise _unreadable(run_id) from error


def signal_of(row: Row) -> JudgedEventRow:
    """Read a signal row, with what is known of its outcome."""
    fields = _ROWS.fields(row)
    values = {**fields.pop("content"), **{name: each for name, each in fields.items() if each}}
    try:
        return JudgedEventRow.model_validate(values)
    except ValidationError as error:
        raise _unreadable(row[0]) from error


def _unreadable(run_id: str) -> CorruptStore:
    return CorruptStore("error.stored_unreadable", what=phrase("stored.signal", run=run_id))


def records_of(judged: Sequence[tuple[JudgedEvent, str]]) -> list[SourceRecord]:
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for event, outcome in judged:
        if event.source:
            counts["message", event.source][_result(outcome, supports=True)] += 1
        stances = {(each.domain, each.stance): None for each in event.evidence if each.domain}
        for domain, stance in stances:
            if stance in ("supports", "contradicts"):
                result = _result(outcome, supports=stance == "supports")
                counts["publisher", domain][result] += 1
    found = [
        SourceRecord.model_validate({"source": source, "kind": kind, **tally})
        for (kind, source), tally in counts.items()
    ]
    return sorted(
        found, key=lambda each: (-(each.hits + each.misses + each.partly), each.kind, each.source)
    )


def _result(outcome: str, *, supports: bool) -> str:
    if outcome == "partly":
        return "partly"
    return "hits" if (outcome == "true") == supports else "misses"
