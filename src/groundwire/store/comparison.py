"""Comparing what was learned with what was known: indexed first, then compared, both repeatable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from groundwire.evidence.memory import similarity as likeness
from groundwire.evidence.memory.rivals import comparable, rivals
from groundwire.model.memory import Remembered, Rivalry
from groundwire.store import beliefs, bm25
from groundwire.store.fulltext import Fulltext, Where
from groundwire.store.statement import Connection

_COMPARED = 24  # claims that share most words, and as many about the same subject


class Neighbours(NamedTuple):
    """A new belief, and those that may be about the same thing."""

    new: Remembered
    others: tuple[Remembered, ...]


def indexed(
    connection: Connection, fulltext: Fulltext, entries: Mapping[str, bm25.IndexEntry]
) -> None:
    """Make beliefs findable by their words, once."""
    new: list[tuple[int, bm25.IndexEntry]] = []
    for name in sorted(entries):
        num = beliefs.locked(connection, name)
        # Another process may have indexed it, or forgotten it, in the meantime.
        if num is not None and not list(fulltext.read(connection, [num])):
            new.append((num, entries[name]))
    fulltext.count(connection, fulltext.put_in(connection, new))


def neighbours(
    connection: Connection, fulltext: Fulltext, names: Sequence[str]
) -> list[Neighbours]:
    """Each new belief with those that may be about the same thing."""
    known: dict[str, Remembered | None] = {}

    def loaded(name: str) -> Remembered | None:
        if name not in known:
            known[name] = beliefs.load(connection, name)
        return known[name]

    found: list[Neighbours] = []
    for name in names:
        new = loaded(name)
        if new is None:
            continue
        others: list[Remembered] = []
        for each in _near(connection, fulltext, new):
            claim = beliefs.get(connection, each) if each != name else None
            if claim is not None and comparable(new.belief, claim):
                others += [other for other in (loaded(each),) if other is not None]
        found.append(Neighbours(new, tuple(others)))
    return found


def _near(connection: Connection, fulltext: Fulltext, new: Remembered) -> list[str]:
    """Claims in like words, and those about the same subject that were seen last before it."""
    belief = new.belief
    last = max((each.learned_at for each in new.sightings), default=None)
    wordings = likeness.wordings(belief.text)
    question = tuple(dict.fromkeys(term for words in wordings for term in bm25.asked(words)))
    with fulltext.snapshot(connection):
        nums = fulltext.matching(connection, question, Where(), _COMPARED).nums
        if belief.subject_key:
            nums += beliefs.about(connection, belief.subject_key, _COMPARED, last)
        return [each.id for each in fulltext.read(connection, list(dict.fromkeys(nums)))]


def compared(found: Sequence[Neighbours]) -> list[tuple[Rivalry, datetime]]:
    """Every rivalry of the new beliefs, and the moment from which it could be noticed."""
    noticed: list[tuple[Rivalry, datetime]] = []
    for new, others in found:
        for other in others:
            at = max(each.learned_at for each in (*new.sightings, *other.sightings))
            noticed.extend((each, at) for each in rivals(new, other) or ())
    return noticed


def settled(
    connection: Connection, names: Sequence[str], noticed: Sequence[tuple[Rivalry, datetime]]
) -> None:
    """Write down what was noticed, and that these were compared."""
    # Sorted: two processes that settle the same wait for each other instead of locking up.
    there = {
        name
        for name in sorted({*names, *(each.belief_id for each, _ in noticed)})
        if beliefs.locked(connection, name) is not None
    }
    for each, at in sorted(noticed, key=lambda pair: (pair[0].belief_id, pair[0].other_id)):
        # A belief may have been forgotten since it was read.
        if {each.belief_id, each.other_id} <= there:
            beliefs.add_rivalry(connection, each, at)
    for name in sorted(names):
        beliefs.settle(connection, name)
