"""Sums of the ledger by day, job, kind, provider and way, on both databases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from groundwire.errors import RateLimited
from groundwire.model.call import CallError, Cap, Via
from groundwire.model.costs import CostLine
from groundwire.model.outcome import Feedback
from groundwire.store import Store

from .make import Make
from .signals import begun, end, ended, judged_event

NOVEMBER = datetime(2026, 11, 1, tzinfo=UTC)
DECEMBER = datetime(2026, 12, 1, tzinfo=UTC)


async def call(
    store: Store, make: Make, run: str, key: str, at: datetime, *, via: Via = "sent",
    job: str = "ask", settled: dict[str, Any] | None = None, **changes: Any,
) -> None:  # fmt: skip
    """Record a call of a run at that moment; with `settled` None its answer never came."""
    lease = await store.runs.claim(run, "worker", make.now, make.later)
    if lease is None:
        lease = await make.lease(store, run, created_at=at, kind=job)
    intent = make.intent(key, 10, day=None).model_copy(update={"at": at, **changes})
    if via != "sent":
        await store.ledger.note(lease, intent, make.answer(key, at=at, **(settled or {})), via)
    else:
        await store.ledger.begin(lease, intent)
        if settled is not None:
            await store.ledger.finish(lease, make.answer(key, at=at, **settled))
    await store.runs.release(lease)


async def lines(store: Store) -> list[tuple[str, int, int]]:
    return [
        (f"{line.day:%m-%d} {line.job} {line.kind} {line.provider} {line.via}", line.calls,
         line.micro)
        for line in await store.costs.lines(NOVEMBER, DECEMBER)
    ]  # fmt: skip


async def test_calls_are_summed_by_day_job_kind_provider_and_way(store: Store, make: Make):
    day = make.now
    await call(store, make, "r1", "a", day, settled={"cost": 3})
    await call(store, make, "r1", "b", day, settled={"cost": 4})
    await call(store, make, "r1", "c", day, settled={"cost": 9}, kind="model", provider="x:y")
    await call(store, make, "r2", "a", day, job="verify", settled={"cost": 5})
    await call(store, make, "r3", "a", day - timedelta(days=1), settled={"cost": 6})
    await call(store, make, "r3", "b", day - timedelta(days=1), via="cache")
    assert await lines(store) == [
        ("11-15 ask search tavily cache", 1, 0),
        ("11-15 ask search tavily sent", 1, 6),
        ("11-16 ask model x:y sent", 1, 9),
        ("11-16 ask search tavily sent", 2, 7),
        ("11-16 verify search tavily sent", 1, 5),
    ]


async def test_a_month_ends_at_midnight_utc(store: Store, make: Make):
    tick = timedelta(microseconds=1)
    for number, at in enumerate((NOVEMBER - tick, NOVEMBER, DECEMBER - tick, DECEMBER)):
        await call(store, make, f"r{number}", "a", at, settled={"cost": number})
    assert [
        (str(line.day), line.micro) for line in await store.costs.lines(NOVEMBER, DECEMBER)
    ] == [
        ("2026-11-01", 1),
        ("2026-11-30", 2),
    ]


async def test_a_run_of_last_month_is_found_by_what_it_called_in_this_one(store: Store, make: Make):
    lease = await make.lease(store, "r1", created_at=NOVEMBER - timedelta(hours=1))
    await store.ledger.begin(lease, make.intent("a").model_copy(update={"at": NOVEMBER}))
    await store.ledger.finish(lease, make.answer("a", cost=7))
    assert await lines(store) == [("11-01 ask search tavily sent", 1, 7)]


async def test_a_call_without_an_answer_counts_at_its_estimate(store: Store, make: Make):
    await call(store, make, "r1", "a", make.now, settled={"cost": 3})
    await call(store, make, "r1", "b", make.now)
    (line,) = await store.costs.lines(NOVEMBER, DECEMBER)
    assert (line.calls, line.micro, line.unsettled) == (2, 13, 1)


async def test_what_a_free_quota_covers_costs_nothing_answered_or_not(store: Store, make: Make):
    free = Cap(scope="free:tavily:2026-11", limit=20)
    await call(store, make, "r1", "a", make.now, settled={"cost": 10}, free=free)
    await call(store, make, "r1", "b", make.now, free=free)
    await call(store, make, "r1", "c", make.now, settled={"cost": 10}, free=free)
    (line,) = await store.costs.lines(NOVEMBER, DECEMBER)
    assert (line.calls, line.covered, line.unsettled, line.micro) == (3, 2, 1, 10)


async def test_the_cache_saves_the_list_price_of_every_answer_it_gives(store: Store, make: Make):
    await call(store, make, "r1", "a", make.now, settled={"cost": 10})
    await call(store, make, "r2", "a", make.now, via="cache")
    await call(store, make, "r3", "a", make.now, via="joined")
    failed = {"outcome": "failed", "response": None, "error": CallError.of(RateLimited())}
    await call(store, make, "r4", "a", make.now, via="joined", settled=failed)
    saved = {line.via: (line.calls, line.saved, line.micro) for line in await _all(store)}
    assert saved == {"cache": (1, 10, 0), "joined": (1, 10, 0), "sent": (1, 0, 10)}


async def test_reads_of_our_own_store_and_refusals_of_ours_are_no_calls(store: Store, make: Make):
    await call(store, make, "r1", "a", make.now, via="local", kind="read")
    lease = await make.lease(store, "r2")
    await store.ledger.begin(lease, make.intent("a", 10, day=5))
    assert await store.costs.lines(NOVEMBER, DECEMBER) == []


async def test_an_empty_store_has_no_lines(store: Store):
    assert await store.costs.lines(NOVEMBER, DECEMBER) == []
    assert await store.costs.rolled(NOVEMBER, DECEMBER) == []


async def test_a_verified_message_comes_with_its_cost_and_what_came_of_it(store: Store, make: Make):
    lease = await begun(store, "verify-1")
    await store.ledger.begin(lease, make.intent("a"))
    await store.ledger.finish(lease, make.answer("a", cost=7))
    await store.ledger.note(lease, make.intent("b"), make.answer("b"), "cache")
    await end(store, lease, judged_event(preliminary=0.8, confidence=0.6, tool_calls=1))
    await store.signals.feedback(
        Feedback(run_id="verify-1", outcome="false", by="ana", at=make.now)
    )
    await ended(store, "verify-2", judged_event(path="plain", rolled_in=False), hours=1)
    await ended(store, "verify-3", judged_event(path="duplicate"), hours=2)
    first, second = await store.costs.rolled(NOVEMBER, DECEMBER)
    assert (first.run_id, first.path, first.rolled_in) == ("verify-1", "deep", True)
    assert (first.preliminary, first.confidence, first.outcome) == (0.8, 0.6, "false")
    assert (first.tool_calls, first.calls, first.micro) == (1, 1, 7)
    assert (second.run_id, second.rolled_in, second.calls, second.micro) == (
        "verify-2", False, 0, 0,
    )  # fmt: skip


async def _all(store: Store) -> list[CostLine]:
    return list(await store.costs.lines(NOVEMBER, DECEMBER))
