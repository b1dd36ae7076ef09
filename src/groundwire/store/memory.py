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
# At one moment, what was learned comes before what it replaced.
_KIND_ORDER = ("learned", "seen again", "superseded", "withdrawn")


# A new belief, and those that may be about the same thing.
_Neighbours: TypeAlias = tuple[Remembered, Sequence[Remembered]]


class _Terms(NamedTuple):
    """What a query is found by, cut off the database's threads."""

    wordings: tuple[tuple[bm25.QueryTerm, ...], ...]
    names: tuple[str, ...]


class MemoryTable(DatabaseTable):
    """Implements `ports.Memory`.

    What a run teaches is written with the run's own end (`beliefs.learn`); it is indexed and
    compared with what was known by whoever reads next. Both can be repeated without harm, so a
    process that dies in between loses nothing and doubles nothing.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._fulltext = fulltext_of(database.dialect, MEMORY)
        self._settling = asyncio.Lock()

    async def recall(self, query: MemoryQuery, now: datetime) -> Sequence[RecalledClaim]:
        """Find the claims nearest to the query; of equal ones the later seen first, then by id."""
        await self.settle()
        terms = await asyncio.to_thread(_prepare, query)
        return await self.database.read(lambda c: _recall(c, self._fulltext, terms, query, now))

    @reads
    def find(self, connection: Connection, prefix: str) -> Sequence[str]:
        """Return the ids of claims that start with a prefix, at most ten: people type prefixes."""
        return connection.column(beliefs.PREFIXED, prefixed(prefix))

    async def story(self, claim_id: str, as_of: datetime | None = None) -> ClaimHistory | None:
        """Return the claim and every claim that it replaced or was replaced by, directly or not."""
        await self.settle()
        return await self.database.read(lambda c: _story(c, claim_id, as_of))

    async def withdraw(self, claim_id: str, withdrawal: Withdrawal) -> Held:
        """Withdraw a claim; it is kept with who, why and when."""
        await self.settle()
        return await self.database.write(lambda c: _withdraw(c, claim_id, withdrawal))

    async def forget(self, *, run_ids: Sequence[str] = (), document_ids: Sequence[str] = ()) -> int:
        """Forget what rests on runs or documents, and all copies; return how many claims went."""
        await self.settle()
        return await self.database.write(
            lambda c: forget_memory.forget(c, self._fulltext, run_ids, document_ids)
        )

    async def settle(self) -> int:
        """Index what was learned and compare it with what was known; return how many claims.

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
        await self.database.write(lambda c: _index(c, self._fulltext, entries))

    async def _compare(self, names: Sequence[str]) -> None:
        found = await self.database.read(lambda c: _neighbours(c, self._fulltext, names))
        noticed = await asyncio.to_thread(_find_rivalries, found)
        await self.database.write(lambda c: _settle(c, names, noticed))


# --- recall ----------------------------------------------------------------------------------


def _prepare(query: MemoryQuery) -> _Terms:
    wordings = [*likeness.wordings(query.text)] if query.text.strip() else []
    names = (query.subject,) if query.subject else likeness.names_of(query.text)
    return _Terms(tuple(bm25.query_terms(words) for words in wordings), names)


def _recall(
    connection: Connection, fulltext: Fulltext, terms: _Terms, query: MemoryQuery, now: datetime
) -> list[RecalledClaim]:
    at = query.as_of
    found: list[RecalledClaim] = []
    read: dict[str, Remembered | None] = {}
    with fulltext.snapshot(connection):
        for each in _candidates(connection, fulltext, terms, query):
            # The rest cannot rank before these, however recently they were learned.
            if len(found) >= query.limit and found[query.limit - 1].similarity.total > each.most:
                break
            remembered = _load(connection, each.name)
            known = beliefs.load_rivals(connection, remembered, read)
            # Most of what changed often was replaced: check before building its whole history.
            status = standing(remembered, known, at)
            if status.seen_at is None or not _matches(remembered.belief, status, query):
                continue
            held = _held(remembered, known, at)
            similarity = likeness.similarity(
                text=each.text,
                subject=each.subject,
                recency=likeness.recency(status.seen_at, at or now),
            )
            found.append(RecalledClaim(**dict(held), similarity=similarity))
            found.sort(key=_order)
    return found[: query.limit]


