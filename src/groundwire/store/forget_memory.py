"""Forgetting what memory has from a run or a document, without reviving what it replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import BindParameter, bindparam, delete, select

from groundwire.evidence.memory.standing import standing
from groundwire.store import beliefs, schema
from groundwire.store.fulltext import Fulltext
from groundwire.store.statement import Connection, Statement

_sightings, _grounds, _doubts = schema.sightings, schema.grounds, schema.doubts
_by_run: BindParameter[str] = bindparam("run_id")
_by_document: BindParameter[str] = bindparam("document_id")

_OF_RUN = Statement(select(_sightings.c.belief_id).where(_sightings.c.run_id == _by_run))
_ON_DOCUMENT = Statement(select(_grounds.c.belief_id).where(_grounds.c.document_id == _by_document))
_DROP_RUN_GROUNDS = Statement(delete(_grounds).where(_grounds.c.run_id == _by_run))
_DROP_RUN = Statement(delete(_sightings).where(_sightings.c.run_id == _by_run))
_ground_place = select(_grounds.c.place).where(beliefs.same_sighting).correlate(_sightings)
# A sighting that rests on other pages too goes on resting on them.
_DROP_BARE = Statement(
    delete(_sightings).where(
        _ground_place.where(_grounds.c.document_id == _by_document).exists(),
        ~_ground_place.where(_grounds.c.document_id != _by_document).exists(),
    )
)
_DROP_DOCUMENT = Statement(delete(_grounds).where(_grounds.c.document_id == _by_document))
_SEEN = Statement(
    select(_sightings.c.run_id).where(_sightings.c.belief_id == bindparam("id")).limit(1)
)
_DROP_DOUBTS = Statement(
    delete(_doubts).where(
        (_doubts.c.belief_id == bindparam("id")) | (_doubts.c.successor == bindparam("id"))
    )
)
_DROP_BELIEF = Statement(delete(schema.beliefs).where(schema.beliefs.c.id == bindparam("id")))


def forget(
    connection: Connection,
    fulltext: Fulltext,
    run_ids: Sequence[str],
    document_ids: Sequence[str],
) -> int:
    """Forget what rests on runs or documents alone; return how many claims went."""
    touched = _touched(connection, run_ids, document_ids)
    for name in touched:
        beliefs.lock(connection, name)
    replaced = _find_replaced(connection, touched)
    for run_id in run_ids:
        connection.change(_DROP_RUN_GROUNDS, {"run_id": run_id})
        connection.change(_DROP_RUN, {"run_id": run_id})
    for document_id in document_ids:
        connection.change(_DROP_BARE, {"document_id": document_id})
        connection.change(_DROP_DOCUMENT, {"document_id": document_id})
    bare = [name for name in touched if connection.one(_SEEN, {"id": name}) is None]
    _drop(connection, fulltext, bare)
    _keep_replaced(connection, replaced)
    return len(bare)


def _touched(
    connection: Connection, run_ids: Sequence[str], document_ids: Sequence[str]
) -> list[str]:
    found = [name for each in run_ids for name in connection.column(_OF_RUN, {"run_id": each})]
    for each in document_ids:
        found += connection.column(_ON_DOCUMENT, {"document_id": each})
    return sorted(set(found))


def _find_replaced(connection: Connection, touched: Sequence[str]) -> dict[str, datetime]:
    """Find the beliefs that one of these replaced, and when."""
    found: dict[str, datetime] = {}
    for name in touched:
        remembered = beliefs.load(connection, name)
        for rival in beliefs.load_rivals(connection, remembered).values() if remembered else ():
            status = standing(rival, beliefs.load_rivals(connection, rival))
            if status.state == "superseded" and status.successor == name and status.until:
                found[rival.belief.id] = status.until
    return found


def _drop(connection: Connection, fulltext: Fulltext, names: Sequence[str]) -> None:
    nums = [num for name in names if (num := beliefs.lock(connection, name)) is not None]
    gone = fulltext.take_out(connection, nums)
    for name in names:
        connection.change(_DROP_DOUBTS, {"id": name})
        connection.change(_DROP_BELIEF, {"id": name})
    fulltext.count(connection, gone)


def _keep_replaced(connection: Connection, replaced: Mapping[str, datetime]) -> None:
    """Keep replaced beliefs replaced from the same moment: forgetting is no news of the world."""
    for name in sorted(replaced):
        remembered = beliefs.load(connection, name)
        if remembered is None or not remembered.sightings:
            continue
        status = standing(remembered, beliefs.load_rivals(connection, remembered))
        if status.until is None or status.until > replaced[name]:
            beliefs.add_loss(connection, name, replaced[name])
