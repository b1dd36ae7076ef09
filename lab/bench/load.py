"""The measured process of `gw bench ask` and `gw bench verify`: submits texts and reports their cost."""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from datetime import datetime
from functools import partial
from typing import Literal, TypeVar, cast

from pydantic import Field

from groundwire.app import App, open_app
from groundwire.app.intake.arrivals import arrival
from groundwire.app.intake.door import Door
from groundwire.app.wiring import Wiring
from groundwire.model.base import JsonObject, Value
from groundwire.model.call import MICRO
from groundwire.model.event import Event
from groundwire.model.ports import ArchiveHit, Index
from groundwire.model.query import Query
from groundwire.runs.embedded import EmbeddedEngine
from groundwire.runs.lock import FileLock
from lab.bench.process import tree_cpu

_TICK = 0.01
_BATCH = 20  # messages that a source brings at once
Result = TypeVar("Result")


class Order(Value):
    """What to do: `warm` texts first, then the measured ones, so many at once.

    With `finish`, the runs that a killed process left in the data folder are finished instead; with
    `door`, messages come through the intake's door, each of them twice.
    """

    kind: Literal["ask", "verify"]
    texts: tuple[str, ...] = ()
    warm: tuple[str, ...] = ()
    at_once: int = 1
    finish: bool = False
    gate: bool = False
    door: bool = False


class Seconds(Value):
    """Seconds that something took.

    `stall` is how long the event loop was blocked, `stall_cpu` the CPU of its thread between two ticks.
    """

    wall: float = 0.0
    cpu: float = 0.0
    stall: float = 0.0
    stall_cpu: float = 0.0


class TimedRun(Value):
    """One run: monotonic times as in the stubs' log, counts, and what its result says."""

    began: float
    ended: float
    first_event: float = 0.0  # seconds after submit, where events were followed
    state: str
    error: str = ""
    events: int
    sentences: int
    path: str = ""  # "": there is no signal
    verdict: str = ""
    from_gate: float = 0.0  # seconds from the gate's event to the last one
    rounds: int = 0  # of the executor
    tools: tuple[str, ...] = ()
    pages: int  # evidence read in full
    snippets: int
    sent: int = 0  # calls that actually went out
    cached: int = 0
    repeated: int = 0
    usd: float = 0.0
    nodes: dict[str, int] = Field(default_factory=dict[str, int])  # milliseconds by node
    failures: tuple[str, ...] = ()  # codes of what is degraded, and of tools that failed

    @property
    def wall(self) -> float:
        return self.ended - self.began


class Load(Value):
    """The report of the process."""

    runs: tuple[TimedRun, ...] = ()
    spent: Seconds = Seconds()
    # Through the door: signals by path; the same messages again, by the layer that recognised them.
    passed: dict[str, int] = Field(default_factory=dict[str, int])
    again: dict[str, int] = Field(default_factory=dict[str, int])
    again_wall: float = 0.0
    month_usd: float = 0.0  # spent and reserved


class ForgetfulIndex:
    """The archive, with the hits of every search thrown away.

    Later runs would otherwise be answered from what earlier ones have read: every run of the
    benchmark has to read its own pages.
    """

    def __init__(self, index: Index) -> None:
        self._index = index

    def __getattr__(self, name: str) -> object:
        return getattr(self._index, name)

    async def search(self, query: Query, now: datetime) -> Sequence[ArchiveHit]:
        await self._index.search(query, now)
        return ()


async def spend(work: Coroutine[None, None, Result]) -> tuple[Result, Seconds]:
    """Do some work and return what it took.

    A ticker wakes every 10 ms meanwhile; how late it comes is how long the event loop was blocked.
    """
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
    """Work through the texts, so many at once."""
    queue = iter(texts)
    done: list[Result] = []

    async def worker() -> None:
        for text in queue:
            done.append(await one(text))

    await asyncio.gather(*(worker() for _ in range(at_once)))
    return done


async def submit(app: App, order: Order, text: str) -> TimedRun:
    """Submit one question or message and wait until its result is stored."""
    began, first = time.monotonic(), 0.0
    if order.kind == "ask":
        run = await app.submit("ask", {"question": text})
        async for _ in app.follow(run.id):
            first = first or time.monotonic() - began
    else:
        fields = {"text": text, "gate": order.gate, "source": "bench"}
        run = await app.submit("verify", fields)
        await app.ended(run.id)
    return await _timed(app, run.id, began, first)


