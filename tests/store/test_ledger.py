"""The ledger's rules d, e, f and g, on both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest

from groundwire.errors import Fenced, IllegalState
from groundwire.model.call import CallError
from groundwire.model.ending import Ending
from groundwire.store import Store
from tests.claims import take_over

from .make import Make


async def money(store: Store, *scopes: str) -> dict[str, tuple[int, int]]:
    spent = await store.budget.spent(scopes)
    reserved = await store.budget.reserved(scopes)
    return {scope: (spent[scope], reserved[scope]) for scope in scopes}


async def test_begin_writes_the_intent_and_reserves_in_every_scope(store: Store, make: Make):
    lease = await make.lease(store)
    begun = await store.ledger.begin(lease, make.intent(run=100, day=None))
    assert begun.state == "go"
    assert begun.record.outcome == "intent"
    assert await store.ledger.find("run_1", "k1") == begun.record
    assert await money(store, "run", "day") == {"run": (0, 10), "day": (0, 10)}


async def test_finish_settles_the_true_cost_and_returns_the_stored_row(store: Store, make: Make):
    lease = await make.lease(store)
    await store.ledger.begin(lease, make.intent(run=100, day=100))
    record = await store.ledger.finish(lease, make.answer(response={"b": (1, 2), "a": "甲"}))
    assert record.response == {"a": "甲", "b": [1, 2]}
    assert list(record.response) == ["a", "b"]  # as a replay will read it, order included
    assert (record.outcome, record.cost, record.via, record.tries) == ("ok", 3, "sent", 1)
    assert await store.ledger.find("run_1", "k1") == record
    assert await money(store, "run", "day") == {"run": (3, 0), "day": (3, 0)}


async def test_finish_twice_gives_the_first_row_and_counts_once(store: Store, make: Make):
    lease = await make.lease(store)
    await store.ledger.begin(lease, make.intent(run=100))
    first = await store.ledger.finish(lease, make.answer())
    second = await store.ledger.finish(lease, make.answer(response={"other": True}, cost=9))
    assert second == first
    assert await money(store, "run") == {"run": (3, 0)}


async def test_finish_without_begin_is_a_bug_of_ours(store: Store, make: Make):
    lease = await make.lease(store)
    with pytest.raises(IllegalState):
        await store.ledger.finish(lease, make.answer())


async def test_begin_after_the_answer_gives_the_record(store: Store, make: Make):
    lease = await make.lease(store)
    await store.ledger.begin(lease, make.intent(run=100))
    record = await store.ledger.finish(lease, make.answer())
    begun = await store.ledger.begin(lease, make.intent(run=100))
    assert (begun.state, begun.record) == ("done", record)
    assert await money(store, "run") == {"run": (3, 0)}


async def test_an_intent_without_answer_is_spent_and_sent_again(store: Store, make: Make):
    """Rule e, in the restart after a crash: both sends are in the spend."""
    lease = await make.lease(store)
    await store.ledger.begin(lease, make.intent(run=100, day=100))
    restarted = await take_over(store.runs, "run_1", "heir", make.now, make.later)
    assert restarted is not None
    begun = await store.ledger.begin(restarted, make.intent(run=100, day=100))
    assert (begun.state, begun.record.repeated, begun.record.cost) == ("again", 1, 10)
    assert await money(store, "run", "day") == {"run": (10, 10), "day": (10, 10)}
    record = await store.ledger.finish(restarted, make.answer())
    assert (record.cost, record.repeated) == (13, 1)
    assert await money(store, "run", "day") == {"run": (13, 0), "day": (13, 0)}


async def test_an_older_attempts_open_intent_moves_to_the_new_attempt(store: Store, make: Make):
    lease = await make.lease(store)
    await store.ledger.begin(lease, make.intent(run=100))
    await store.runs.finish(lease, Ending("failed", make.now, error="x"))
    await store.runs.reopen("run_1", make.now)
    resumed = await make.lease(store)
    begun = await store.ledger.begin(resumed, make.intent(run=100))
    assert (begun.state, begun.record.attempt, begun.record.repeated) == ("again", 2, 1)
    await store.ledger.finish(resumed, make.answer())
    records = await store.ledger.records("run_1")
    assert [(r.attempt, r.cost) for r in records] == [(2, 13)]
    assert await money(store, "run") == {"run": (13, 0)}


async def test_a_new_attempt_retries_failures_and_nothing_else(store: Store, make: Make):
    """Rule f."""
    lease = await make.lease(store)
    failure = CallError(code="server", message="boom", status=500)
    for key, changes in {
        "good": {},
        "bad": {"outcome": "failed", "response": None, "error": failure, "cost": 0},
    }.items():
        await store.ledger.begin(lease, make.intent(key, run=100))
        await store.ledger.finish(lease, make.answer(key, **changes))
    # A crash restart replays the failure.
    assert (await store.ledger.begin(lease, make.intent("bad", run=100))).state == "done"
    await store.runs.finish(lease, Ending("failed", make.now, error="x"))
    await store.runs.reopen("run_1", make.now)
    resumed = await make.lease(store)
    assert (await store.ledger.begin(resumed, make.intent("good", run=100))).state == "done"
    begun = await store.ledger.begin(resumed, make.intent("bad", run=100))
    assert (begun.state, begun.record.attempt) == ("go", 2)
    assert (await store.ledger.find("run_1", "bad")) == begun.record
    fixed = await store.ledger.finish(resumed, make.answer("bad"))
    assert await store.ledger.find("run_1", "bad") == fixed
    records = await store.ledger.records("run_1")
    assert [(r.key, r.attempt, r.outcome) for r in records] == [
        ("bad", 1, "failed"),
        ("bad", 2, "ok"),
        ("good", 1, "ok"),
    ]
    assert records[0].error == failure


async def test_a_refusal_is_a_record_that_names_the_scope(store: Store, make: Make):
    lease = await make.lease(store)
    await store.ledger.begin(lease, make.intent("k1", 10, day=100, month=15, run=100))
    begun = await store.ledger.begin(lease, make.intent("k2", 10, day=100, month=15, run=100))
    assert begun.state == "refused"
    assert (begun.record.outcome, begun.record.cost, begun.record.tries) == ("failed", 0, 0)
    assert begun.record.error is not None
    assert begun.record.error.code == "quota"
    params = {"scope": "month", "limit": "$0.000015", "amount": "$0.00001"}
    assert begun.record.error.params == params
    # What an earlier scope had already reserved is given back.
    held = {"day": (0, 10), "month": (0, 10), "run": (0, 10)}
    assert await money(store, "day", "month", "run") == held
    assert await store.ledger.find("run_1", "k2") == begun.record
    # A crash restart replays the refusal, even if there is money by then.
    assert (await store.ledger.begin(lease, make.intent("k2", 1))).state == "done"


async def test_a_refused_repetition_keeps_the_lost_send_in_the_cost(store: Store, make: Make):
    lease = await make.lease(store)
    await store.ledger.begin(lease, make.intent(run=15))
    begun = await store.ledger.begin(lease, make.intent(run=15))
    assert (begun.state, begun.record.cost, begun.record.repeated) == ("refused", 10, 0)
    assert await money(store, "run") == {"run": (10, 0)}
    assert await store.ledger.find("run_1", "k1") == begun.record


async def test_note_costs_nothing_and_the_stored_row_wins(store: Store, make: Make):
    lease = await make.lease(store)
    intent = make.intent(run=100)
    record = await store.ledger.note(lease, intent, make.answer(cost=0), "cache")
    # What it would have cost stands in the row, and is held back nowhere.
    assert (record.via, record.cost, record.estimate) == ("cache", 0, 10)
    again = await store.ledger.note(lease, intent, make.answer(response={"x": 1}), "joined")
    assert again == record == await store.ledger.find("run_1", "k1")
    assert await money(store, "run") == {"run": (0, 0)}


async def test_note_closes_an_intent_that_a_crash_left_open(store: Store, make: Make):
    lease = await make.lease(store)
    await store.ledger.begin(lease, make.intent(run=100))
    record = await store.ledger.note(lease, make.intent(run=100), make.answer(), "cache")
    assert (record.outcome, record.via, record.cost) == ("ok", "cache", 10)
    assert await money(store, "run") == {"run": (10, 0)}
    assert await store.ledger.find("run_1", "k1") == record


async def test_every_write_of_a_lost_lease_is_fenced(store: Store, make: Make):
    lease = await make.lease(store)
    await store.ledger.begin(lease, make.intent("open", run=100))
    await take_over(store.runs, "run_1", "heir", make.now, make.later)
    with pytest.raises(Fenced):
        await store.ledger.begin(lease, make.intent(run=100))
    with pytest.raises(Fenced):
        await store.ledger.finish(lease, make.answer("open"))
    with pytest.raises(Fenced):
        await store.ledger.note(lease, make.intent(), make.answer(), "local")
    assert [r.key for r in await store.ledger.records("run_1")] == ["open"]
    assert await money(store, "run") == {"run": (0, 10)}


async def test_a_lease_of_an_older_attempt_is_fenced(store: Store, make: Make):
    lease = await make.lease(store)
    await store.runs.finish(lease, Ending("failed", make.now, error="x"))
    await store.runs.reopen("run_1", make.now)
    with pytest.raises(Fenced):
        await store.ledger.begin(lease, make.intent())


async def test_a_joined_call_can_be_settled_after_its_run_has_ended(store: Store, make: Make):
    """Rule g: the flight belongs to the gateway and may outlive the run that sent it."""
    lease = await make.lease(store)
    await store.ledger.begin(lease, make.intent(run=100))
    await store.runs.finish(lease, Ending("cancelled", make.now))
    assert (await store.ledger.finish(lease, make.answer())).outcome == "ok"
    assert await money(store, "run") == {"run": (3, 0)}


async def test_a_large_answer_comes_back_as_it_was(store: Store, make: Make):
    lease = await make.lease(store)
    await store.ledger.begin(lease, make.intent())
    response = {"text": "稳定币 USDC " * 5_000, "n": [1.5, None, True]}
    record = await store.ledger.finish(lease, make.answer(response=response))
    assert record.response == response
    assert (await store.ledger.find("run_1", "k1")) == record


async def test_unknown_calls_are_none_and_times_keep_their_microseconds(store: Store, make: Make):
    assert await store.ledger.find("run_1", "nothing") is None
    lease = await make.lease(store)
    late = make.now + timedelta(microseconds=1)
    await store.ledger.begin(lease, make.intent())
    record = await store.ledger.finish(lease, make.answer(at=late))
    assert (record.started_at, record.finished_at) == (make.now, late)
