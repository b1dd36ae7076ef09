"""The rows of memory: beliefs, sightings, grounds and doubts, which are only ever added."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

from sqlalchemy import and_, bindparam, func, select, update

from groundwire.model.base import short_id
from groundwire.model.memory import (
    Belief,
    ForgottenRival,
    Ground,
    Lesson,
    Remembered,
    Rivalry,
    Sighting,
    TrueSpan,
    Withdrawal,
)
from groundwire.store import schema
from groundwire.store.payload import clean, from_us, parse, text, to_us, to_us_or_none
from groundwire.store.statement import Connection, Row, Statement
from groundwire.store.table import Rows, add_new, columns_of

_beliefs, _sightings = schema.beliefs, schema.sightings
_grounds, _doubts = schema.grounds, schema.doubts
_MOST_GROUNDS = 200  # of a belief that is seen again every hour, the newest are enough
_FOR_EVER = 2**62


_BELIEFS = Rows(Belief, columns_of(_beliefs, *TrueSpan.model_fields), "stored.claim")
_GROUNDS = Rows(
    Ground,
    [
        *columns_of(
            _grounds, "belief_id", "run_id", "attempt", "place", "quote_start", "quote_end"
        ),
        _grounds.c.quote_start.label("start"),
        _grounds.c.quote_end.label("end"),
    ],
)
_SIGHTINGS = Rows(Sighting, columns_of(_sightings, "belief_id", "settled"))
_SPANS = Rows(TrueSpan, [_beliefs.c[name] for name in TrueSpan.model_fields])
_ADD_BELIEF = add_new(_beliefs, ["id"])
_ADD_SIGHTING = add_new(_sightings, ["belief_id", "run_id", "attempt"])
_ADD_GROUND = add_new(_grounds, ["belief_id", "run_id", "attempt", "place"])
_ADD_DOUBT = add_new(_doubts, ["id"])
_KIND = Statement(select(schema.runs.c.kind).where(schema.runs.c.id == bindparam("run_id")))

_GET = Statement(select(*_BELIEFS.columns, *_SPANS.columns).where(_beliefs.c.id == bindparam("id")))
PREFIXED = Statement(
    select(_beliefs.c.id)
    .where(_beliefs.c.id >= bindparam("low"), _beliefs.c.id < bindparam("high"))
    .order_by(_beliefs.c.id)
    .limit(10)
)
_ABOUT = Statement(
    select(_beliefs.c.num)
    .join(_sightings, _sightings.c.belief_id == _beliefs.c.id)
    .where(
        _beliefs.c.subject_key == bindparam("subject_key"),
        _sightings.c.learned_at <= bindparam("until"),
    )
    .group_by(_beliefs.c.num)
    .order_by(func.max(_sightings.c.learned_at).desc(), _beliefs.c.num)
    .limit(bindparam("count"))
)
_OF_BELIEF = Statement(
    select(*_SIGHTINGS.columns)
    .where(_sightings.c.belief_id == bindparam("id"))
    .order_by(_sightings.c.learned_at, _sightings.c.run_id, _sightings.c.attempt)
)
same_sighting = and_(
    _sightings.c.belief_id == _grounds.c.belief_id,
    _sightings.c.run_id == _grounds.c.run_id,
    _sightings.c.attempt == _grounds.c.attempt,
)
_GROUNDS_OF = Statement(
    select(_grounds.c.run_id, _grounds.c.attempt, *_GROUNDS.columns)
    .join(_sightings, same_sighting)
    .where(_grounds.c.belief_id == bindparam("id"))
    .order_by(
        _sightings.c.learned_at.desc(), _grounds.c.run_id, _grounds.c.attempt, _grounds.c.place
    )
    .limit(_MOST_GROUNDS)
)
_DOUBTS_OF = Statement(
    select(_doubts)
    .where(_doubts.c.belief_id == bindparam("id"))
    .order_by(_doubts.c.at, _doubts.c.id)
)
# In order of learning, so that what was learned first is compared first.
_UNSETTLED = Statement(
    select(_sightings.c.belief_id)
    .where(_sightings.c.settled == 0)
    .order_by(_sightings.c.learned_at, _sightings.c.belief_id)
    .limit(bindparam("count"))
)
_SETTLE = Statement(
    update(_sightings)
    .where(_sightings.c.belief_id == bindparam("id"), _sightings.c.settled == 0)
    .values(settled=1)
)
_LOCK = Statement(select(_beliefs.c.num).where(_beliefs.c.id == bindparam("id")).with_for_update())
_WORDS = Statement(
    select(*_beliefs.c["text", "subject", "predicate", "value"]).where(
        _beliefs.c.id == bindparam("id")
    )
)


# --- writing ---------------------------------------------------------------------------------


def learn(
    connection: Connection, run_id: str, attempt: int, lessons: Sequence[Lesson], at: datetime
) -> None:
    """Write down what a run teaches, in the transaction of the run's own end."""
    job = connection.cell(_KIND, {"run_id": run_id}) or ""
    # In sorted order, so that two runs that learn the same do not deadlock.
    unique = {lesson.belief.id: lesson for lesson in lessons}
    for name in sorted(unique):
        lesson = unique[name]
        row = {name: clean(value) for name, value in _BELIEFS.cells(lesson.belief).items()}
        connection.change(_ADD_BELIEF, row | _SPANS.cells(lesson.belief.span))
        sighting_key = {"belief_id": name, "run_id": run_id, "attempt": attempt}
        published = [each.published_at for each in lesson.grounds if each.published_at is not None]
        connection.change(
            _ADD_SIGHTING,
            {
                **sighting_key,
                "job": job,
                "learned_at": to_us(at),
                "said_at": to_us_or_none(max(published, default=None)),
                "verdict": lesson.verdict,
                "confidence": lesson.confidence,
                "settled": 0,
            },
        )
        connection.many(
            _ADD_GROUND,
            [
                {**sighting_key, "place": place, **_ground_values(ground)}
                for place, ground in enumerate(lesson.grounds)
            ],
        )


