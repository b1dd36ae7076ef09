"""The cross-run cache and the memory in front of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from groundwire.model.call import CacheEntry, CallError
from groundwire.store import Store, open_store
from groundwire.store.cache import Packed, RecentAnswers
from groundwire.store.payload import pack

from .make import NOW, Make

UNTIL = NOW + timedelta(seconds=600)


async def shared(store: Store, make: Make, key: str = "k1", **changes: Any) -> None:
    lease = await make.lease(store, f"run_{key}")
    await store.ledger.begin(lease, make.intent(key))
    settlement = make.answer(key, cache_key="c", cache_until=UNTIL, **changes)
    await store.ledger.finish(lease, settlement)


async def test_an_answer_is_shared_until_it_expires(store: Store, make: Make, database_url: str):
    await shared(store, make)
    entry = CacheEntry(
        key="c", response={"results": [{"title": "稳定币"}]}, stored_at=NOW, expires_at=UNTIL
    )
    async with open_store(database_url) as other:  # nothing in its memory
        for where in (store, other, other):
            assert await where.cache.get("c", NOW) == entry
            assert await where.cache.get("c", UNTIL - timedelta(microseconds=1)) == entry
        assert await other.cache.get("c", UNTIL) is None
    assert await store.cache.get("c", UNTIL) is None
    assert await store.cache.get("other", NOW) is None


async def test_what_this_process_stored_is_answered_from_memory(store: Store, make: Make):
    await shared(store, make)
    await store.close()
    assert await store.cache.get("c", NOW) is not None


async def test_a_newer_answer_replaces_the_older(store: Store, make: Make, database_url: str):
    await shared(store, make, "k1")
    await shared(store, make, "k2", response={"v": 2})
    async with open_store(database_url) as other:
        for where in (store, other):
            entry = await where.cache.get("c", NOW)
            assert entry is not None
            assert entry.response == {"v": 2}


async def test_failures_are_never_shared(store: Store, make: Make):
    failure = CallError(code="server", message="boom")
    await shared(store, make, outcome="failed", error=failure)
    assert await store.cache.get("c", NOW) is None


async def test_prune_removes_what_has_expired(store: Store, make: Make):
    await shared(store, make)
    assert await store.cache.prune(NOW) == 0
    assert await store.cache.prune(UNTIL) == 1


async def test_a_cached_answer_is_recorded_as_it_was(store: Store, make: Make):
    await shared(store, make, response={"b": "长" * 3000, "a": [1]})
    entry = await store.cache.get("c", NOW)
    assert entry is not None
    lease = await make.lease(store, "reader")
    settlement = make.answer("k9", response=entry.response)
    record = await store.ledger.note(lease, make.intent("k9"), settlement, "cache")
    assert record.response == entry.response
    assert await store.ledger.find("reader", "k9") == record


def remembered(memory: RecentAnswers, key: str, response: dict[str, Any]) -> CacheEntry:
    packed = Packed.of(response)
    entry = CacheEntry(key=key, response=packed.value, stored_at=NOW, expires_at=UNTIL)
    memory.put(entry, packed)
    return entry


def test_memory_forgets_the_least_used_when_it_is_full():
    memory = RecentAnswers(limit=30)
    remembered(memory, "a", {"x": "1234"})  # 12 bytes of JSON
    remembered(memory, "b", {"x": "1234"})
    assert memory.get("a", NOW) is not None
    remembered(memory, "c", {"x": "1234"})
    assert [key for key in "abc" if memory.get(key, NOW)] == ["a", "c"]
    remembered(memory, "huge", {"x": "1" * 100})
    assert [key for key in ("a", "c", "huge") if memory.get(key, NOW)] == []


def test_memory_knows_its_own_responses_and_no_others():
    memory = RecentAnswers()
    entry = remembered(memory, "a", {"p": 1, "q": 2, "text": "x" * 50})
    known = memory.packed(dict(entry.response))
    assert known is not None
    assert known.data == pack(entry.response)
    # The same parts under other names are another response.
    p, q, text = entry.response.values()
    assert memory.packed({"q": p, "p": q, "text": text}) is None
    assert memory.packed({"p": 1, "q": 2, "text": "".join(["x"] * 50)}) is None
    remembered(memory, "a", {"other": "y" * 60})
    assert memory.packed(dict(entry.response)) is None
