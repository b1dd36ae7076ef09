"""Memory on a database: claims in two times, found by their words, compared when learned."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache, partial
from typing import NamedTuple, TypeAlias

from groundwire.errors import NotFoundHere
from groundwire.evidence.memory import similarity as likeness
from groundwire.evidence.memory.rivals import comparable, rivals
from groundwire.evidence.memory.standing import effective, history, replaced, standing
from groundwire.language.names.names import name_key
from groundwire.model.memory import (
    Belief,
    ClaimHistory,
    Held,
    MemoryQuery,
    RecalledClaim,
    Remembered,
    Rivalry,
    Standing,
    Withdrawal,
)
from groundwire.store import beliefs, bm25, forget_memory
from groundwire.store.database import Database
from groundwire.store.filters import every
from groundwire.store.fulltext import MEMORY, Fulltext, Where, fulltext_of
from groundwire.store.payload import to_us
from groundwire.store.statement import Connection
from groundwire.store.table import DatabaseTable, prefixed, reads

_BATCH = 64
_COMPARED = 24  # claims that share most words, and as many about the same subject
_OF_SUBJECT = 24
_RANKED = {"sqlite": 60, "postgresql": 120}
_WIDEST_STORY = 40
# Of one moment: what was learned comes before what fell by it.
_HAPPENS = ("learned", "seen again", "superseded", "withdrawn")


# A new belief, and those that may be about the same thing.
_Neighbours: TypeAlias = tuple[Remembered, Sequence[Remembered]]


class _Asked(NamedTuple):
    """A wish made ready off the database's threads."""

    wordings: tuple[tuple[bm25.QueryTerm, ...], ...]
    names: tuple[str, ...]


