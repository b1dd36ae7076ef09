"""The rows of memory: beliefs, sightings, grounds and doubts, which are only ever added."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

from pydantic import ValidationError
from sqlalchemy import Table, bindparam, func, select, update

from groundwire.errors import CorruptStore
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
from groundwire.model.phrase import phrase
from groundwire.store import schema
from groundwire.store.dialect import Dialect
from groundwire.store.payload import from_us, from_us_or_none, parse, text, to_us, to_us_or_none
from groundwire.store.statement import Connection, Row, Statement

_beliefs, _sightings = schema.beliefs, schema.sightings
_grounds, _doubts = schema.grounds, schema.doubts
_MOST_GROUNDS = 200  # of a belief that is seen again every hour, the newest are enough
_ABOVE_ALL = "\U0010ffff"
_FOR_EVER = 2**62


def _insert(table: Table, key: Sequence[str], *, numbered: bool = False) -> Statement:
    """Insert-or-get: a run that finishes again finds what it wrote."""

    def made(dialect: Dialect) -> Any:
        names = [column.name for column in table.c if not (numbered and column.name == "num")]
        values: dict[str, Any] = {name: bindparam(name) for name in names}
        return dialect.insert(table).values(values).on_conflict_do_nothing(index_elements=key)

    return Statement(made)


_ADD_BELIEF = _insert(_beliefs, ["id"], numbered=True)
_ADD_SIGHTING = _insert(_sightings, ["belief_id", "run_id", "attempt"])
_ADD_GROUND = _insert(_grounds, ["belief_id", "run_id", "attempt", "place"])
_ADD_DOUBT = _insert(_doubts, ["id"])
_KIND = Statement(select(schema.runs.c.kind).where(schema.runs.c.id == bindparam("run_id")))

_belief = [column for column in _beliefs.c if column.name != "num"]
_GET = Statement(select(*_belief).where(_beliefs.c.id == bindparam("id")))
_PREFIXED = Statement(
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
    select(_sightings)
    .where(_sightings.c.belief_id == bindparam("id"))
    .order_by(_sightings.c.learned_at, _sightings.c.run_id, _sightings.c.attempt)
)
_GROUNDS_OF = Statement(
    select(_grounds)
    .join(
        _sightings,
        (_sightings.c.belief_id == _grounds.c.belief_id)
        & (_sightings.c.run_id == _grounds.c.run_id)
        & (_sightings.c.attempt == _grounds.c.attempt),
    )
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
    select(_beliefs.c.text, _beliefs.c.subject, _beliefs.c.predicate, _beliefs.c.value).where(
        _beliefs.c.id == bindparam("id")
    )
)


# --- writing ---------------------------------------------------------------------------------


def learn(
    connection: Connection, run_id: str, attempt: int, lessons: Sequence[Lesson], at: datetime
) -> None:
    """Write down what a run teaches; the caller's transaction is the run's own end."""
    row = connection.one(_KIND, {"run_id": run_id})
    job = "" if row is None else str(row[0])
    # In one order, so that two runs that learn the same do not wait for each other.
    unique = {lesson.belief.id: lesson for lesson in lessons}
    for name in sorted(unique):
        lesson = unique[name]
        connection.change(_ADD_BELIEF, _belief_values(lesson.belief))
        seen = {"belief_id": name, "run_id": run_id, "attempt": attempt}
        said = [each.published_at for each in lesson.grounds if each.published_at is not None]
        connection.change(
            _ADD_SIGHTING,
            {
                **seen,
                "job": job,
                "learned_at": to_us(at),
                "said_at": to_us_or_none(max(said, default=None)),
                "verdict": lesson.verdict,
                "confidence": lesson.confidence,
                "settled": 0,
            },
        )
        connection.many(
            _ADD_GROUND,
            [
                {**seen, "place": place, **_ground_values(ground)}
                for place, ground in enumerate(lesson.grounds)
            ],
        )


def _belief_values(belief: Belief) -> dict[str, Any]:
    span = belief.span
    values = belief.model_dump(exclude={"span"})
    return {
        **{name: _clean(value) for name, value in values.items()},
        "true_from": to_us_or_none(span.true_from),
        "true_to": to_us_or_none(span.true_to),
        "precision": span.precision,
    }


def _ground_values(ground: Ground) -> dict[str, Any]:
    return {
        "evidence_id": ground.evidence_id,
        "document_id": ground.document_id,
        "url": _clean(ground.url),
        "title": _clean(ground.title),
        "publisher": _clean(ground.publisher),
        "published_at": to_us_or_none(ground.published_at),
        "quote": _clean(ground.quote),
        "quote_start": ground.start,
        "quote_end": ground.end,
    }


def _clean(words: str) -> str:
    # PostgreSQL's text cannot hold NUL, and it means nothing anywhere.
    return words.replace("\0", "")


def add_rivalry(connection: Connection, rivalry: Rivalry, at: datetime) -> None:
    said = text([rivalry.kind, _clean(rivalry.mine), _clean(rivalry.theirs)])
    _doubt(connection, rivalry.belief_id, "rival", at, rivalry.other_id, "", said)


def add_withdrawal(connection: Connection, belief_id: str, withdrawal: Withdrawal) -> None:
    who, why = _clean(withdrawal.who), _clean(withdrawal.why)
    _doubt(connection, belief_id, "withdrawn", withdrawal.at, None, who, why)


def add_loss(connection: Connection, belief_id: str, at: datetime) -> None:
    _doubt(connection, belief_id, "lost", at, None, "", "")


def _doubt(
    connection: Connection,
    belief_id: str,
    kind: str,
    at: datetime,
    successor: str | None,
    who: str,
    why: str,
) -> None:
    # A rivalry is known by its pair: noticed again, it is the same one.
    known = [successor] if kind == "rival" else [to_us(at), who, why]
    values = {
        "id": short_id("dt", [belief_id, kind, *known]),
        "belief_id": belief_id,
        "kind": kind,
        "at": to_us(at),
        "successor": successor,
        "who": who,
        "why": why,
    }
    connection.change(_ADD_DOUBT, values)


# --- reading ---------------------------------------------------------------------------------


def get(connection: Connection, belief_id: str) -> Belief | None:
    """The claim alone."""
    row = connection.one(_GET, {"id": belief_id})
    try:
        return None if row is None else _belief_of(row)
    except ValidationError as error:
        raise CorruptStore(
            "error.stored_unreadable", what=phrase("stored.claim", id=belief_id)
        ) from error


def load(connection: Connection, belief_id: str, *, grounded: bool = True) -> Remembered | None:
    """A belief with all that was written down about it.

    What a rival rests on is only asked for where it decides: after a withdrawal.
    """
    belief = get(connection, belief_id)
    if belief is None:
        return None
    doubts = connection.all(_DOUBTS_OF, {"id": belief_id})
    grounds: dict[tuple[str, int], list[Ground]] = {}
    if grounded or any(each[2] == "withdrawn" for each in doubts):
        for each in connection.all(_GROUNDS_OF, {"id": belief_id}):
            grounds.setdefault((each[1], each[2]), []).append(_ground(each))
    try:
        return Remembered(
            belief=belief,
            sightings=tuple(
                _sighting(each, grounds) for each in connection.all(_OF_BELIEF, {"id": belief_id})
            ),
            rivalries=tuple(_rivalry(each) for each in doubts if each[2] == "rival"),
            withdrawals=tuple(
                Withdrawal(at=from_us(each[3]), who=each[5], why=each[6])
                for each in doubts
                if each[2] == "withdrawn"
            ),
            losses=tuple(
                ForgottenRival(at=from_us(each[3])) for each in doubts if each[2] == "lost"
            ),
        )
    except ValidationError as error:
        raise CorruptStore(
            "error.stored_unreadable", what=phrase("stored.claim", id=belief_id)
        ) from error


def load_rivals(connection: Connection, remembered: Remembered) -> dict[str, Remembered]:
    """The beliefs that a belief cannot stand beside, by id."""
    found = (load(connection, each.other_id, grounded=False) for each in remembered.rivalries)
    return {each.belief.id: each for each in found if each is not None}


def with_prefix(connection: Connection, prefix: str) -> list[str]:
    """At most ten ids that start so: people type prefixes."""
    values = {"low": prefix, "high": prefix + _ABOVE_ALL}
    return [row[0] for row in connection.all(_PREFIXED, values)]


def about(
    connection: Connection, subject_key: str, limit: int, until: datetime | None = None
) -> list[int]:
    """Full-text rows of beliefs about a subject, those that were seen last by then first."""
    latest = _FOR_EVER if until is None else to_us(until)
    values = {"subject_key": subject_key, "until": latest, "count": limit}
    return [row[0] for row in connection.all(_ABOUT, values)]


def unsettled(connection: Connection, limit: int) -> list[str]:
    """Beliefs with sightings that were not yet indexed and compared."""
    rows = connection.all(_UNSETTLED, {"count": limit})
    return list(dict.fromkeys(row[0] for row in rows))


def words(connection: Connection, belief_id: str) -> str | None:
    """What a belief is found by; what its writer named and its text does not have comes along."""
    row = connection.one(_WORDS, {"id": belief_id})
    if row is None:
        return None
    claim, *named = row
    return "\n".join([claim, *(each for each in named if each and each not in claim)])


def locked(connection: Connection, belief_id: str) -> int | None:
    """The row's number; nobody else indexes or forgets it until the transaction ends."""
    row = connection.one(_LOCK, {"id": belief_id})
    return None if row is None else int(row[0])


