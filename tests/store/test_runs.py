"""Run rows: claims, leases, ends, cancels, attempts."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from groundwire.errors import Fenced, IllegalState
from groundwire.model.ending import Ending
from groundwire.model.proposal import Proposal
from groundwire.model.run import RunFilter, digest
from groundwire.store import Store
from tests.claims import take_over

from .make import Make


async def test_create_gives_back_what_was_given(store: Store, make: Make):
    new = make.run(input={"question": "甲\x00", "nested": {"b": [1, None]}})
    run = await store.runs.create(new)
    assert {name: getattr(run, name) for name in type(new).model_fields} == dict(new)
    assert (run.state, run.attempt, run.fence, run.restarts, run.last_seq) == ("queued", 1, 0, 0, 0)
    assert await store.runs.get("run_1") == run
    assert await store.runs.get("nobody") is None


async def test_the_same_idempotency_key_gives_the_same_run(store: Store, make: Make):
    first = await store.runs.create(make.run("run_1", idempotency_key="once"))
    assert await store.runs.create(make.run("run_2", idempotency_key="once")) == first
    assert await store.runs.get("run_2") is None
    assert await store.runs.create(make.run("run_1")) == first


async def test_only_one_of_many_claims_wins(store: Store, make: Make):
    await store.runs.create(make.run())
    leases = await asyncio.gather(
        *[store.runs.claim("run_1", f"w{n}", make.now, make.later) for n in range(10)]
    )
    (lease,) = [lease for lease in leases if lease is not None]
    assert (lease.fence, lease.attempt) == (1, 1)
    run = await store.runs.get("run_1")
    assert run is not None
    assert (run.state, run.lease_until, run.restarts) == ("running", make.later, 0)


async def test_a_lease_that_is_over_can_be_claimed_and_counts_as_a_restart(
    store: Store, make: Make
):
    await make.lease(store)
    before = make.later - timedelta(microseconds=1)
    assert await store.runs.claim("run_1", "heir", before, make.later) is None
    lease = await store.runs.claim("run_1", "heir", make.later, make.later)
    assert lease is not None
    assert lease.fence == 2
    run = await store.runs.get("run_1")
    assert run is not None
    assert (run.restarts, run.lease_owner) == (1, "heir")


async def test_unfinished_are_queued_and_running_oldest_first(store: Store, make: Make):
    for n in (2, 0, 1):
        at = make.now + timedelta(seconds=n)
        await store.runs.create(make.run(f"run_{n}", created_at=at))
    await store.runs.claim("run_1", "w", make.now, make.later)
    await store.runs.create(make.run("over"))
    await store.runs.request_cancel("over", make.now)
    assert [r.id for r in await store.runs.unfinished()] == ["run_0", "run_1", "run_2"]


async def test_who_is_to_stop_is_seen_before_all_that_wait(store: Store, make: Make):
    """Only so many are looked at: a run that was asked to stop must not be behind them."""
    for n in range(3):
        at = make.now + timedelta(seconds=n)
        await store.runs.create(make.run(f"run_{n}", created_at=at))
    await store.runs.claim("run_2", "me", make.now, make.later)
    await store.runs.request_cancel("run_2", make.now)
    assert [r.id for r in await store.runs.unfinished()] == ["run_2", "run_0", "run_1"]


async def test_renew_and_release(store: Store, make: Make):
    lease = await make.lease(store)
    until = make.later + timedelta(minutes=1)
    assert await store.runs.renew(lease, until)
    run = await store.runs.get("run_1")
    assert run is not None
    assert run.lease_until == until
    await store.runs.release(lease)
    run = await store.runs.get("run_1")
    assert run is not None
    assert (run.state, run.lease_owner, run.lease_until) == ("queued", None, None)
    assert not await store.runs.renew(lease, until)
    heir = await make.lease(store)
    assert not await store.runs.renew(lease, until)
    await store.runs.release(lease)  # nothing: the lease is the heir's
    assert await store.runs.renew(heir, until)


async def test_finish_stores_result_state_and_event_together(store: Store, make: Make):
    lease = await make.lease(store)
    await store.journal.append(lease, [make.draft("a")], make.now)
    result = {"answer": ["甲" * 5000]}
    event = await store.runs.finish(lease, Ending("complete", make.later, result))
    assert (event.seq, event.type, event.at) == (2, "complete", make.later)
    run = await store.runs.get("run_1")
    assert run is not None
    assert (run.state, run.result, run.last_seq) == ("complete", result, 2)
    assert run.digest == event.payload["digest"] == digest(result)
    assert (run.finished_at, run.lease_owner) == (make.later, None)
    # The answer to the first finish was lost: the second changes nothing.
    assert await store.runs.finish(lease, Ending("failed", make.now, error="x")) == event
    assert await store.runs.get("run_1") == run
    assert await store.runs.unfinished() == []
    assert await take_over(store.runs, "run_1", "w", make.later, make.later) is None


async def test_a_lost_lease_finishes_nothing(store: Store, make: Make):
    lease = await make.lease(store)
    await take_over(store.runs, "run_1", "heir", make.now, make.later)
    with pytest.raises(Fenced):
        await store.runs.finish(lease, Ending("complete", make.now, {}))
    assert await store.journal.read("run_1") == []


async def test_a_run_cannot_finish_as_running(store: Store, make: Make):
    lease = await make.lease(store)
    with pytest.raises(IllegalState):
        await store.runs.finish(lease, Ending("running", make.now, {}))


async def test_an_abandoned_run_is_taken_only_at_the_fence_that_was_seen(store: Store, make: Make):
    lease = await make.lease(store)
    taken = await store.runs.claim("run_1", "one", make.now, make.later, abandoned=lease.fence)
    late = await store.runs.claim("run_1", "two", make.now, make.later, abandoned=lease.fence)
    assert taken is not None
    assert late is None


async def test_cancel_of_a_queued_run_is_its_end(store: Store, make: Make):
    await store.runs.create(make.run())
    run = await store.runs.request_cancel("run_1", make.later)
    assert run is not None
    assert (run.state, run.finished_at, run.last_seq) == ("cancelled", make.later, 1)
    (event,) = await store.journal.read("run_1")
    assert event.type == "cancelled"
    assert await store.runs.request_cancel("run_1", make.now) == run
    assert await store.runs.request_cancel("nobody", make.now) is None


async def test_cancel_of_a_running_run_asks_it_to_stop(store: Store, make: Make):
    lease = await make.lease(store)
    run = await store.runs.request_cancel("run_1", make.now)
    assert run is not None
    assert (run.state, run.cancel_requested) == ("running", True)
    assert await store.runs.renew(lease, make.later)


async def test_a_run_that_is_asked_to_stop_does_not_wait_for_a_person(store: Store, make: Make):
    lease = await make.lease(store)
    proposal = Proposal(form="Plan", fields={"title": "甲"})
    await store.runs.request_cancel("run_1", make.now)
    assert not await store.runs.wait(lease, proposal, [make.draft()], make.now)
    run = await store.runs.get("run_1")
    assert run is not None
    assert (run.state, run.waiting, run.last_seq) == ("running", None, 0)


async def test_a_thousand_runs_of_one_kind_hide_no_other(store: Store, make: Make):
    for number in range(1_005):
        await store.runs.create(make.run(f"run_{number:04}", kind="verify"))
    for number in range(3):
        late = make.now + timedelta(hours=number + 1)
        await store.runs.create(make.run(f"ask_{number}", kind="ask", created_at=late))
    heads = await store.runs.unfinished()
    assert len(heads) == 1_000
    assert [head.id for head in heads[:7]] == [
        "ask_0", "run_0000", "ask_1", "run_0001", "ask_2", "run_0002", "run_0003",
    ]  # fmt: skip


async def test_a_lost_lease_lets_nothing_wait(store: Store, make: Make):
    lease = await make.lease(store)
    await take_over(store.runs, "run_1", "heir", make.now, make.later)
    with pytest.raises(Fenced):
        await store.runs.wait(lease, Proposal(form="Plan", fields={}), (), make.now)


async def test_reopen_starts_a_new_attempt(store: Store, make: Make):
    lease = await make.lease(store)
    assert (await store.runs.reopen("run_1", make.now)) == await store.runs.get("run_1")
    await store.runs.finish(lease, Ending("failed", make.now, {"part": 1}, "x"))
    run = await store.runs.reopen("run_1", make.later)
    assert run is not None
    assert (run.state, run.attempt, run.restarts, run.error) == ("queued", 2, 0, None)
    assert run.result == {"part": 1}  # kept until the new attempt has its own
    again = await make.lease(store)
    assert (again.fence, again.attempt) == (2, 2)
    assert await store.runs.reopen("nobody", make.now) is None


async def test_find_by_prefix_newest_first(store: Store, make: Make):
    for n, name in enumerate(["ab1", "ab2", "AB3", "b", "a%", "a_"]):
        at = make.now + timedelta(seconds=n)
        await store.runs.create(make.run(name, created_at=at))
    assert [r.id for r in await store.runs.find("ab")] == ["ab2", "ab1"]
    assert [r.id for r in await store.runs.find("a%")] == ["a%"]
    assert [r.id for r in await store.runs.find("zz")] == []
    for n in range(12):
        await store.runs.create(make.run(f"many{n}"))
    assert len(await store.runs.find("many")) == 10


async def test_recent_by_kind_and_state(store: Store, make: Make):
    for n, kind in enumerate(["ask", "tool", "ask"]):
        at = make.now + timedelta(seconds=n)
        await store.runs.create(make.run(f"r{n}", kind=kind, created_at=at))
    await store.runs.claim("r0", "w", make.now, make.later)
    for wanted, limit, found in (
        (RunFilter(), 20, ["r2", "r1", "r0"]),
        (RunFilter(), 1, ["r2"]),
        (RunFilter(kind="ask"), 20, ["r2", "r0"]),
        (RunFilter(kind="ask", state="running"), 20, ["r0"]),
    ):
        assert [r.id for r in (await store.runs.page(wanted, limit=limit)).runs] == found


async def test_delete_takes_everything_and_keeps_what_the_day_has_spent(store: Store, make: Make):
    lease = await make.lease(store)
    await store.journal.append(lease, [make.draft()], make.now)
    caps: dict[str, int | None] = {"day:1": None, "run:run_1": 100}
    await store.ledger.begin(lease, make.intent("open", 10, **caps))
    assert await store.runs.delete("run_1")
    assert not await store.runs.delete("run_1")
    assert await store.runs.get("run_1") is None
    assert await store.ledger.records("run_1") == []
    assert await store.journal.read("run_1") == []
    assert await store.budget.spent(["day:1", "run:run_1"]) == {"day:1": 10, "run:run_1": 0}
    with pytest.raises(Fenced):
        await store.journal.append(lease, [make.draft("x")], make.now)
