"""Messages as they came in: each is new or one more sighting of an earlier one, decided once."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

from sqlalchemy import (
    BigInteger,
    Select,
    bindparam,
    delete,
    func,
    insert,
    null,
    select,
    union_all,
    update,
)

from groundwire.evidence.memory import dedup
from groundwire.model.message import (
    Cursor,
    DedupLayer,
    DedupRules,
    Message,
    MessageSighting,
    Receipt,
)
from groundwire.store import schema, table
from groundwire.store.columns import name_type
from groundwire.store.database import Database
from groundwire.store.payload import to_us
from groundwire.store.statement import Connection, Row, Statement
from groundwire.store.table import DatabaseTable, Rows, columns_of, reads, writes
from groundwire.words import coded, kept

_messages, _bands, _cursors = schema.messages, schema.bands, schema.cursors
_PURPOSE = "groundwire messages"  # two processes never decide on a message side by side
_KEYS = 20
_OF_KEY = 16  # messages with one key in common that are looked at, the newest
_COMPARED = 8  # candidates that are read and compared, those with the most keys in common first
_NO_RULES = DedupRules(exact=False, hash=False, near=False)  # for a person's message
_PRUNED_EVERY = 5_000  # messages, after which the keys of old ones are dropped
_REMEMBERED = 50_000  # texts that a process keeps

_OF_RECEIPT = ("first_id", "layer", "similarity", "why")
_first = func.coalesce(_messages.c.first_id, _messages.c.id)
_by_id = _messages.c.id == bindparam("of_id", type_=name_type())
_since: Any = bindparam("since", type_=BigInteger())

_MESSAGES = Rows(Message, columns_of(_messages, "sha256", *_OF_RECEIPT, "run_id"), "stored.message")
_CURSORS = Rows(Cursor, columns_of(_cursors))
_INSERT = Statement(insert(_messages))
_WHOLE = (*_MESSAGES.columns, *(_messages.c[name] for name in _OF_RECEIPT))
_GET = Statement(select(*_WHOLE).where(_by_id))
_FIRST_OF = Statement(select(_first).where(_by_id))
_BY_DIGEST = Statement(
    select(_first)
    .where(_messages.c.sha256 == bindparam("sha256"))
    .order_by(_messages.c.received_at, _messages.c.id)
    .limit(1)
)
_ADD_BAND = table.add_new(_bands, ["key", "at", "message_id"])


def _newest_of_key(number: int) -> Select[Any, Any]:
    """Select the newest messages of one key, not thousands that fill in one template."""
    found = (
        select(_bands.c.message_id, _bands.c.at)
        .where(_bands.c.key == bindparam(f"k{number}", type_=BigInteger()), _bands.c.at >= _since)
        .order_by(_bands.c.at.desc())
        .limit(_OF_KEY)
        .subquery()
    )
    return select(found.c.message_id, found.c.at)


_matches = union_all(*map(_newest_of_key, range(_KEYS))).subquery()
_IN_BANDS = Statement(
    select(_matches.c.message_id)
    .group_by(_matches.c.message_id)
    .order_by(func.count().desc(), func.max(_matches.c.at).desc(), _matches.c.message_id)
    .limit(_COMPARED)
)
_PRUNE = Statement(delete(_bands).where(_bands.c.at < _since))
_SIGHTINGS = Statement(
    select(*_WHOLE)
    .where(_messages.c.first_id == bindparam("of_id"))
    .order_by(_messages.c.received_at, _messages.c.id)
)
_UNVERIFIED = Statement(
    select(*_WHOLE)
    .where(_messages.c.run_id.is_(None), _messages.c.first_id.is_(None))
    .order_by(_messages.c.received_at, _messages.c.id)
    .limit(bindparam("count"))
)
_SET_RUN = Statement(update(_messages).where(_by_id).values(run_id=bindparam("to_run")))
_REPEATS = Statement(
    update(_messages)
    .where(_by_id, _messages.c.first_id.is_(None))
    .values({name: bindparam(f"to_{name}") for name in _OF_RECEIPT})
)
_FOLLOW = Statement(
    update(_messages)
    .where(_messages.c.first_id == bindparam("of_first"))
    .values(first_id=bindparam("to_first"))
)
_CURSOR = Statement(select(*_CURSORS.columns).where(_cursors.c.source == bindparam("source")))
_ADVANCE = table.put(_cursors, ["source"])
_OF_RUN = Statement(select(_messages.c.id).where(_messages.c.run_id == bindparam("run_id")))
_DROP = Statement(delete(_messages).where(_by_id))
_DROP_BANDS = Statement(delete(_bands).where(_bands.c.message_id == bindparam("of_id")))
_DROP_SIGHTINGS = Statement(
    delete(_messages).where(
        _messages.c.first_id == bindparam("of_id"), _messages.c.run_id.is_(None)
    )
)
_DETACH = Statement(
    update(_messages)
    .where(_messages.c.first_id == bindparam("of_id"))
    .values(first_id=null(), layer=null(), similarity=0.0, why="")
)


class _Repeats(NamedTuple):
    """Which message is repeated, how that is known, and why, in words of `words.kept`."""

    first_id: str | None = None
    layer: DedupLayer | None = None
    similarity: float = 0.0
    why: str = ""


_NEW = _Repeats()


class ExactWindow:
    """Exact texts of the last day in one process's memory, each with its first message.

    This is layer 1 of deduplication.
    """

    def __init__(self, most: int = _REMEMBERED) -> None:
        self._most = most
        self._known: OrderedDict[bytes, tuple[str, datetime]] = OrderedDict()

    def first(self, text: str, at: datetime) -> str | None:
        """Return the message that said exactly this within a day before."""
        known = self._known.get(_digest(text))
        return None if known is None or at - known[1] > dedup.EXACT_FOR else known[0]

    def add(self, text: str, first_id: str, at: datetime) -> None:
        """Keep a text; its first message stays until its day is over."""
        if self.first(text, at) is None:
            self._known[_digest(text)] = (first_id, at)
            self._known.move_to_end(_digest(text))
        while len(self._known) > self._most:
            self._known.popitem(last=False)


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


class MessageTable(DatabaseTable):
    """Implements `ports.Messages`."""

    def __init__(self, database: Database, window: ExactWindow) -> None:
        super().__init__(database)
        self._window = window
        self._since_pruned = _PRUNED_EVERY  # a process starts by pruning

    async def receive(
        self, message: Message, rules: DedupRules, cursor: Cursor | None = None
    ) -> Receipt:
        return (await self.receive_many([message], rules, cursor))[0]

    async def receive_many(
        self, messages: Sequence[Message], rules: DedupRules, cursor: Cursor | None = None
    ) -> Sequence[Receipt]:
        # The window belongs to this thread; the work may run twice, and must see it unchanged.
        exact = {
            each.text: first
            for each in messages
            if rules.exact and (first := self._window.first(each.text, each.received_at))
        }
        receipts = await self._receive(messages, rules, exact, cursor)
        self._since_pruned += len(messages)
        if messages and self._since_pruned > _PRUNED_EVERY:
            self._since_pruned = 0
            await self.prune(max(each.received_at for each in messages))
        for receipt in receipts:
            self._window.add(receipt.message.text, receipt.first_id, receipt.message.received_at)
        return receipts

    @writes
    def _receive(
        self,
        connection: Connection,
        messages: Sequence[Message],
        rules: DedupRules,
        exact: Mapping[str, str],
        cursor: Cursor | None,
    ) -> list[Receipt]:
        connection.dialect.lock_purpose(connection.raw, _PURPOSE)
        known = dict(exact)
        found: list[Receipt] = []
        for message in messages:
            receipt = _receive(connection, message, rules, known)
            if rules.exact:
                known.setdefault(message.text, receipt.first_id)
            found.append(receipt)
        if cursor is not None:
            connection.change(_ADVANCE, _CURSORS.cells(cursor))
        return found

    @reads
    def cursor(self, connection: Connection, source: str) -> Cursor | None:
        return connection.first(_CURSOR, {"source": source}, _CURSORS.value)

    @reads
    def unverified(self, connection: Connection, limit: int = 100) -> Sequence[Message]:
        rows = connection.all(_UNVERIFIED, {"count": limit})
        return [_receipt(row).message for row in rows]

    @reads
    def sightings(self, connection: Connection, message_id: str) -> Sequence[MessageSighting]:
        return [_sighting(row) for row in connection.all(_SIGHTINGS, {"of_id": message_id})]

    @reads
    def get(self, connection: Connection, message_id: str) -> Receipt | None:
        return connection.first(_GET, {"of_id": message_id}, _receipt)

    @writes
    def prune(self, connection: Connection, now: datetime) -> int:
        """Drop the look-up keys of messages too old for near-duplicates."""
        return connection.change(_PRUNE, {"since": to_us(now - dedup.NEAR_FOR)})


def keep(connection: Connection, message: Message, run_id: str) -> None:
    """Give a message its run; one that nobody received is stored first."""
    if not assign_run(connection, message.id, run_id):
        connection.dialect.lock_purpose(connection.raw, _PURPOSE)
        _receive(connection, message, _NO_RULES, {})
        assign_run(connection, message.id, run_id)


def assign_run(connection: Connection, message_id: str, run_id: str) -> bool:
    """Give a message its run; False: it is not stored."""
    return connection.change(_SET_RUN, {"of_id": message_id, "to_run": run_id}) > 0


def attach(
    connection: Connection, message_id: str, first_id: str, similarity: float, why: str
) -> None:
    """Record that a message repeats another, as its run found at its end (layer 4)."""
    values = {
        "of_id": message_id,
        "to_first_id": first_id,
        "to_layer": "signal",
        "to_similarity": similarity,
        "to_why": why,
    }
    if message_id != first_id and connection.change(_REPEATS, values):
        # Its own sightings move on to the first: only a first message has sightings.
        connection.change(_FOLLOW, {"of_first": message_id, "to_first": first_id})


def remove_of_run(connection: Connection, run_id: str) -> None:
    """Forget the message of a run and what repeats it; what has a run of its own stays."""
    for message_id in connection.column(_OF_RUN, {"run_id": run_id}):
        for statement in (_DROP_SIGHTINGS, _DETACH, _DROP_BANDS, _DROP):
            connection.change(statement, {"of_id": message_id})


# --- deciding --------------------------------------------------------------------------------


def _receive(
    connection: Connection, message: Message, rules: DedupRules, exact: Mapping[str, str]
) -> Receipt:
    stored = connection.first(_GET, {"of_id": message.id}, _receipt)
    if stored is not None:
        return stored
    digest = dedup.digest(message.text)
    repeats: _Repeats | None = None
    if message.text in exact:  # the first may have been forgotten since
        repeats = _same("exact", _first_of(connection, exact[message.text]))
    if repeats is None and rules.hash:
        known = connection.cell(_BY_DIGEST, {"sha256": digest})
        repeats = _same("hash", _stored(connection, known))
    keys: tuple[int, ...] = ()
    if repeats is None:
        # Kept whatever the rules for this one: later messages may be compared with it.
        keys = dedup.band_keys(message.text)
        repeats = _find_near(connection, message, keys) if rules.near else None
    fields = (repeats or _NEW)._asdict()
    connection.change(_INSERT, _MESSAGES.cells(message, sha256=digest, run_id=None, **fields))
    if repeats is None:
        at = to_us(message.received_at)
        rows = [{"key": key, "message_id": message.id, "at": at} for key in dict.fromkeys(keys)]
        connection.many(_ADD_BAND, rows)
        fields["first_id"] = message.id
    return Receipt(message=message, **fields)


def _same(layer: Literal["exact", "hash"], first: Message | None) -> _Repeats | None:
    if first is None:
        return None
    code = "sighting.text" if layer == "exact" else "sighting.words"
    return _Repeats(first.id, layer, 1.0, kept(code, came=_arrival(first)))


def _find_near(connection: Connection, message: Message, keys: Sequence[int]) -> _Repeats | None:
    values: dict[str, Any] = {f"k{n}": key for n, key in enumerate(keys)}
    values["since"] = to_us(message.received_at - dedup.NEAR_FOR)
    best: tuple[float, Message] | None = None
    for name in connection.column(_IN_BANDS, values):
        first = _stored(connection, name)
        if first is None:
            continue
        alike = dedup.near_duplicate(first.text, message.text)
        if alike.reaches(dedup.NEAR) and (best is None or alike.similarity > best[0]):
            best = (alike.similarity, first)
    if best is None:
        return None
    share, closest = best
    why = kept("sighting.near", alike=round(share, 2), came=_arrival(closest))
    first = _first_of(connection, closest.id) or closest
    return _Repeats(first.id, "near", share, why)


def _arrival(first: Message) -> dict[str, object]:
    at = f"{first.received_at:%Y-%m-%d %H:%M}"
    if not first.source:
        return coded("sighting.came", at=at)
    return coded("sighting.came_from", source=first.source, at=at)


def _first_of(connection: Connection, message_id: str) -> Message | None:
    """Return the message itself, or the one that it repeats: a run may have found that since."""
    return _stored(connection, connection.cell(_FIRST_OF, {"of_id": message_id}))


def _stored(connection: Connection, message_id: str | None) -> Message | None:
    found = connection.first(_GET, {"of_id": message_id}, _receipt)
    return None if found is None else found.message


# --- rows ------------------------------------------------------------------------------------


def _receipt(row: Row) -> Receipt:
    *cells, first_id, layer, similarity, why = row
    return Receipt(
        message=_MESSAGES.value(cells),
        first_id=first_id or row[0],
        layer=layer,
        similarity=similarity,
        why=why,
    )


def _sighting(row: Row) -> MessageSighting:
    receipt = _receipt(row)
    message = receipt.message
    return MessageSighting.model_validate(
        {
            "message_id": message.id,
            **message.model_dump(include={"source", "author", "published_at", "received_at"}),
            **receipt.model_dump(include={"layer", "similarity", "why"}),
        }
    )
