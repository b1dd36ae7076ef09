"""The measured process of `gw bench ask`: asks questions, many at once, and says what it took."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import cast

from groundwire.app import App, open_app
from groundwire.app.wiring import Wiring
from groundwire.model.base import JsonObject, Value
from groundwire.model.ports import ArchiveHit, ArchiveStats, Index
from groundwire.model.query import Query
from groundwire.model.run import Run
from groundwire.model.source import Document
from groundwire.runs.embedded import EmbeddedEngine
from groundwire.runs.lock import FileLock
from lab.bench.process import tree_cpu

_TICK = 0.01


class Order(Value):
    """What to do: `warm` questions first, then the measured ones, so many at once.

    With `finish` the last run of the data folder is brought to its end instead.
    """

    questions: tuple[str, ...] = ()
    warm: tuple[str, ...] = ()
    at_once: int = 1
    finish: bool = False


class TimedRun(Value):
    """One run: monotonic times as the stubs' log has them, and what was counted."""

    began: float
    ended: float
    first_event: float  # seconds after submit
    state: str
    sentences: int
    pages: int  # evidence read in full
    snippets: int
    events: int
    sent: int  # calls that really went out
    cached: int
    repeated: int


class Load(Value):
    """What the process reports; `stall` is wall seconds, `stall_cpu` the loop thread's own."""

    runs: tuple[TimedRun, ...]
    wall: float
    cpu: float
    stall: float
    stall_cpu: float
    warm_stall: float  # the same while the process was still cold
    warm_stall_cpu: float


class Forgetful:
    """The archive, whose finds are thrown away after the search has been made.

    Later runs would otherwise be answered by what earlier ones have read: every run of the
    benchmark is to read its own pages.
    """

    def __init__(self, index: Index) -> None:
        self._index = index

    async def search(self, query: Query, now: datetime) -> Sequence[ArchiveHit]:
        await self._index.search(query, now)
        return ()

    async def add(self, documents: Sequence[Document]) -> int:
        return await self._index.add(documents)

    async def get(self, document_id: str) -> Document | None:
        return await self._index.get(document_id)

    async def by_url(self, canonical_url: str) -> Document | None:
        return await self._index.by_url(canonical_url)

    async def remove(self, document_ids: Sequence[str]) -> int:
        return await self._index.remove(document_ids)

    async def stats(self) -> ArchiveStats:
        return await self._index.stats()


class Ticker:
    """Wants to wake every 10 ms; what it comes late is how long the loop was held."""

    def __init__(self) -> None:
        self.stall = 0.0
        self.stall_cpu = 0.0
        self._task = asyncio.create_task(self._tick())

    def take(self) -> tuple[float, float]:
        """The worst since the last time."""
        worst = self.stall, self.stall_cpu
        self.stall = self.stall_cpu = 0.0
        return worst

    def stop(self) -> None:
        self._task.cancel()

    async def _tick(self) -> None:
        while True:
            wall, cpu = time.monotonic(), time.thread_time()
            await asyncio.sleep(_TICK)
            self.stall = max(self.stall, time.monotonic() - wall - _TICK)
            self.stall_cpu = max(self.stall_cpu, time.thread_time() - cpu)


async def ask(app: App, question: str) -> TimedRun:
    """One question to its stored end."""
    began = time.monotonic()
    run = await app.submit("ask", {"question": question})
    first, events = 0.0, 0
    async for _ in app.follow(run.id):
        first = first or time.monotonic() - began
        events += 1
    return await _asked(app, run.id, began, first, events)


async def finish(app: App) -> TimedRun:
    """The last run, from where a killed process left it."""
    began = time.monotonic()
    run = await app.finished((await app.runs.find("last")).id)
    events = [event async for event in app.follow(run.id)]
    return await _asked(app, run.id, began, 0.0, len(events))


async def _asked(app: App, run_id: str, began: float, first: float, events: int) -> TimedRun:
    run: Run = await app.runs.find(run_id)
    result: JsonObject = run.result or {}
    evidence = cast("list[dict[str, object]]", result.get("evidence", []))
    pages = sum(1 for each in evidence if each["kind"] == "page")
    cost: JsonObject = result.get("cost", {})
    return TimedRun(
        began=began,
        ended=time.monotonic(),
        first_event=first,
        state=run.state,
        sentences=len(cast("list[object]", result.get("answer", []))),
        pages=pages,
        snippets=len(evidence) - pages,
        events=events,
        sent=cast("int", cost.get("calls", 0)),
        cached=cast("int", cost.get("cached", 0)),
        repeated=cast("int", cost.get("repeated", 0)),
    )


async def work(app: App, order: Order) -> Load:
    ticker = Ticker()
    for question in order.warm:
        await ask(app, question)
    warm_stall, warm_stall_cpu = ticker.take()
    waiting = iter(order.questions)
    done: list[TimedRun] = []

    async def one_after_another() -> None:
        for question in waiting:
            done.append(await ask(app, question))

    cpu, wall = tree_cpu(), time.monotonic()
    if order.finish:
        done.append(await finish(app))
    else:
        await asyncio.gather(*(one_after_another() for _ in range(order.at_once)))
    wall, cpu = time.monotonic() - wall, tree_cpu() - cpu
    stall, stall_cpu = ticker.take()
    ticker.stop()
    return Load(
        runs=tuple(done),
        wall=wall,
        cpu=cpu,
        stall=stall,
        stall_cpu=stall_cpu,
        warm_stall=warm_stall,
        warm_stall_cpu=warm_stall_cpu,
    )


@asynccontextmanager
async def measured_app(at_once: int) -> AsyncGenerator[App]:
    """The whole app as it is, but for what its archive finds and how many runs go at once."""
    async with open_app() as app:
        index = Forgetful(app.store.index)
        app.outside = Wiring(app.settings, app.store, index=index)
        lock = FileLock(app.settings.data_home() / "bench.lock")
        app.engine = EmbeddedEngine(app.services, lock, at_once=at_once)
        yield app


async def measured(order: Order) -> Load:
    async with measured_app(order.at_once) as app:
        return await work(app, order)


def main() -> None:
    """Entry of `python -m lab.bench.load ORDER`."""
    order = Order.model_validate_json(sys.argv[1])
    sys.stdout.write(asyncio.run(measured(order)).model_dump_json())


if __name__ == "__main__":
    main()