def settle(connection: Connection, belief_id: str) -> None:
    connection.change(_SETTLE, {"id": belief_id})


def _belief_of(row: Row) -> Belief:
    values: dict[str, Any] = dict(zip((column.name for column in _belief), row, strict=True))
    span = TrueSpan(
        true_from=from_us_or_none(values.pop("true_from")),
        true_to=from_us_or_none(values.pop("true_to")),
        precision=values.pop("precision"),
    )
    return Belief(span=span, **values)


def _sighting(row: Row, grounds: dict[tuple[str, int], list[Ground]]) -> Sighting:
    _, run_id, attempt, job, learned_at, said_at, verdict, confidence, _ = row
    return Sighting(
        run_id=run_id,
        attempt=attempt,
        job=job,
        learned_at=from_us(learned_at),
        said_at=from_us_or_none(said_at),
        verdict=verdict,
        confidence=confidence,
        grounds=tuple(grounds.get((run_id, attempt), ())),
    )


def _ground(row: Row) -> Ground:
    names = ("evidence_id", "document_id", "url", "title", "publisher", "published_at")
    values: dict[str, Any] = dict(zip(names, row[4:10], strict=True))
    values["published_at"] = from_us_or_none(values["published_at"])
    return Ground(quote=row[10], start=row[11], end=row[12], **values)


def _rivalry(row: Row) -> Rivalry:
    kind, mine, theirs = cast("list[str]", parse(row[6]))
    return Rivalry.model_validate(
        {"belief_id": row[1], "other_id": row[4], "kind": kind, "mine": mine, "theirs": theirs}
    )
