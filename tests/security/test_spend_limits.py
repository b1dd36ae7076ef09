"""Per-token spend limits: what a token may not pay for is not asked, whatever the desk may spend."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
from lab.stubs import Stubs

from groundwire.doors.serving import assemble
from tests.doors.api.conftest import Api
from tests.laws.conftest import house, no_backoff, running, stubs
from tests.laws.house import House

__all__ = ["house", "no_backoff", "running", "stubs"]
PAID = {"search.providers.tavily.free_credits": 0, "search.cache_ttl": 0}


@pytest.fixture
async def paying(house: House, stubs: Stubs) -> AsyncIterator[Api]:
    house.stubs = stubs
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(house.open(**PAID))
        yield Api(app, assemble(app, open_here=False), stack)


@pytest.mark.parametrize(("day_usd", "called"), [(0.0, False), (5.0, True)])
async def test_a_token_spends_no_more_than_its_day_allows(
    paying: Api,
    stubs: Stubs,
    day_usd: float,
    called: bool,
) -> None:
    client = await paying.caller("run", day_usd=day_usd)
    sent = {"kind": "ask", "input": {"question": "Did USDC lose its peg in March 2023, and why?"}}
    run = await paying.ended((await client.post("/api/runs", json=sent)).json()["id"])
    assert bool([call for call in stubs.log() if call.stub == "tavily"]) is called
    degraded = [(each["part"], each["code"]) for each in (run.result or {})["degraded"]]
    assert (("search:tavily", "quota") in degraded) is not called
