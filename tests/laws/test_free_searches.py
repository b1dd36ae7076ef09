"""Law 8 with free credits: counted before a search is sent, shared by runs, paid when used up."""

from __future__ import annotations

import asyncio
from typing import Any

from lab.stubs import Stubs

from tests.laws.house import House, ended

CREDIT = 8_000


async def test_searches_are_free_until_the_credits_are_used_up(house: House, stubs: Stubs) -> None:
    house.stubs = stubs
    option: dict[str, Any] = {"search.providers.tavily.free_credits": 3}
    async with house.open(**option) as app:
        runs = [
            await app.submit("tool", {"tool": "search", "arguments": {"query": f"USDC peg {n}"}})
            for n in range(8)
        ]
        await asyncio.gather(*[ended(app, run.id) for run in runs])
        records = [
            record
            for run in runs
            for record in await app.store.ledger.records(run.id)
            if record.provider == "tavily"
        ]
        found = await app.costs.spending()
    assert sorted(record.cost for record in records) == [0] * 3 + [CREDIT] * 5
    assert found.month.usd == 5 * CREDIT / 1_000_000
    (tavily,) = found.credits
    assert (tavily.used, tavily.left, tavily.paid) == (3, 0, 5)


async def test_an_answer_from_the_cache_uses_no_credit_and_is_counted_as_saved(
    house: House, stubs: Stubs
) -> None:
    house.stubs = stubs
    async with house.open() as app:
        for _ in range(2):
            run = await app.submit("tool", {"tool": "search", "arguments": {"query": "USDC peg"}})
            await ended(app, run.id)
        found = await app.costs.spending()
    assert [call.stub for call in stubs.log()].count("tavily") == 1
    assert (found.credits[0].used, found.saved_usd) == (1, 0.008)
    tavily = next(each for each in found.providers if each.name == "tavily")
    assert (tavily.calls, tavily.shared, tavily.covered, tavily.usd) == (1, 1, 1, 0.0)
