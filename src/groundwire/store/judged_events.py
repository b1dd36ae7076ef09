"""Writes what a judged event leaves: its row, its words and the run of its message."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

from sqlalchemy import bindparam, delete, select, update

from groundwire.evidence.memory.dedup import similarity
from groundwire.model.history import JudgedEvent
from groundwire.store import bm25, messages, schema
from groundwire.store.fulltext import SIGNALS, fulltext_of
from groundwire.store.payload import pack, to_us
from groundwire.store.signal_rows import LABEL, judged_event_of
from groundwire.store.signals import asset_key
from groundwire.store.statement import Connection, Statement
from groundwire.store.table import put
from groundwire.words import kept

_signals = schema.signals
_FIELDS = ("event_type", "path", "score", "message_id")
_CLOCK = Statement(select(schema.runs.c.now).where(schema.runs.c.id == bindparam("of_id")))
# A person's label stays when another attempt of the run judges the event again.
_PUT = put(_signals, ["id"], _signals.c.num, kept=LABEL)
_NUM = Statement(select(_signals.c.num).where(_signals.c.id == bindparam("of_id")))
_FIRST = Statement(select(_signals.c.content).where(_signals.c.id == bindparam("of_id")))
_SET_RUN = Statement(
    update(schema.messages)
    .where(schema.messages.c.id == bindparam("of_id"), schema.messages.c.run_id.is_(None))
    .values(run_id=bindparam("to_run"))
)
_DROP = Statement(delete(_signals).where(_signals.c.id == bindparam("of_id")))


def prepare_event(judged: JudgedEvent, at: datetime) -> Callable[[Connection, str], None]:
    """Cut an event's words and return the function that writes it."""
    return partial(_write, judged, _entry(judged), at)


def _entry(judged: JudgedEvent) -> bm25.IndexEntry | None:
    """Build the index entry of an event; a repetition is found by its first."""
    if judged.path == "duplicate":
        return None
    about = " ".join(dict.fromkeys((judged.asset, judged.asset_name, *judged.assets)))
    return bm25.entry("", "\n".join((judged.text, judged.summary, about, *judged.keywords)))


def _write(
    judged: JudgedEvent,
    entry: bm25.IndexEntry | None,
    at: datetime,
    connection: Connection,
    run_id: str,
) -> None:
    """Write what an event leaves; doing it again for the same run changes nothing."""
    values = {
        **dict.fromkeys(LABEL),
        **{name: getattr(judged, name) for name in _FIELDS},
        "id": run_id,
        "at": connection.cell(_CLOCK, {"of_id": run_id}) or to_us(at),
        "asset_key": asset_key(judged.asset),
        "content": pack(judged.model_dump(mode="json")),
    }
    num = connection.cell(_PUT, values)
    connection.change(_SET_RUN, {"of_id": judged.message_id, "to_run": run_id})
    if judged.duplicate_of is not None:
        _attach(connection, judged, judged.duplicate_of)
    _index(connection, num, entry)


def _attach(connection: Connection, judged: JudgedEvent, first_run: str) -> None:
    """Make the message a sighting of the one that reported the event first."""
    content = connection.cell(_FIRST, {"of_id": first_run})
    if content is None:  # forgotten since
        return
    first = judged_event_of(first_run, content)
    alike = similarity(first.text, judged.text)
    why = kept("sighting.event", run=first_run, alike=round(alike, 2))
    messages.attach(connection, judged.message_id, first.message_id, alike, why)


def remove_of_run(connection: Connection, run_id: str) -> None:
    """Forget the signal of a run, and its message."""
    messages.remove_of_run(connection, run_id)
    num = connection.cell(_NUM, {"of_id": run_id})
    if num is not None:
        _index(connection, num, None)
        connection.change(_DROP, {"of_id": run_id})


def _index(connection: Connection, num: int, entry: bm25.IndexEntry | None) -> None:
    """Replace the indexed words of a signal."""
    fulltext = fulltext_of(connection.dialect, SIGNALS)
    before = fulltext.take_out(connection, [num])
    after = fulltext.put_in(connection, [] if entry is None else [(num, entry)])
    fulltext.count(connection, before, after)