async def finish(app: App) -> list[TimedRun]:
    """Finish every run that a killed process left."""
    began = time.monotonic()
    run_ids = [run.id for run in await app.runs.recent(limit=1000)]
    await asyncio.gather(*(app.ended(run_id) for run_id in run_ids))
    return [await _timed(app, run_id, began) for run_id in run_ids]


async def _timed(app: App, run_id: str, began: float, first: float = 0.0) -> TimedRun:
    ended = time.monotonic()
    run = await app.runs.find(run_id)
    result: JsonObject = run.result or {}
    events = await app.runs.events(run_id, limit=10_000)
    kinds = [row["kind"] for row in result.get("evidence", ())]
    tools: list[JsonObject] = result.get("tools", [])
    tool_names = [str(each["tool"]) for each in tools]
    codes = [str(each["code"]) for each in result.get("degraded", ())]
    codes += [str(each["error"]["code"]) for each in tools if each["error"]]
    cost: JsonObject = result.get("cost", {})
    return TimedRun(
        began=began,
        ended=ended,
        first_event=first,
        state=run.state,
        error=run.error or "",
        events=len(events),
        sentences=len(result.get("answer", ())),
        path=result.get("path", ""),
        verdict=result.get("verdict", ""),
        from_gate=_from_gate(events),
        rounds=max(Counter(tool_names).values(), default=0),
        tools=tuple(tool_names),
        pages=kinds.count("page"),
        snippets=len(kinds) - kinds.count("page"),
        sent=cost.get("calls", 0),
        cached=cost.get("cached", 0),
        repeated=cost.get("repeated", 0),
        usd=cost.get("usd", 0.0),
        nodes=result.get("node_latency_ms", {}),
        failures=tuple(codes),
    )


def _from_gate(events: Sequence[Event]) -> float:
    gates = [event.at for event in events if event.payload.get("phase") == "gate"]
    return (events[-1].at - gates[0]).total_seconds() if gates else 0.0


async def through_door(app: App, order: Order, source: str) -> Door:
    """Bring the messages in as a source does, a batch at a time, until the last signal."""
    door = Door(app, at_once=order.at_once)
    for start in range(0, len(order.texts), _BATCH):
        batch = order.texts[start : start + _BATCH]
        await door.take([arrival(text, app.clock(), source=source) for text in batch])
    await door.idle()
    return door


async def work(app: App, order: Order) -> Load:
    """Warm up, then carry out the order."""
    one = partial(submit, app, order)
    await do_all(order.warm, 1, one)
    if order.door:
        # First as new messages, then from another source, when none becomes a run.
        door, spent = await spend(through_door(app, order, "telegram:first"))
        again, repeated = await spend(through_door(app, order, "telegram:second"))
        return Load(
            spent=spent,
            passed=dict(door.counts.ended),
            again=dict(again.counts.repeated),
            again_wall=repeated.wall,
        )
    todo = finish(app) if order.finish else do_all(order.texts, order.at_once, one)
    runs, spent = await spend(todo)
    month = f"month:{app.clock():%Y-%m}"
    paid = await app.store.budget.spent([month])
    reserved = await app.store.budget.reserved([month])
    usd = (paid.get(month, 0) + reserved.get(month, 0)) / MICRO
    return Load(runs=tuple(runs), spent=spent, month_usd=usd)


async def main(order: Order) -> None:
    """Run `python -m lab.bench.load ORDER`: the order is JSON, and so is the report."""
    async with open_app() as app:
        # The app as it is, except for what its archive finds and how many runs go at once.
        index = cast("Index", ForgetfulIndex(app.store.index))
        app.outside = Wiring(app.settings, app.store, index=index)
        lock = FileLock(app.settings.data_home() / "bench.lock")
        app.engine = EmbeddedEngine(app.services, lock, at_once=order.at_once)
        report = await work(app, order)
    sys.stdout.write(report.model_dump_json())


if __name__ == "__main__":
    asyncio.run(main(Order.model_validate_json(sys.argv[1])))
