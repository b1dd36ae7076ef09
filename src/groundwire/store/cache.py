"""Answers shared between runs: a table, and a small memory in front of it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import bindparam, delete, select

from groundwire.model.base import JsonObject, canonical
from groundwire.model.call import CacheEntry
from groundwire.store import schema, table
from groundwire.store.database import Database
from groundwire.store.payload import compress, expand, from_us, parse, to_us
from groundwire.store.statement import Connection, Statement
from groundwire.store.table import DatabaseTable, writes

_cache = schema.cache
_MEMORY_BYTES = 4 * 1024 * 1024  # of JSON text; as Python objects it is several times that


_PUT = table.put(_cache, ["key"])
_GET = Statement(
    select(*_cache.c["response", "stored_at", "expires_at"]).where(_cache.c.key == bindparam("key"))
)
_PRUNE = Statement(delete(_cache).where(_cache.c.expires_at <= bindparam("now")))


class Packed:
    """A response in its stored form, and as every later reader will see it."""

    __slots__ = ("data", "size", "value")

    def __init__(self, data: bytes, text: bytes) -> None:
        self.data = data
        self.size = len(text)
        self.value: JsonObject = parse(text)

    @classmethod
    def of(cls, response: JsonObject) -> Packed:
        text = canonical(response)
        return cls(compress(text), text)

    @classmethod
    def stored(cls, data: bytes) -> Packed:
        return cls(data, expand(data))


def put(connection: Connection, entry: CacheEntry, packed: Packed) -> None:
    """Insert or replace an entry, in the caller's transaction."""
    times = {"stored_at": to_us(entry.stored_at), "expires_at": to_us(entry.expires_at)}
    connection.change(_PUT, {"key": entry.key, "response": packed.data, **times})


class RecentAnswers:
    """The newest answers of this process, bounded in bytes; usable from any thread."""

    def __init__(self, limit: int = _MEMORY_BYTES) -> None:
        self._limit = limit
        self._size = 0
        self._entries: OrderedDict[str, tuple[CacheEntry, Packed, tuple[int, ...]]] = OrderedDict()
        self._shapes: dict[tuple[int, ...], Packed] = {}
        self._lock = threading.Lock()

    def get(self, key: str, now: datetime) -> CacheEntry | None:
        with self._lock:
            cached = self._entries.get(key)
            if cached is None:
                return None
            if cached[0].expires_at <= now:
                self._drop(key)
                return None
            self._entries.move_to_end(key)
            return cached[0]

    def put(self, entry: CacheEntry, packed: Packed) -> None:
        with self._lock:
            self._drop(entry.key)
            shape = _shape(entry.response)
            self._entries[entry.key] = (entry, packed, shape)
            self._shapes[shape] = packed
            self._size += packed.size
            while self._size > self._limit:
                self._drop(next(iter(self._entries)))

    def forget(self, keys: Iterable[str]) -> None:
        with self._lock:
            for key in keys:
                self._drop(key)

    def packed(self, response: JsonObject) -> Packed | None:
        """Return the stored form of a response that came from here, without packing it again.

        It is known by the identity of its parts: values between modules are never changed, and
        the entry keeps the parts alive, so an identity cannot come to mean something else.
        """
        with self._lock:
            found = self._shapes.get(_shape(response))
        # Equal parts under other names are another response.
        return found if found is not None and list(found.value) == list(response) else None

    def _drop(self, key: str) -> None:
        cached = self._entries.pop(key, None)
        if cached is not None:
            self._shapes.pop(cached[2], None)
            self._size -= cached[1].size


def _shape(response: JsonObject) -> tuple[int, ...]:
    return tuple([id(part) for part in response.values()])


class CacheTable(DatabaseTable):
    """Implements `ports.Cache`."""

    def __init__(self, database: Database, memory: RecentAnswers) -> None:
        super().__init__(database)
        self._memory = memory

    async def get(self, key: str, now: datetime) -> CacheEntry | None:
        """Return the answer, unless it has expired at `now`."""
        recent = self._memory.get(key, now)
        if recent is not None:
            return recent
        found = await self.database.read(lambda connection: _load(connection, key))
        if found is None or found[0].expires_at <= now:
            return None
        self._memory.put(*found)
        return found[0]

    @writes
    def prune(self, connection: Connection, now: datetime) -> int:
        """Remove what has expired."""
        return connection.change(_PRUNE, {"now": to_us(now)})


def _load(connection: Connection, key: str) -> tuple[CacheEntry, Packed] | None:
    row = connection.one(_GET, {"key": key})
    if row is None:
        return None
    packed = Packed.stored(row[0])
    entry = CacheEntry(
        key=key, response=packed.value, stored_at=from_us(row[1]), expires_at=from_us(row[2])
    )
    return entry, packed
