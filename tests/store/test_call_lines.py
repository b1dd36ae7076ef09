"""The calls of a run in short: what they were for and what they cost, on both databases."""

from __future__ import annotations

from groundwire.store import Store

from .make import Make


async def test_a_line_says_what_a_call_was_for_and_what_it_cost(store: Store, make: Make):
    lease = await make.lease(store)
    intent = make.intent(run=100).model_copy(
        update={"kind": "model", "request": {"prompt": "ask/write_answer@1", "user": "甲" * 4000}}
    )
    await store.ledger.begin(lease, intent)
    await store.ledger.finish(lease, make.answer(cost=3))
    (line,) = await store.ledger.lines("run_1")
    assert (line.kind, line.prompt, line.micro, line.outcome) == (
        "model",
        "ask/write_answer",
        3,
        "ok",
    )


async def test_a_call_under_way_counts_at_its_estimate(store: Store, make: Make):
    lease = await make.lease(store)
    intent = make.intent(run=100)
    await store.ledger.begin(lease, intent)
    (line,) = await store.ledger.lines("run_1")
    assert (line.outcome, line.micro, line.prompt) == ("intent", intent.estimate, "")


async def test_reads_of_our_own_store_are_no_outside_calls(store: Store, make: Make):
    lease = await make.lease(store)
    intent = make.intent(run=100).model_copy(update={"kind": "read"})
    await store.ledger.note(lease, intent, make.answer(), "local")
    assert await store.ledger.lines("run_1") == []
    assert await store.ledger.lines("no_such_run") == []