class MemoryTable(DatabaseTable):
    """Implements `ports.Memory`.

    What a run teaches is written with the run's own end (`beliefs.learn`); it is indexed and
    compared with what was known by whoever reads next. Both can be done again without harm, so a
    process that dies in between loses nothing and doubles nothing.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._fulltext = fulltext_of(database.dialect, MEMORY)
        self._settling = asyncio.Lock()

    async def recall(self, wish: MemoryQuery, now: datetime) -> Sequence[RecalledClaim]:
        """The claims nearest to the wish; with equal similarity the later seen, then by id."""
        await self.settle()
        asked = await asyncio.to_thread(_asked, wish)
        return await self.database.read(lambda c: _recall(c, self._fulltext, asked, wish, now))

    @reads
    def find(self, connection: Connection, prefix: str) -> Sequence[str]:
        """Return the ids of claims that start so, at most ten: people type prefixes."""
        return connection.column(beliefs.PREFIXED, prefixed(prefix))

    async def story(self, claim_id: str, as_of: datetime | None = None) -> ClaimHistory | None:
        """The claim and every claim that it is tied to by having replaced or been replaced."""
        await self.settle()
        return await self.database.read(lambda c: _story(c, claim_id, as_of))

    async def withdraw(self, claim_id: str, withdrawal: Withdrawal) -> Held:
        """Take a claim back; it is kept with who, why and when."""
        await self.settle()
        return await self.database.write(lambda c: _withdrawn(c, claim_id, withdrawal))

    async def forget(self, *, run_ids: Sequence[str] = (), document_ids: Sequence[str] = ()) -> int:
        """Take out what rests on runs or documents, with everything that repeats its words; the
        number of claims."""
        await self.settle()
        return await self.database.write(
            lambda c: forget_memory.forget(c, self._fulltext, run_ids, document_ids)
        )

    async def settle(self) -> int:
        """Index what was learned and compare it with what was known; the number of claims.

        First all are indexed, then all are compared: of two processes that learn rivals at the
        same time, the later one to compare sees the other's.
        """
        done = 0
        async with self._settling:
            while names := await self.database.read(lambda c: beliefs.unsettled(c, _BATCH)):
                await self._index(names)
                await self._compare(names)
                done += len(names)
        return done

    async def _index(self, names: Sequence[str]) -> None:
        texts = await self.database.read(lambda c: {name: beliefs.words(c, name) for name in names})
        # Cutting words takes longer than writing: it happens outside the writer's thread.
        entries = await asyncio.to_thread(
            lambda: {
                name: bm25.entry("", words) for name, words in texts.items() if words is not None
            }
        )
        await self.database.write(lambda c: _indexed(c, self._fulltext, entries))

    async def _compare(self, names: Sequence[str]) -> None:
        found = await self.database.read(lambda c: _neighbours(c, self._fulltext, names))
        noticed = await asyncio.to_thread(_compared, found)
        await self.database.write(lambda c: _settled(c, names, noticed))


# --- recall ----------------------------------------------------------------------------------


def _asked(wish: MemoryQuery) -> _Asked:
    spoken = [*likeness.wordings(wish.text)] if wish.text.strip() else []
    names = (wish.subject,) if wish.subject else likeness.names_of(wish.text)
    return _Asked(tuple(bm25.asked(words) for words in spoken), names)


def _recall(
    connection: Connection, fulltext: Fulltext, asked: _Asked, wish: MemoryQuery, now: datetime
) -> list[RecalledClaim]:
    at = wish.as_of
    found: list[RecalledClaim] = []
    read: dict[str, Remembered | None] = {}
    with fulltext.snapshot(connection):
        for likely in _likely(connection, fulltext, asked, wish):
            # The rest cannot come before these, however lately they were learned.
            if len(found) >= wish.limit and found[wish.limit - 1].similarity.total > likely.most:
                break
            remembered = _loaded(connection, likely.name)
            known = beliefs.load_rivals(connection, remembered, read)
            # Of what changed often, most has fallen: its whole story would be told for nothing.
            how = standing(remembered, known, at)
            if how.seen_at is None or not _wanted(remembered.belief, how, wish):
                continue
            held = _held(remembered, known, at)
            likes = likeness.similarity(
                text=likely.text,
                subject=likely.subject,
                recency=likeness.recency(how.seen_at, at or now),
            )
            found.append(RecalledClaim(**dict(held), similarity=likes))
            found.sort(key=_order)
    return found[: wish.limit]


class _Likely(NamedTuple):
    """A claim that may be an answer, and the most that its similarity can be."""

    most: float
    name: str
    text: float | None
    subject: float | None


def _likely(
    connection: Connection, fulltext: Fulltext, asked: _Asked, wish: MemoryQuery
) -> list[_Likely]:
    found: list[_Likely] = []
    for name, text in _texts(connection, fulltext, asked, wish).items():
        belief = beliefs.get(connection, name)
        subject = None if belief is None else likeness.about(asked.names, belief)
        if belief is None or (wish.subject and not subject):
            continue
        most = likeness.similarity(text=text, subject=subject, recency=1.0).total
        found.append(_Likely(most, name, text, subject))
    return sorted(found, key=lambda each: (-each.most, each.name))


def _order(entry: RecalledClaim) -> tuple[float, float, str]:
    seen = entry.standing.seen_at
    return (-entry.similarity.total, -to_us(seen) if seen else 0, entry.claim.id)


def _texts(
    connection: Connection, fulltext: Fulltext, asked: _Asked, wish: MemoryQuery
) -> dict[str, float | None]:
    """Claims that share words with the wish, or its subject, each with the part of its words."""
    subject = likeness.wordings(wish.subject) if wish.subject else ()
    question = bm25.together((*asked.wordings, *map(bm25.asked, subject)))
    if not question:
        return {}
    limit = max(_RANKED[connection.dialect.name], 4 * wish.limit)
    match = fulltext.matching(connection, question, _demands(wish), limit)
    # Of many claims in the same words the last must be among the candidates.
    last = [
        num
        for name in asked.names
        for num in beliefs.about(connection, name_key(name), _OF_SUBJECT, wish.as_of)
    ]
    found = fulltext.shares(connection, match, asked.wordings, last)
    return {candidate.id: text for candidate, _, text in found}


def _demands(wish: MemoryQuery) -> Where:
    """Conditions that an index can answer; the rest is asked of each belief."""
    seen = "EXISTS (SELECT 1 FROM sightings AS s WHERE s.belief_id = d.id AND s.learned_at {} ?)"
    times = (("<=", wish.as_of), (">=", wish.since))
    return every(*(Where(seen.format(sign), (to_us(at),)) for sign, at in times if at is not None))


def _wanted(belief: Belief, how: Standing, wish: MemoryQuery) -> bool:
    if how.seen_at is None or not (wish.past or how.state == "believed"):
        return False
    if wish.since is not None and how.seen_at < wish.since:
        return False
    if wish.min_confidence is not None and (how.confidence or 0.0) < wish.min_confidence:
        return False
    span, about = belief.span, wish.about
    return about is None or not (
        (span.true_from is not None and about < span.true_from)
        or (span.true_to is not None and about > span.true_to)
    )


# --- one claim -------------------------------------------------------------------------------


def _withdrawn(connection: Connection, claim_id: str, withdrawal: Withdrawal) -> Held:
    beliefs.locked(connection, claim_id)
    found = _loaded(connection, claim_id)
    # A clock that was set back must not let the withdrawal come before what it ends.
    at = max([withdrawal.at, *(each.learned_at for each in found.sightings)])
    beliefs.add_withdrawal(connection, claim_id, withdrawal.model_copy(update={"at": at}))
    after = _loaded(connection, claim_id)
    return _held(after, beliefs.load_rivals(connection, after), None)


def _loaded(connection: Connection, claim_id: str) -> Remembered:
    found = beliefs.load(connection, claim_id)
    if found is None:
        raise NotFoundHere("error.no_claim", claim=claim_id)
    return found


def _held(remembered: Remembered, known: Mapping[str, Remembered], at: datetime | None) -> Held:
    seen = [each for each in effective(remembered) if at is None or each.learned_at <= at]
    return Held(
        claim=remembered.belief,
        standing=standing(remembered, known, at),
        sightings=len(seen),
        sources=seen[-1].grounds if seen else (),
        history=history(remembered, known, at),
        replaced=tuple(replaced(remembered, known, at)),
    )


def _story(connection: Connection, claim_id: str, at: datetime | None) -> ClaimHistory | None:
    known: dict[str, Remembered] = {}
    waiting = [claim_id]
    while waiting and len(known) < _WIDEST_STORY:
        name = waiting.pop(0)
        found = None if name in known else beliefs.load(connection, name)
        if found is not None:
            known[name] = found
            waiting.extend(each.other_id for each in found.rivalries)
    if claim_id not in known:
        return None
    held = [_held(each, known, at) for each in known.values()]
    held = [each for each in held if each.standing.state != "unknown"]
    moments = sorted(
        (moment for each in held for moment in each.history),
        key=lambda moment: (moment.at, _HAPPENS.index(moment.kind), moment.claim_id),
    )
    ordered = sorted(held, key=lambda each: (str(each.standing.learned_at), each.claim.id))
    return ClaimHistory(claims=tuple(ordered), moments=tuple(moments))


# --- comparing what was learned with what was known: indexed first, both repeatable -----------


def _indexed(
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


def _neighbours(
    connection: Connection, fulltext: Fulltext, names: Sequence[str]
) -> list[_Neighbours]:
    """Each new belief with those that may be about the same thing."""
    loaded = cache(partial(beliefs.load, connection))
    found: list[_Neighbours] = []
    for name in names:
        new = loaded(name)
        if new is None:
            continue
        others: list[Remembered] = []
        for each in _near(connection, fulltext, new):
            claim = beliefs.get(connection, each) if each != name else None
            if claim is not None and comparable(new.belief, claim):
                others += [other for other in (loaded(each),) if other is not None]
        found.append((new, others))
    return found


def _near(connection: Connection, fulltext: Fulltext, new: Remembered) -> list[str]:
    """Claims in like words, and those about the same subject that were seen last before it."""
    belief = new.belief
    last = max((each.learned_at for each in new.sightings), default=None)
    question = bm25.together(map(bm25.asked, likeness.wordings(belief.text)))
    with fulltext.snapshot(connection):
        nums = fulltext.matching(connection, question, Where(), _COMPARED).nums
        if belief.subject_key:
            nums += beliefs.about(connection, belief.subject_key, _COMPARED, last)
        return [each.id for each in fulltext.read(connection, list(dict.fromkeys(nums)))]


def _compared(found: Sequence[_Neighbours]) -> list[tuple[Rivalry, datetime]]:
    """Every rivalry of the new beliefs, and the moment from which it could be noticed."""
    noticed: list[tuple[Rivalry, datetime]] = []
    for new, others in found:
        for other in others:
            at = max(each.learned_at for each in (*new.sightings, *other.sightings))
            noticed.extend((each, at) for each in rivals(new, other) or ())
    return noticed


def _settled(
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
