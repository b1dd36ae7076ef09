"""The outbox, on both databases: written with the end of a run, given to one at a time, noted."""

from __future__ import annotations

from datetime import timedelta

import pytest

from groundwire.errors import Fenced
from groundwire.model.ending import Ending
from groundwire.model.outbox import Notice, Subscriber
from groundwire.store import Store
from tests.parcels import waiting

from .make import NOW
from .signals import addressed, begun, end, ended, judged_event

SOON = NOW + timedelta(seconds=30)
LATER = NOW + timedelta(minutes=1)
DESK = Subscriber(channel="webhook", name="desk")
NOTICE = Notice(kind="signal", content={"summary": "诺瓦桥"})


async def test_what_a_run_has_to_tell_waits_as_it_was_given(store: Store):
    await ended(store, "verify-1", notice=NOTICE)
    (parcel,) = await waiting(store)
    assert (parcel.run_id, parcel.attempt, parcel.kind) == ("verify-1", 1, "signal")
    assert (parcel.channel, parcel.subscriber) == ("webhook", "desk")
    assert parcel.content == {"summary": "诺瓦桥"}
    assert (parcel.created_at, parcel.delivered_at, parcel.tries) == (NOW, None, 0)


async def test_nothing_is_written_where_nobody_is_told(store: Store):
    await ended(store, "verify-1")
    await end(store, await begun(store, "ask-1", kind="ask"), None)
    assert await waiting(store) == []


async def test_a_run_that_lost_its_lease_tells_nobody(store: Store):
    lease = await begun(store, "verify-1")
    stale = lease.model_copy(update={"fence": lease.fence - 1})
    with pytest.raises(Fenced):
        await end(store, stale, None, NOTICE)
    assert await waiting(store) == []


async def test_each_subscriber_is_told_once_however_often_the_end_is_written(store: Store):
    lease = await begun(store, "verify-1")
    parcels = (addressed(lease, NOTICE), addressed(lease, NOTICE, "alerts"))
    for _ in range(2):
        await store.runs.finish(lease, Ending("complete", NOW, {}, parcels=parcels))
    left = await waiting(store)
    assert [each.subscriber for each in left] == ["desk", "alerts"]
    assert len({each.id for each in left}) == 2
    assert [each.subscriber for each in await store.outbox.take(DESK, NOW, SOON)] == ["desk"]


async def test_what_is_taken_is_given_to_nobody_else_until_it_is_given_up(store: Store):
    await ended(store, "verify-1", notice=NOTICE)
    assert await store.outbox.take(DESK, NOW - timedelta(seconds=1), SOON) == []
    (parcel,) = await store.outbox.take(DESK, NOW, SOON)
    assert await store.outbox.take(DESK, NOW, SOON) == []
    (again,) = await store.outbox.take(DESK, SOON, LATER)  # who had it said nothing: it may be dead
    assert (again.id, again.tries) == (parcel.id, 0)


async def test_what_is_delivered_is_delivered_once(store: Store):
    await ended(store, "verify-1", notice=NOTICE)
    (parcel,) = await store.outbox.take(DESK, NOW, SOON)
    assert await store.outbox.delivered(parcel, LATER)
    assert not await store.outbox.delivered(parcel, LATER)
    assert await waiting(store) == []
    assert await store.outbox.take(DESK, LATER, LATER) == []
    assert await store.outbox.prune(NOW) == 0
    assert await store.outbox.prune(LATER) == 1


async def test_what_failed_goes_on_waiting_with_its_tries(store: Store):
    await ended(store, "verify-1", notice=NOTICE)
    for _ in range(2):
        (parcel,) = await store.outbox.take(DESK, NOW, NOW)
        assert await store.outbox.failed(parcel, "no answer", NOW, NOW)
    (again,) = await waiting(store)
    assert (again.tries, again.error, again.delivered_at) == (2, "no answer", None)
    await store.outbox.failed(again, "no answer", NOW, LATER)
    assert await store.outbox.take(DESK, SOON, LATER) == []
    assert len(await store.outbox.take(DESK, LATER, LATER)) == 1


async def test_a_new_attempt_tells_the_same_subscriber_what_it_found_under_the_same_id(
    store: Store,
):
    await ended(store, "verify-1", notice=NOTICE)
    (first,) = await store.outbox.take(DESK, NOW, SOON)
    await store.outbox.delivered(first, NOW)
    await store.runs.reopen("verify-1", LATER)
    lease = await store.runs.claim("verify-1", "worker", LATER, LATER + timedelta(minutes=1))
    assert lease is not None
    await end(store, lease, judged_event(), Notice(kind="signal", content={"summary": "again"}))
    (second,) = await waiting(store)
    assert (second.id, second.attempt, second.tries) == (first.id, 2, 0)
    assert second.content == {"summary": "again"}
    assert not await store.outbox.delivered(first, LATER)  # of before: it says nothing of this one


async def test_a_forgotten_run_is_not_told_of(store: Store):
    await ended(store, "verify-1", notice=NOTICE)
    await store.runs.delete("verify-1")
    assert await waiting(store) == []
