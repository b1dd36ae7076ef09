"""The outbox, on both databases: one row for each signal, delivered once."""

from __future__ import annotations

from datetime import timedelta

from groundwire.store import Store

from .make import NOW
from .signals import begun, end, ended, landing

LATER = NOW + timedelta(minutes=1)


async def test_a_finished_signal_waits_to_be_handed_on_as_it_was_stored(store: Store):
    await ended(store, "verify-1", verdict="supported", summary="诺瓦桥")
    (parcel,) = await store.outbox.waiting()
    run = await store.runs.get("verify-1")
    assert run is not None
    assert (parcel.run_id, parcel.attempt, parcel.kind) == ("verify-1", 1, "signal")
    assert parcel.payload == run.result
    assert (parcel.created_at, parcel.delivered_at, parcel.tries) == (NOW, None, 0)


async def test_a_run_without_a_signal_leaves_nothing(store: Store):
    await end(store, await begun(store, "ask-1", kind="ask"), None)
    assert await store.outbox.waiting() == []


async def test_a_repetition_is_handed_on_as_what_it_is(store: Store):
    await ended(store, "verify-1", landing(path="duplicate", duplicate_of="verify-0"))
    assert [each.kind for each in await store.outbox.waiting()] == ["sighting"]


async def test_what_is_delivered_is_delivered_once(store: Store):
    await ended(store, "verify-1")
    (parcel,) = await store.outbox.waiting()
    assert await store.outbox.delivered(parcel.id, LATER)
    assert not await store.outbox.delivered(parcel.id, LATER)
    assert await store.outbox.waiting() == []


async def test_what_failed_goes_on_waiting_with_its_tries(store: Store):
    await ended(store, "verify-1")
    (parcel,) = await store.outbox.waiting()
    for _ in range(2):
        await store.outbox.failed(parcel.id, "no answer", LATER)
    (again,) = await store.outbox.waiting()
    assert (again.tries, again.error, again.delivered_at) == (2, "no answer", None)


async def test_each_attempt_of_a_run_is_handed_on_in_order(store: Store):
    await ended(store, "verify-1", said=1)
    await ended(store, "verify-2", said=2)
    await store.runs.reopen("verify-1", LATER)
    lease = await store.runs.claim("verify-1", "worker", LATER, LATER + timedelta(minutes=1))
    assert lease is not None
    await end(store, lease, landing(), said=3)
    waiting = await store.outbox.waiting()
    assert [(each.run_id, each.attempt, each.payload["said"]) for each in waiting] == [
        ("verify-1", 1, 1),
        ("verify-2", 1, 2),
        ("verify-1", 2, 3),
    ]
    assert len({each.id for each in waiting}) == 3
    assert [each.run_id for each in await store.outbox.waiting(limit=1)] == ["verify-1"]
