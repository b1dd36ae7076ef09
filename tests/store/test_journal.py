"""Events are numbered once, in order, without gaps, and only by the holder of the lease."""

from __future__ import annotations

import asyncio

import pytest

from groundwire.errors import Fenced
from groundwire.model.ending import Ending
from groundwire.model.event import event_key
from groundwire.store import Store
from tests.claims import take_over

from .make import Make


async def test_new_keys_are_numbered_and_known_ones_dropped(store: Store, make: Make):
    lease = await make.lease(store)
    first = await store.journal.append(lease, [make.draft("a", n=1), make.draft("b")], make.now)
    assert [(e.seq, e.key) for e in first] == [(1, "a"), (2, "b")]
    drafts = [make.draft("b"), make.draft("c"), make.draft("a"), make.draft("c")]
    assert [(e.seq, e.key) for e in await store.journal.append(lease, drafts, make.now)] == [
        (3, "c")
    ]
    assert await store.journal.append(lease, [make.draft("a")], make.now) == []
    run = await store.runs.get("run_1")
    assert run is not None
    assert run.last_seq == 3


async def test_what_is_read_is_what_was_returned(store: Store, make: Make):
    lease = await make.lease(store)
    text = "稳定币\x00 </script> \u2028"
    drafts = [make.draft(str(n), text=text, n=n) for n in range(5)]
    written = await store.journal.append(lease, drafts, make.now)
    assert await store.journal.read("run_1") == written
    assert await store.journal.read("run_1", after=3) == written[3:]
    assert await store.journal.read("run_1", after=1, limit=2) == written[1:3]
    assert await store.journal.read("other") == []


async def test_concurrent_appends_leave_no_gap(store: Store, make: Make):
    lease = await make.lease(store)
    await asyncio.gather(
        *[store.journal.append(lease, [make.draft(f"e{n}")], make.now) for n in range(60)]
    )
    assert [e.seq for e in await store.journal.read("run_1")] == list(range(1, 61))


async def test_two_runs_are_numbered_apart(store: Store, make: Make):
    for name in ("run_1", "run_2"):
        lease = await make.lease(store, name)
        (event,) = await store.journal.append(lease, [make.draft("same")], make.now)
        assert event.seq == 1


async def test_a_lost_lease_is_fenced(store: Store, make: Make):
    lease = await make.lease(store)
    await take_over(store.runs, "run_1", "heir", make.now, make.later)
    with pytest.raises(Fenced):
        await store.journal.append(lease, [make.draft()], make.now)
    assert await store.journal.read("run_1") == []


async def test_nothing_comes_after_the_closing_event(store: Store, make: Make):
    lease = await make.lease(store)
    await store.runs.finish(lease, Ending("complete", make.now, {}))
    with pytest.raises(Fenced):
        await store.journal.append(lease, [make.draft("late")], make.now)
    assert [e.key for e in await store.journal.read("run_1")] == [
        event_key("run_1", 1, "", "complete", 0)
    ]
