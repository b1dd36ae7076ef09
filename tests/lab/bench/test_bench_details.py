"""The details of a history go on side by side, as many as are allowed and no more; nothing is timed here."""

from __future__ import annotations

import asyncio

import httpx2
import pytest
from lab.bench.details import TimelinePlan, bench_details, desk, told, town
from lab.evaluation.worlds import MODEL, World

from groundwire.jobs.timeline.result import TimelineResult


class Gate(httpx2.AsyncBaseTransport):
    """Holds every call to the model until so many are under way at once, then lets all through."""

    def __init__(self, world: World, wanted: int) -> None:
        self._world = world
        self._wanted = wanted
        self._reached = asyncio.Event()
        self._now = 0
        self.most = 0

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.url.host != MODEL:
            return await self._world.transport.handle_async_request(request)
        self._now += 1
        self.most = max(self.most, self._now)
        if self._now >= self._wanted:
            self._reached.set()
        try:
            if b"Event: " in await request.aread():  # a detail; what comes before goes on alone
                await self._reached.wait()
            return await self._world.transport.handle_async_request(request)
        finally:
            self._now -= 1


@pytest.mark.timeout(120)
@pytest.mark.parametrize("at_once", [8, 3])
async def test_so_many_details_are_under_way_and_never_more(at_once: int) -> None:
    gate = Gate(World(town(24)), at_once)
    async with desk(gate, at_once) as app:
        run = await told(app, 20)
    assert gate.most == at_once
    assert len(TimelineResult.model_validate(run.result).nodes) >= 16


async def test_the_benchmark_runs_and_counts_its_nodes() -> None:
    report = await bench_details(TimelinePlan(nodes=10, model=0.01))
    assert report.value("nodes") >= 8
    assert report.value("details, first to last") > 0
