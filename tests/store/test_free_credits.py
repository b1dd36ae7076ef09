"""A vendor's free quota pays first, once, whoever asks at the same time; budgets hold beside it."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterator
from typing import Any

import pytest

from groundwire.errors import Timeout
from groundwire.log import Redactor, configure
from groundwire.model.call import CallError, CallRecord, Cap, Intent
from groundwire.store import Store, open_store
from tests.claims import take_over

from .make import Make

FREE = "free:tavily:2026-11"


def paid_intent(
    make: Make, key: str, *, credits: int, estimate: int = 8, **caps: int | None
) -> Intent:
    """Build a call of `estimate` under a quota of `credits` of 8 each."""
    quota = Cap(scope=FREE, limit=credits * 8)
    return make.intent(key, estimate, **caps).model_copy(update={"free": quota})


@pytest.fixture
def log_output() -> Iterator[io.StringIO]:
    """Capture what is logged; afterwards logging is quiet again."""
    stream = io.StringIO()
    configure("warning", "plain", Redactor(), stream)
    yield stream
    configure()


async def money(store: Store, *scopes: str) -> dict[str, tuple[int, int]]:
    spent, reserved = await store.budget.spent(scopes), await store.budget.reserved(scopes)
    return {scope: (spent[scope], reserved[scope]) for scope in scopes}


async def sent(store: Store, make: Make, intent: Intent, **settled: Any) -> CallRecord:
    lease = await make.lease(store, f"run_{intent.key}")
    await store.ledger.begin(lease, intent)
    return await store.ledger.finish(lease, make.answer(intent.key, **{"cost": 8, **settled}))


async def test_a_covered_call_costs_nothing_and_the_next_is_paid(store: Store, make: Make):
    first = await sent(store, make, paid_intent(make, "a", credits=1, day=100))
    second = await sent(store, make, paid_intent(make, "b", credits=1, day=100))
    assert (first.cost, second.cost) == (0, 8)
    assert await money(store, FREE, "day") == {FREE: (8, 0), "day": (8, 0)}


async def test_two_workers_never_use_a_credit_twice_nor_exceed_a_budget(
    store: Store, make: Make, database_url: str
):
    """200 calls at once through two writers: 30 are free, the month pays for 70, the rest wait."""
    caps = {"day": 900, "month": 560}
    async with open_store(database_url) as other:
        leases = [await make.lease(store, "run_a"), await make.lease(store, "run_b")]

        async def whole(number: int) -> CallRecord | None:
            worker, lease = ((store, leases[0]), (other, leases[1]))[number % 2]
            intent = paid_intent(make, f"k{number}", credits=30, **caps)
            begun = await worker.ledger.begin(lease, intent)
            if begun.state == "refused":
                return None
            return await worker.ledger.finish(lease, make.answer(intent.key, cost=8))

        made = [record for record in await asyncio.gather(*map(whole, range(200))) if record]
    kept = await money(store, FREE, "day", "month")
    assert sum(record.cost == 0 for record in made) == 30
    assert kept[FREE] == (240, 0)
    assert sum(record.cost for record in made) == kept["month"][0] <= 560
    assert kept["day"] == kept["month"]


async def test_what_is_under_way_holds_its_credit(store: Store, make: Make):
    lease = await make.lease(store)
    begun = await asyncio.gather(
        *[
            store.ledger.begin(lease, paid_intent(make, f"k{n}", credits=5, day=None))
            for n in range(20)
        ]
    )
    assert [each.state for each in begun] == ["go"] * 20
    assert await money(store, FREE, "day") == {FREE: (0, 40), "day": (0, 160)}


async def test_a_failure_gives_its_credit_back(store: Store, make: Make):
    failure = CallError.of(Timeout())
    await sent(
        store, make, paid_intent(make, "a", credits=1, day=9), outcome="failed", response=None,
        error=failure, cost=0,
    )  # fmt: skip
    assert await money(store, FREE, "day") == {FREE: (0, 0), "day": (0, 0)}


async def test_a_dear_search_is_paid_when_one_credit_is_left(store: Store, make: Make):
    advanced = await sent(
        store, make, paid_intent(make, "a", credits=1, estimate=16, day=100), cost=16
    )
    basic = await sent(store, make, paid_intent(make, "b", credits=1, day=100))
    assert (advanced.cost, basic.cost) == (16, 0)


async def test_a_used_up_budget_stops_free_calls_too(store: Store, make: Make):
    """The vendor may count more than we do: others use the same key."""
    lease = await make.lease(store)
    begun = await store.ledger.begin(lease, paid_intent(make, "a", credits=9, day=7))
    assert begun.state == "refused"
    assert await money(store, FREE, "day") == {FREE: (0, 0), "day": (0, 0)}


async def test_a_lost_answer_uses_its_credit_and_no_money(store: Store, make: Make):
    """Rule e: it may have been served; sent again, it needs a second credit, or money."""
    lease = await make.lease(store)
    await store.ledger.begin(lease, paid_intent(make, "a", credits=1, day=100))
    heir = await take_over(store.runs, "run_1", "heir", make.now, make.later)
    assert heir is not None
    begun = await store.ledger.begin(heir, paid_intent(make, "a", credits=1, day=100))
    assert (begun.state, begun.record.cost) == ("again", 0)
    assert await money(store, FREE, "day") == {FREE: (8, 0), "day": (0, 8)}
    record = await store.ledger.finish(heir, make.answer("a", cost=8))
    assert record.cost == 8


async def test_the_payment_that_passes_the_mark_is_told_of_once(
    store: Store, make: Make, log_output: io.StringIO
):
    watched = Cap(scope="day", limit=None, alert=20)
    for number in range(5):
        await sent(store, make, make.intent(f"k{number}", 8, day=None), alerts=(watched,))
    lines = [line for line in log_output.getvalue().splitlines() if "day's share" in line]
    assert len(lines) == 1 and "gw costs" in lines[0]


async def test_free_calls_pass_no_mark(store: Store, make: Make, log_output: io.StringIO):
    await sent(
        store, make, paid_intent(make, "a", credits=9, day=None),
        alerts=(Cap(scope="day", limit=None, alert=0),),
    )  # fmt: skip
    assert "day's share" not in log_output.getvalue()
