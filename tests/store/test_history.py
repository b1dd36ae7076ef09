"""What the ledger says of providers over all runs, on both databases."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from groundwire.errors import PlanLimit, RateLimited
from groundwire.model.call import CallError
from groundwire.store import Store

from .make import Make

DAY = timedelta(days=1)


async def made(
    store: Store, make: Make, run: str, key: str, *, day: int = 0, provider: str = "tavily",
    kind: str = "search", **settled: Any,
) -> None:  # fmt: skip
    """Record a finished call that was sent `day` days ago."""
    at = make.now - day * DAY
    lease = await store.runs.claim(run, "worker", make.now, make.later)
    if lease is None:
        lease = await make.lease(store, run, created_at=at)
    intent = make.intent(key).model_copy(update={"at": at, "provider": provider, "kind": kind})
    await store.ledger.begin(lease, intent)
    await store.ledger.finish(lease, make.answer(key, at=at + timedelta(seconds=1), **settled))
    await store.runs.release(lease)


def failed(error: CallError | None = None) -> dict[str, Any]:
    error = error or CallError.of(RateLimited())
    return {"outcome": "failed", "response": None, "error": error}


async def test_calls_are_counted_by_provider_and_day(store: Store, make: Make):
    await made(store, make, "r1", "a")
    await made(store, make, "r1", "b", **failed())
    await made(store, make, "r2", "a", day=1)
    await made(store, make, "r2", "b", day=1, provider="ddgs")
    found = await store.ledger.days("search", make.now - 7 * DAY)
    assert [(day.provider, day.day, day.answered, day.made) for day in found] == [
        ("ddgs", date(2026, 11, 15), 1, 1),
        ("tavily", date(2026, 11, 15), 1, 1),
        ("tavily", date(2026, 11, 16), 1, 2),
    ]


async def test_what_was_not_sent_says_nothing_of_a_provider(store: Store, make: Make):
    lease = await make.lease(store, "r1")
    refused = make.intent("a", estimate=10, run=5)  # our own budget
    await store.ledger.begin(lease, refused)
    await store.ledger.note(lease, make.intent("b"), make.answer("b"), "cache")
    await store.ledger.begin(lease, make.intent("c"))  # still under way
    await store.ledger.begin(lease, make.intent("d"))
    await store.ledger.finish(lease, make.answer("d", tries=0, **failed()))  # an open breaker
    since = make.now - 7 * DAY
    assert await store.ledger.days("search", since) == []
    assert await store.ledger.newest("search", since) == []


async def test_other_kinds_and_older_runs_are_left_out(store: Store, make: Make):
    await made(store, make, "r1", "a", kind="model")
    await made(store, make, "r2", "a", day=9)
    assert await store.ledger.days("search", make.now - 7 * DAY) == []
    assert len(await store.ledger.days("model", make.now - 7 * DAY)) == 1


async def test_the_newest_call_to_each_provider_says_how_it_stands(store: Store, make: Make):
    limit = CallError.of(PlanLimit("plan used up", retry_after=7200.0))
    await made(store, make, "r1", "a", day=2, **failed(limit))
    await made(store, make, "r2", "a", day=1)
    await made(store, make, "r1b", "a", day=2, provider="exa")
    await made(store, make, "r2b", "a", day=1, provider="exa", **failed(limit))
    exa, tavily = await store.ledger.newest("search", make.now - 7 * DAY)
    assert (exa.provider, exa.error) == ("exa", limit)
    assert exa.at == make.now - DAY + timedelta(seconds=1)
    assert (tavily.provider, tavily.error) == ("tavily", None)
