"""The end of a run: whatever it leaves, written in one transaction."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import BigInteger, bindparam, null, update

from groundwire.errors import IllegalState
from groundwire.model.ending import Ending
from groundwire.model.event import Event
from groundwire.model.run import Run
from groundwire.store import beliefs, journal, outbox, schedules, schema, wakeups
from groundwire.store.payload import pack, to_us
from groundwire.store.statement import Connection, Statement, must

Extras = Callable[[Connection, str], None]  # writes what a run leaves beside its own row

_runs = schema.runs
_now = bindparam("at_now", type_=BigInteger())
_WRITTEN = ("state", "result", "digest", "error", "last_seq")
_FINISH = Statement(
    update(_runs)
    .where(_runs.c.id == bindparam("run_id"))
    .values(
        **{name: bindparam(f"to_{name}") for name in _WRITTEN},
        **dict.fromkeys(("lease_owner", "lease_until", "waiting", "waiting_until"), null()),
        updated_at=_now,
        finished_at=_now,
    )
)


def prepare(ending: Ending) -> Extras:
    """Prepare what an ending leaves, before the transaction: cutting words takes longest."""
    if not ending.finished:
        raise IllegalState(f"A run cannot finish as {ending.state}.")
    if ending.event is None:
        return lambda _connection, _run_id: None
    from groundwire.store.judged_events import prepare_event  # deferred: it cuts text

    return prepare_event(ending.event, ending.at)


def write(
    connection: Connection, run_id: str, attempt: int, last_seq: int, ending: Ending, extras: Extras
) -> Event:
    """Write all of an ending and return its closing event; the caller holds the run's row."""
    if ending.lessons:
        learned_at = ending.learned_at or ending.at
        beliefs.learn(connection, run_id, attempt, ending.lessons, learned_at)
    extras(connection, run_id)
    outbox.put(connection, ending.parcels)
    if ending.told:
        schedules.note_told(connection, run_id)
    closing = ending.closing(run_id, attempt)
    new = journal.number(connection, run_id, last_seq, [*ending.drafts, closing], ending.at)
    event = new[-1] if new and new[-1].key == closing.key else None
    event = event or must(journal.find(connection, run_id, closing.key))
    connection.change(
        _FINISH,
        {
            "run_id": run_id,
            "to_state": ending.state,
            "to_result": None if ending.result is None else pack(ending.result),
            "to_digest": ending.digest,
            "to_error": ending.error,
            "to_last_seq": max(last_seq + len(new), event.seq),
            "at_now": to_us(ending.at),
        },
    )
    wakeups.drop(connection, run_id)
    wakeups.tell(connection, wakeups.ENDS, run_id)
    return event


def close(connection: Connection, run: Run, ending: Ending) -> None:
    """Write the ending of a run that nobody executes; the caller holds its row."""
    write(connection, run.id, run.attempt, run.last_seq, ending, prepare(ending))