def _ground_values(ground: Ground) -> dict[str, Any]:
    words = {name: clean(getattr(ground, name)) for name in ("url", "title", "publisher", "quote")}
    return _GROUNDS.cells(ground, **words, quote_start=ground.start, quote_end=ground.end)


def add_rivalry(connection: Connection, rivalry: Rivalry, at: datetime) -> None:
    detail = text([rivalry.kind, clean(rivalry.mine), clean(rivalry.theirs)])
    _doubt(connection, rivalry.belief_id, "rival", at, successor=rivalry.other_id, why=detail)


def add_withdrawal(connection: Connection, belief_id: str, withdrawal: Withdrawal) -> None:
    who, why = clean(withdrawal.who), clean(withdrawal.why)
    _doubt(connection, belief_id, "withdrawn", withdrawal.at, who=who, why=why)


def add_loss(connection: Connection, belief_id: str, at: datetime) -> None:
    _doubt(connection, belief_id, "lost", at)


def _doubt(connection: Connection, belief_id: str, kind: str, at: datetime, **more: str) -> None:
    """Write down a doubt, once; `more` are the columns that not every kind has."""
    row: dict[str, Any] = {"belief_id": belief_id, "kind": kind, "at": to_us(at)}
    row |= {"successor": None, "who": "", "why": "", **more}
    # A rivalry is known by its pair: noticed again, it is the same one.
    known = ("successor",) if kind == "rival" else ("at", "who", "why")
    row["id"] = short_id("dt", [belief_id, kind, *(row[name] for name in known)])
    connection.change(_ADD_DOUBT, row)


# --- reading ---------------------------------------------------------------------------------


def get(connection: Connection, belief_id: str) -> Belief | None:
    """Return the claim alone."""
    return connection.first(_GET, {"id": belief_id}, _belief_of)


def load(connection: Connection, belief_id: str, *, grounded: bool = True) -> Remembered | None:
    """Load a belief with all that was written down about it.

    Grounds that are not asked for are still loaded after a withdrawal, where they decide.
    """
    belief = get(connection, belief_id)
    if belief is None:
        return None
    doubts: dict[str, list[Row]] = {"rival": [], "withdrawn": [], "lost": []}
    for each in connection.all(_DOUBTS_OF, {"id": belief_id}):
        doubts[each[2]].append(each)
    grounds: dict[tuple[str, int], list[Ground]] = {}
    if grounded or doubts["withdrawn"]:
        for run_id, attempt, *cells in connection.all(_GROUNDS_OF, {"id": belief_id}):
            grounds.setdefault((run_id, attempt), []).append(_GROUNDS.value(cells))
    return Remembered(
        belief=belief,
        sightings=tuple(
            _SIGHTINGS.value(each, grounds=tuple(grounds.get(each[:2], ())))
            for each in connection.all(_OF_BELIEF, {"id": belief_id})
        ),
        rivalries=tuple(map(_rivalry, doubts["rival"])),
        withdrawals=tuple(
            Withdrawal(at=from_us(at), who=who, why=why)
            for _, _, _, at, _, who, why in doubts["withdrawn"]
        ),
        losses=tuple(ForgottenRival(at=from_us(each[3])) for each in doubts["lost"]),
    )


def load_rivals(
    connection: Connection,
    remembered: Remembered,
    read: dict[str, Remembered | None] | None = None,
) -> dict[str, Remembered]:
    """Load the beliefs that contradict a belief, by id.

    `read` keeps beliefs that were loaded already: rivals recur among each other.
    """
    read = {} if read is None else read
    for each in remembered.rivalries:
        if each.other_id not in read:
            read[each.other_id] = load(connection, each.other_id, grounded=False)
    found = (read[each.other_id] for each in remembered.rivalries)
    return {each.belief.id: each for each in found if each is not None}


def about(
    connection: Connection, subject_key: str, limit: int, until: datetime | None = None
) -> list[int]:
    """Return the full-text rows of beliefs about a subject, those seen last by then first."""
    latest = _FOR_EVER if until is None else to_us(until)
    values = {"subject_key": subject_key, "until": latest, "count": limit}
    return connection.column(_ABOUT, values)


def unsettled(connection: Connection, limit: int) -> list[str]:
    """Return beliefs with sightings that were not yet indexed and compared."""
    return list(dict.fromkeys(connection.column(_UNSETTLED, {"count": limit})))


def words(connection: Connection, belief_id: str) -> str | None:
    """Return the words a belief is found by: its text, and what its writer named besides."""
    row = connection.one(_WORDS, {"id": belief_id})
    if row is None:
        return None
    claim, *named = row
    return "\n".join([claim, *(each for each in named if each and each not in claim)])


def lock(connection: Connection, belief_id: str) -> int | None:
    """Lock a belief's row until the transaction ends; return its number."""
    return connection.cell(_LOCK, {"id": belief_id})


def settle(connection: Connection, belief_id: str) -> None:
    connection.change(_SETTLE, {"id": belief_id})


def _belief_of(row: Row) -> Belief:
    count = len(_BELIEFS.columns)
    return _BELIEFS.value(row[:count], span=_SPANS.value(row[count:]))


def _rivalry(row: Row) -> Rivalry:
    kind, mine, theirs = cast("list[str]", parse(row[6]))
    return Rivalry.model_validate(
        {"belief_id": row[1], "other_id": row[4], "kind": kind, "mine": mine, "theirs": theirs}
    )
