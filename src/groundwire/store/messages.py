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
_AS_IT_IS = DedupRules(exact=False, hash=False, near=False)  # a person's message
_PRUNED_EVERY = 5_000  # messages, after which the keys of old ones are dropped
_REMEMBERED = 50_000  # texts that a process keeps in mind

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
    """A template that thousands of messages fill in must not make each of them read thousands."""
    found = (
        select(_bands.c.message_id, _bands.c.at)
        .where(_bands.c.key == bindparam(f"k{number}", type_=BigInteger()), _bands.c.at >= _since)
        .order_by(_bands.c.at.desc())
        .limit(_OF_KEY)
        .subquery()
    )
    return select(found.c.message_id, found.c.at)


_met = union_all(*map(_newest_of_key, range(_KEYS))).subquery()
_IN_BANDS = Statement(
    select(_met.c.message_id)
    .group_by(_met.c.message_id)
    .order_by(func.count().desc(), func.max(_met.c.at).desc(), _met.c.message_id)
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
_HANDED = Statement(update(_messages).where(_by_id).values(run_id=bindparam("to_run")))
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
_STAND_ALONE = Statement(
    update(_messages)
    .where(_messages.c.first_id == bindparam("of_id"))
    .values(first_id=null(), layer=null(), similarity=0.0, why="")
)


class _Repeats(NamedTuple):
    """Of which message, how that is known, and why, as `words.kept` says it."""

    first_id: str | None = None
    layer: DedupLayer | None = None
    similarity: float = 0.0
    why: str = ""


_NEW = _Repeats()


class ExactWindow:
    """Texts of the last day, letter by letter, in the memory of one process, with the message that
    said each first (dedup layer 1)."""

    def __init__(self, most: int = _REMEMBERED) -> None:
        self._most = most
        self._known: OrderedDict[bytes, tuple[str, datetime]] = OrderedDict()

    def first(self, said: str, at: datetime) -> str | None:
        """The message that said exactly this within a day before."""
        known = self._known.get(_letters(said))
        return None if known is None or at - known[1] > dedup.EXACT_FOR else known[0]

    def add(self, said: str, first_id: str, at: datetime) -> None:
        """What was said first stays until its day is over."""
        if self.first(said, at) is None:
            self._known[_letters(said)] = (first_id, at)
            self._known.move_to_end(_letters(said))
        while len(self._known) > self._most:
            self._known.popitem(last=False)


def _letters(said: str) -> bytes:
    return hashlib.blake2b(said.encode(), digest_size=16).digest()


class MessageTable(DatabaseTable):
    """Implements `ports.Messages`."""

    def __init__(self, database: Database, window: ExactWindow) -> None:
        super().__init__(database)
        self._window = window
        self._since_pruned = _PRUNED_EVERY  # a process begins with it

    async def receive(
        self, message: Message, rules: DedupRules, cursor: Cursor | None = None
    ) -> Receipt:
        return (await self.receive_many([message], rules, cursor))[0]

    async def receive_many(
        self, messages: Sequence[Message], rules: DedupRules, cursor: Cursor | None = None
    ) -> Sequence[Receipt]:
        # The window is of this thread; the work may run twice, and must find it as it was.
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
        connection.dialect.alone(connection.raw, _PURPOSE)
        known = dict(exact)
        found: list[Receipt] = []
        for message in messages:
            receipt = _received(connection, message, rules, known)
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
        """Drop the look-up keys of messages that are too old to be repeated nearly."""
        return connection.change(_PRUNE, {"since": to_us(now - dedup.NEAR_FOR)})


def keep(connection: Connection, message: Message, run_id: str) -> None:
    """Give a message its run; one that nobody received is stored, as it is."""
    if not hand(connection, message.id, run_id):
        connection.dialect.alone(connection.raw, _PURPOSE)
        _received(connection, message, _AS_IT_IS, {})
        hand(connection, message.id, run_id)


def hand(connection: Connection, message_id: str, run_id: str) -> bool:
    """A message has its run; False: it is not here."""
    return connection.change(_HANDED, {"of_id": message_id, "to_run": run_id}) > 0


def attach(
    connection: Connection, message_id: str, first_id: str, similarity: float, why: str
) -> None:
    """A run found that its message tells what another told (layer 4); part of the run's end."""
    values = {
        "of_id": message_id,
        "to_first_id": first_id,
        "to_layer": "signal",
        "to_similarity": similarity,
        "to_why": why,
    }
    if message_id != first_id and connection.change(_REPEATS, values):
        # What repeats it repeats the first one: nothing is the first of another but a first.
        connection.change(_FOLLOW, {"of_first": message_id, "to_first": first_id})


def remove_of_run(connection: Connection, run_id: str) -> None:
    """Forget the message of a run with what repeats it; what has a run of its own stays with it."""
    for message_id in connection.column(_OF_RUN, {"run_id": run_id}):
        for statement in (_DROP_SIGHTINGS, _STAND_ALONE, _DROP_BANDS, _DROP):
            connection.change(statement, {"of_id": message_id})


# --- deciding --------------------------------------------------------------------------------


def _received(
    connection: Connection, message: Message, rules: DedupRules, exact: Mapping[str, str]
) -> Receipt:
    there = connection.first(_GET, {"of_id": message.id}, _receipt)
    if there is not None:
        return there
    digest = dedup.digest(message.text)
    repeats: _Repeats | None = None
    if message.text in exact:  # what said it may have been forgotten since
        repeats = _same("exact", _first_of(connection, exact[message.text]))
    if repeats is None and rules.hash:
        known = connection.cell(_BY_DIGEST, {"sha256": digest})
        repeats = _same("hash", _stored(connection, known))
    keys: tuple[int, ...] = ()
    if repeats is None:
        # Kept whatever the rules for this one: what comes later may be compared with it.
        keys = dedup.keys(message.text)
        repeats = _nearly(connection, message, keys) if rules.near else None
    said = (repeats or _NEW)._asdict()
    connection.change(_INSERT, _MESSAGES.cells(message, sha256=digest, run_id=None, **said))
    if repeats is None:
        at = to_us(message.received_at)
        rows = [{"key": key, "message_id": message.id, "at": at} for key in dict.fromkeys(keys)]
        connection.many(_ADD_BAND, rows)
        said["first_id"] = message.id
    return Receipt(message=message, **said)


def _same(layer: Literal["exact", "hash"], first: Message | None) -> _Repeats | None:
    if first is None:
        return None
    code = "sighting.text" if layer == "exact" else "sighting.words"
    return _Repeats(first.id, layer, 1.0, kept(code, came=_came(first)))


def _nearly(connection: Connection, message: Message, keys: Sequence[int]) -> _Repeats | None:
    values: dict[str, Any] = {f"k{n}": key for n, key in enumerate(keys)}
    values["since"] = to_us(message.received_at - dedup.NEAR_FOR)
    best: tuple[float, Message] | None = None
    for name in connection.column(_IN_BANDS, values):
        first = _stored(connection, name)
        if first is None:
            continue
        alike = dedup.near(first.text, message.text)
        if alike.reaches(dedup.NEAR) and (best is None or alike.similarity > best[0]):
            best = (alike.similarity, first)
    if best is None:
        return None
    share, like = best
    why = kept("sighting.near", alike=round(share, 2), came=_came(like))
    first = _first_of(connection, like.id) or like
    return _Repeats(first.id, "near", share, why)


def _came(first: Message) -> dict[str, object]:
    at = f"{first.received_at:%Y-%m-%d %H:%M}"
    if not first.source:
        return coded("sighting.came", at=at)
    return coded("sighting.came_from", source=first.source, at=at)


def _first_of(connection: Connection, message_id: str) -> Message | None:
    """The message itself, or the one that it repeats: a run may have found that since (layer 4)."""
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