class _Candidate(NamedTuple):
    """A claim that may be an answer, and the most that its similarity can be."""

    most: float
    name: str
    text: float | None
    subject: float | None


def _candidates(
    connection: Connection, fulltext: Fulltext, terms: _Terms, query: MemoryQuery
) -> list[_Candidate]:
    found: list[_Candidate] = []
    for name, text in _text_shares(connection, fulltext, terms, query).items():
        belief = beliefs.get(connection, name)
        subject = None if belief is None else likeness.subject_match(terms.names, belief)
        if belief is None or (query.subject and not subject):
            continue
        most = likeness.similarity(text=text, subject=subject, recency=1.0).total
        found.append(_Candidate(most, name, text, subject))
    return sorted(found, key=lambda each: (-each.most, each.name))


def _order(entry: RecalledClaim) -> tuple[float, float, str]:
    seen = entry.standing.seen_at
    return (-entry.similarity.total, -to_us(seen) if seen else 0, entry.claim.id)


def _text_shares(
    connection: Connection, fulltext: Fulltext, terms: _Terms, query: MemoryQuery
) -> dict[str, float | None]:
    """Find claims that share words or the subject with the query, each with its share of words."""
    subject = likeness.wordings(query.subject) if query.subject else ()
    question = bm25.merge_terms((*terms.wordings, *map(bm25.query_terms, subject)))
    if not question:
        return {}
    limit = max(_RANKED[connection.dialect.name], 4 * query.limit)
    match = fulltext.matching(connection, question, _demands(query), limit)
    # Of many claims in the same words the last must be among the candidates.
    last = [
        num
        for name in terms.names
        for num in beliefs.about(connection, name_key(name), _OF_SUBJECT, query.as_of)
    ]
    found = fulltext.shares(connection, match, terms.wordings, last)
    return {candidate.id: text for candidate, _, text in found}


def _demands(query: MemoryQuery) -> Where:
    """Build the conditions that an index can answer; the rest is checked for each belief."""
    seen = "EXISTS (SELECT 1 FROM sightings AS s WHERE s.belief_id = d.id AND s.learned_at {} ?)"
    times = (("<=", query.as_of), (">=", query.since))
    return every(*(Where(seen.format(sign), (to_us(at),)) for sign, at in times if at is not None))


def _matches(belief: Belief, status: Standing, query: MemoryQuery) -> bool:
    if status.seen_at is None or not (query.past or status.state == "believed"):
        return False
    if query.since is not None and status.seen_at < query.since:
        return False
    if query.min_confidence is not None and (status.confidence or 0.0) < query.min_confidence:
        return False
    span, about = belief.span, query.about
    return about is None or not (
        (span.true_from is not None and about < span.true_from)
        or (span.true_to is not None and about > span.true_to)
    )


# --- one claim -------------------------------------------------------------------------------


def _withdraw(connection: Connection, claim_id: str, withdrawal: Withdrawal) -> Held:
    beliefs.lock(connection, claim_id)
    found = _load(connection, claim_id)
    # A clock that was set back must not let the withdrawal come before what it ends.
    at = max([withdrawal.at, *(each.learned_at for each in found.sightings)])
    beliefs.add_withdrawal(connection, claim_id, withdrawal.model_copy(update={"at": at}))
    after = _load(connection, claim_id)
    return _held(after, beliefs.load_rivals(connection, after), None)


