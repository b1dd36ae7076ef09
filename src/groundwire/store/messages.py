"""Messages as they came in: each is new or one more sighting of an earlier one, decided once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from pydantic import ValidationError
from sqlalchemy import BigInteger, Select, bindparam, delete, func, null, select, union_all, update

from groundwire.errors import CorruptStore
from groundwire.evidence.memory import dedup
from groundwire.model.message import (
    Cursor,
    DedupLayer,
    DedupRules,
    Message,
    MessageSighting,
    Receipt,
)
from groundwire.model.phrase import phrase
from groundwire.store import schema
from groundwire.store.database import Database
from groundwire.store.payload import (
    from_us,
    from_us_or_none,
    parse,
    text,
    to_us,
    to_us_or_none,
)
from groundwire.store.statement import Connection, Row, Statement
from groundwire.store.window import ExactWindow

_messages, _bands, _cursors = schema.messages, schema.bands, schema.cursors
_PURPOSE = "groundwire messages"  # two processes never decide on a message side by side
_KEYS = 20
_OF_KEY = 16  # messages with one key in common that are looked at, the newest
_COMPARED = 8  # candidates that are read and compared, those with the most keys in common first
_AS_IT_IS = DedupRules(exact=False, hash=False, near=False)  # a person's message
_PRUNED_EVERY = 5_000  # messages, after which the keys of old ones are dropped

_first = func.coalesce(_messages.c.first_id, _messages.c.id)
_by_id = _messages.c.id == bindparam("of_id", type_=schema.name_type())
_since: Any = bindparam("since", type_=BigInteger())

_INSERT = Statement(lambda dialect: dialect.insert(_messages))
_GET = Statement(select(_messages).where(_by_id))
_FIRST_OF = Statement(select(_first).where(_by_id))
_BY_DIGEST = Statement(
    select(_first)
    .where(_messages.c.sha256 == bindparam("sha256"))
    .order_by(_messages.c.received_at, _messages.c.id)
    .limit(1)
)
_ADD_BAND = Statement(lambda dialect: dialect.insert(_bands).on_conflict_do_nothing())


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
    select(_messages)
    .where(_messages.c.first_id == bindparam("of_id"))
    .order_by(_messages.c.received_at, _messages.c.id)
)
_UNVERIFIED = Statement(
    select(_messages)
    .where(_messages.c.run_id.is_(None), _messages.c.first_id.is_(None))
    .order_by(_messages.c.received_at, _messages.c.id)
    .limit(bindparam("count"))
)
_HANDED = Statement(update(_messages).where(_by_id).values(run_id=bindparam("to_run")))
_REPEATS = Statement(
    update(_messages)
    .where(_by_id, _messages.c.first_id.is_(None))
    .values(
        first_id=bindparam("to_first"),
        layer=bindparam("to_layer"),
        similarity=bindparam("to_similarity"),
        why=bindparam("to_why"),
    )
)
_FOLLOW = Statement(
    update(_messages)
    .where(_messages.c.first_id == bindparam("of_first"))
    .values(first_id=bindparam("to_first"))
)
_CURSOR = Statement(select(_cursors).where(_cursors.c.source == bindparam("source")))
_ADVANCE = Statement(
    lambda dialect: (
        dialect.insert(_cursors)
        .values(
            source=bindparam("source"),
            state=bindparam("state"),
            at=bindparam("at", type_=BigInteger()),
        )
        .on_conflict_do_update(
            index_elements=["source"],
            set_={"state": bindparam("state"), "at": bindparam("at", type_=BigInteger())},
        )
    )
)
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
    """Of which message, how that is known, and why."""

    first_id: str
    layer: DedupLayer
    similarity: float
    why: str


class MessageTable:
    """Implements `signal_ports.Messages`."""

    def __init__(self, database: Database, window: ExactWindow) -> None:
        self._database = database
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

        def work(connection: Connection) -> list[Receipt]:
            connection.dialect.alone(connection.raw, _PURPOSE)
            known = dict(exact)
            found: list[Receipt] = []
            for message in messages:
                receipt = _received(connection, message, rules, known)
                if rules.exact:
                    known.setdefault(message.text, receipt.first_id)
                found.append(receipt)
            if cursor is not None:
                _advance(connection, cursor)
            return found

        receipts = await self._database.write(work)
        self._since_pruned += len(messages)
        if messages and self._since_pruned > _PRUNED_EVERY:
            self._since_pruned = 0
            await self.prune(max(each.received_at for each in messages))
        for receipt in receipts:
            self._window.add(receipt.message.text, receipt.first_id, receipt.message.received_at)
        return receipts

    async def advance(self, cursor: Cursor) -> None:
        await self._database.write(lambda c: _advance(c, cursor))

    async def cursor(self, source: str) -> Cursor | None:
        row = await self._database.read(lambda c: c.one(_CURSOR, {"source": source}))
        if row is None:
            return None
        return Cursor(source=row[0], state=parse(row[1]), at=from_us(row[2]))

    async def unverified(self, limit: int = 100) -> Sequence[Message]:
        rows = await self._database.read(lambda c: c.all(_UNVERIFIED, {"count": limit}))
        return [_message(_named(row)) for row in rows]

    async def sightings(self, message_id: str) -> Sequence[MessageSighting]:
        rows = await self._database.read(lambda c: c.all(_SIGHTINGS, {"of_id": message_id}))
        return [_sighting(_named(row)) for row in rows]

    async def get(self, message_id: str) -> Receipt | None:
        row = await self._database.read(lambda c: c.one(_GET, {"of_id": message_id}))
        return None if row is None else _receipt(_named(row))

    async def prune(self, now: datetime) -> int:
        since = to_us(now - dedup.NEAR_FOR)
        return await self._database.write(lambda c: c.change(_PRUNE, {"since": since}))


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
        "to_first": first_id,
        "to_layer": "signal",
        "to_similarity": similarity,
        "to_why": why,
    }
    if message_id != first_id and connection.change(_REPEATS, values):
        # What repeats it repeats the first one: nothing is the first of another but a first.
        connection.change(_FOLLOW, {"of_first": message_id, "to_first": first_id})


def remove_of_run(connection: Connection, run_id: str) -> None:
    """Forget the message of a run with what repeats it; what has a run of its own stays with it."""
    for (message_id,) in connection.all(_OF_RUN, {"run_id": run_id}):
        connection.change(_DROP_SIGHTINGS, {"of_id": message_id})
        connection.change(_STAND_ALONE, {"of_id": message_id})
        connection.change(_DROP_BANDS, {"of_id": message_id})
        connection.change(_DROP, {"of_id": message_id})


# --- deciding --------------------------------------------------------------------------------


def _received(
    connection: Connection, message: Message, rules: DedupRules, exact: Mapping[str, str]
) -> Receipt:
    there = connection.one(_GET, {"of_id": message.id})
    if there is not None:
        return _receipt(_named(there))
    digest = dedup.digest(message.text)
    repeats = _exactly(connection, message, exact) or (
        _same_words(connection, message, digest) if rules.hash else None
    )
    keys: tuple[int, ...] = ()
    if repeats is None:
        # Kept whatever the rules for this one: what comes later may be compared with it.
        keys = dedup.keys(message.text)
        repeats = _nearly(connection, message, keys) if rules.near else None
    connection.change(_INSERT, _values(message, digest, repeats))
    if repeats is None:
        at = to_us(message.received_at)
        rows = [{"key": key, "message_id": message.id, "at": at} for key in dict.fromkeys(keys)]
        connection.many(_ADD_BAND, rows)
        return Receipt(message=message, first_id=message.id)
    return Receipt(message=message, **repeats._asdict())


def _exactly(connection: Connection, message: Message, exact: Mapping[str, str]) -> _Repeats | None:
    name = exact.get(message.text)
    first = None if name is None else _first_of(connection, name)
    if first is None:  # it may have been forgotten since
        return None
    return _Repeats(first.id, "exact", 1.0, f"the same text came {_came(first)}")


def _same_words(connection: Connection, message: Message, digest: str) -> _Repeats | None:
    row = connection.one(_BY_DIGEST, {"sha256": digest})
    first = None if row is None else _stored(connection, row[0])
    if first is None:
        return None
    return _Repeats(first.id, "hash", 1.0, f"the same words came {_came(first)}")


def _nearly(connection: Connection, message: Message, keys: Sequence[int]) -> _Repeats | None:
    values: dict[str, Any] = {f"k{n}": key for n, key in enumerate(keys)}
    values["since"] = to_us(message.received_at - dedup.NEAR_FOR)
    best: tuple[float, Message] | None = None
    for (name,) in connection.all(_IN_BANDS, values):
        first = _stored(connection, name)
        if first is None:
            continue
        alike = dedup.near(first.text, message.text)
        if alike.reaches(dedup.NEAR) and (best is None or alike.similarity > best[0]):
            best = (alike.similarity, first)
    if best is None:
        return None
    share, like = best
    why = f"nearly the same text ({share:.2f}) came {_came(like)}"
    first = _first_of(connection, like.id) or like
    return _Repeats(first.id, "near", share, why)


def _came(first: Message) -> str:
    at = f"at {first.received_at:%Y-%m-%d %H:%M} UTC"
    return f"from {first.source} {at}" if first.source else at


def _first_of(connection: Connection, message_id: str) -> Message | None:
    """The message itself, or the one that it repeats: a run may have found that since (layer 4)."""
    row = connection.one(_FIRST_OF, {"of_id": message_id})
    return None if row is None else _stored(connection, row[0])


def _stored(connection: Connection, message_id: str) -> Message | None:
    row = connection.one(_GET, {"of_id": message_id})
    return None if row is None else _message(_named(row))


# --- rows ------------------------------------------------------------------------------------


def _advance(connection: Connection, cursor: Cursor) -> None:
    values = {"source": cursor.source, "state": text(cursor.state), "at": to_us(cursor.at)}
    connection.change(_ADVANCE, values)


def _values(message: Message, digest: str, repeats: _Repeats | None) -> dict[str, Any]:
    return {
        **message.model_dump(include={"id", "text", "language", "source", "author", "zone"}),
        "sha256": digest,
        "published_at": to_us_or_none(message.published_at),
        "received_at": to_us(message.received_at),
        "keywords_hit": text(message.keywords_hit),
        "media_urls": text(message.media_urls),
        "first_id": repeats.first_id if repeats else None,
        "layer": repeats.layer if repeats else None,
        "similarity": repeats.similarity if repeats else 0.0,
        "why": repeats.why if repeats else "",
        "run_id": None,
    }


def _named(row: Row) -> dict[str, Any]:
    return dict(zip(_messages.c.keys(), row, strict=True))


def _message(values: Mapping[str, Any]) -> Message:
    names = ("id", "text", "language", "source", "author", "zone")
    try:
        return Message(
            **{name: values[name] for name in names},
            published_at=from_us_or_none(values["published_at"]),
            received_at=from_us(values["received_at"]),
            keywords_hit=parse(values["keywords_hit"]),
            media_urls=parse(values["media_urls"]),
        )
    except ValidationError as error:
        raise CorruptStore(
            "error.stored_unreadable", what=phrase("stored.message", id=values["id"])
        ) from error


def _receipt(values: Mapping[str, Any]) -> Receipt:
    return Receipt(
        message=_message(values),
        first_id=values["first_id"] or values["id"],
        layer=values["layer"],
        similarity=values["similarity"],
        why=values["why"],
    )


def _sighting(values: Mapping[str, Any]) -> MessageSighting:
    message = _message(values)
    return MessageSighting(
        message_id=message.id,
        source=message.source,
        author=message.author,
        published_at=message.published_at,
        received_at=message.received_at,
        layer=values["layer"],
        similarity=values["similarity"],
        why=values["why"],
    )
