"""The measured process of `gw bench ask`: asks questions, many at once, and says what it took."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from typing import TypeVar, cast

from groundwire.app import App, open_app
from groundwire.app.wiring import Wiring
from groundwire.model.base import JsonObject, Value
from groundwire.model.ports import ArchiveHit, Index
from groundwire.model.query import Query
from groundwire.model.run import Run
from groundwire.runs.embedded import EmbeddedEngine
from groundwire.runs.lock import FileLock
from lab.bench.process import tree_cpu

_TICK = 0.01
Result = TypeVar("Result")
Ordered = TypeVar("Ordered", bound="Order")


class Order(Value):
    """What to do: `warm` texts first, then the measured ones, so many at once.

    With `finish` what a killed process left in the data folder is brought to its end instead.
    """

    texts: tuple[str, ...] = ()
    warm: tuple[str, ...] = ()
    at_once: int = 1
    finish: bool = False


class Seconds(Value):
    """Seconds that something took; `stall` is how long the loop was held, `stall_cpu` how much of
    its thread's own time went between two ticks."""

    wall: float = 0.0
    cpu: float = 0.0
    stall: float = 0.0
    stall_cpu: float = 0.0


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
    """What the process reports."""

    runs: tuple[TimedRun, ...]
    spent: Seconds
    cold: Seconds  # while it warmed up


class Forgetful:
    """The archive, whose finds are thrown away after the search has been made.

    Later runs would otherwise be answered by what earlier ones have read: every run of the
    benchmark is to read its own pages.
    """

    def __init__(self, index: Index) -> None:
        self._index = index

    def __getattr__(self, name: str) -> object:
        return getattr(self._index, name)

    async def search(self, query: Query, now: datetime) -> Sequence[ArchiveHit]:
        await self._index.search(query, now)
        return ()


async def spend(work: Coroutine[None, None, Result]) -> tuple[Result, Seconds]:
    """Do something, and say what it took: a ticker wants to wake every 10 ms meanwhile, and what
    it comes late is how long the loop was held."""
    stalls = [(0.0, 0.0)]

    async def tick() -> None:
        while True:
            wall, cpu = time.monotonic(), time.thread_time()
            await asyncio.sleep(_TICK)
            stalls.append((time.monotonic() - wall - _TICK, time.thread_time() - cpu))

    ticker = asyncio.create_task(tick())
    cpu, wall = tree_cpu(), time.monotonic()
    try:
        result = await work
    finally:
        ticker.cancel()
    wall, cpu = time.monotonic() - wall, tree_cpu() - cpu
    stall, stall_cpu = (max(each) for each in zip(*stalls, strict=True))
    return result, Seconds(wall=wall, cpu=cpu, stall=stall, stall_cpu=stall_cpu)


async def do_all(
    texts: Sequence[str], at_once: int, one: Callable[[str], Awaitable[Result]]
) -> list[Result]:
    """One after another, by so many at once."""
    waiting = iter(texts)
    done: list[Result] = []

    async def worker() -> None:
        for text in waiting:
            done.append(await one(text))

    await asyncio.gather(*(worker() for _ in range(at_once)))
    return done


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
    _, cold = await spend(do_all(order.warm, 1, partial(ask, app)))
    if order.finish:
        last, spent = await spend(finish(app))
        return Load(runs=(last,), spent=spent, cold=cold)
    runs, spent = await spend(do_all(order.texts, order.at_once, partial(ask, app)))
    return Load(runs=tuple(runs), spent=spent, cold=cold)


@asynccontextmanager
async def measured_app(at_once: int) -> AsyncGenerator[App]:
    """The whole app as it is, but for what its archive finds and how many runs go at once."""
    async with open_app() as app:
        index = cast("Index", Forgetful(app.store.index))
        app.outside = Wiring(app.settings, app.store, index=index)
        lock = FileLock(app.settings.data_home() / "bench.lock")
        app.engine = EmbeddedEngine(app.services, lock, at_once=at_once)
        yield app


def main(order: type[Ordered], work: Callable[[App, Ordered], Awaitable[Value]]) -> None:
    """Entry of `python -m lab.bench.… ORDER`: the order is JSON, and so is the answer."""

    async def measured(given: Ordered) -> Value:
        async with measured_app(given.at_once) as app:
            return await work(app, given)

    found = asyncio.run(measured(order.model_validate_json(sys.argv[1])))
    sys.stdout.write(found.model_dump_json())


if __name__ == "__main__":
    main(Order, work)