def _load(connection: Connection, claim_id: str) -> Remembered:
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
    queue = [claim_id]
    while queue and len(known) < _WIDEST_STORY:
        name = queue.pop(0)
        found = None if name in known else beliefs.load(connection, name)
        if found is not None:
            known[name] = found
            queue.extend(each.other_id for each in found.rivalries)
    if claim_id not in known:
        return None
    claims = [_held(each, known, at) for each in known.values()]
    claims = [each for each in claims if each.standing.state != "unknown"]
    moments = sorted(
        (moment for each in claims for moment in each.history),
        key=lambda moment: (moment.at, _KIND_ORDER.index(moment.kind), moment.claim_id),
    )
    ordered = sorted(claims, key=lambda each: (str(each.standing.learned_at), each.claim.id))
    return ClaimHistory(claims=tuple(ordered), moments=tuple(moments))


# --- comparing what was learned with what was known: indexed first, both repeatable -----------


def _index(
    connection: Connection, fulltext: Fulltext, entries: Mapping[str, bm25.IndexEntry]
) -> None:
    """Make beliefs findable by their words, once."""
    new: list[tuple[int, bm25.IndexEntry]] = []
    for name in sorted(entries):
        num = beliefs.lock(connection, name)
        # Another process may have indexed it, or forgotten it, in the meantime.
        if num is not None and not list(fulltext.read(connection, [num])):
            new.append((num, entries[name]))
    fulltext.count(connection, fulltext.put_in(connection, new))


def _neighbours(
    connection: Connection, fulltext: Fulltext, names: Sequence[str]
) -> list[_Neighbours]:
    """Pair each new belief with those that may be about the same thing."""
    loaded = cache(partial(beliefs.load, connection))
    found: list[_Neighbours] = []
    for name in names:
        new = loaded(name)
        if new is None:
            continue
        others: list[Remembered] = []
        for each in _near_ids(connection, fulltext, new):
            claim = beliefs.get(connection, each) if each != name else None
            if claim is not None and comparable(new.belief, claim):
                others += [other for other in (loaded(each),) if other is not None]
        found.append((new, others))
    return found


def _near_ids(connection: Connection, fulltext: Fulltext, new: Remembered) -> list[str]:
    """Find claims in similar words, and those on the same subject that were last seen before it."""
    belief = new.belief
    last = max((each.learned_at for each in new.sightings), default=None)
    question = bm25.merge_terms(map(bm25.query_terms, likeness.wordings(belief.text)))
    with fulltext.snapshot(connection):
        nums = fulltext.matching(connection, question, Where(), _COMPARED).nums
        if belief.subject_key:
            nums += beliefs.about(connection, belief.subject_key, _COMPARED, last)
        return [each.id for each in fulltext.read(connection, list(dict.fromkeys(nums)))]


def _find_rivalries(found: Sequence[_Neighbours]) -> list[tuple[Rivalry, datetime]]:
    """Find every rivalry of the new beliefs, and the moment from which it could be noticed."""
    noticed: list[tuple[Rivalry, datetime]] = []
    for new, others in found:
        for other in others:
            at = max(each.learned_at for each in (*new.sightings, *other.sightings))
            noticed.extend((each, at) for each in rivals(new, other) or ())
    return noticed


def _settle(
    connection: Connection, names: Sequence[str], noticed: Sequence[tuple[Rivalry, datetime]]
) -> None:
    """Write down the rivalries, and that these beliefs were compared."""
    # Sorted: two processes that settle the same wait for each other instead of locking up.
    stored = {
        name
        for name in sorted({*names, *(each.belief_id for each, _ in noticed)})
        if beliefs.lock(connection, name) is not None
    }
    for each, at in sorted(noticed, key=lambda pair: (pair[0].belief_id, pair[0].other_id)):
        # A belief may have been forgotten since it was read.
        if {each.belief_id, each.other_id} <= stored:
            beliefs.add_rivalry(connection, each, at)
    for name in sorted(names):
        beliefs.settle(connection, name)
