"""The measured process of `gw bench verify`: takes messages, many at once, and says what it took."""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, cast

from pydantic import Field

from groundwire.app import App
from groundwire.app.intake.arrivals import arrival
from groundwire.app.intake.door import Door
from groundwire.model.base import JsonObject, Value
from groundwire.model.call import MICRO
from groundwire.model.event import Event
from lab.bench.load import Ticker, measured_app
from lab.bench.process import tree_cpu

_LOOK = 20  # messages that a source brings at once


class Order(Value):
    """What to do: `warm` messages first, then the measured ones, so many at once.

    `door`: they come through the intake's door, each of them twice. With `finish` the runs that a
    killed process left in the data folder are brought to their end instead.
    """

    messages: tuple[str, ...] = ()
    warm: tuple[str, ...] = ()
    gate: bool = False
    at_once: int = 1
    door: bool = False
    finish: bool = False


class Signalled(Value):
    """One message: how long it took, and what its signal says."""

    run_id: str
    wall: float
    state: str
    error: str = ""
    path: str = ""  # "": there is no signal
    verdict: str = ""
    from_gate: float = 0.0  # seconds from the gate's event to the last one
    rounds: int = 0  # of the executor
    tools: tuple[str, ...] = ()
    pages: int = 0  # evidence read in full
    snippets: int = 0
    sent: int = 0  # calls that really went out
    cached: int = 0
    repeated: int = 0
    usd: float = 0.0
    nodes: dict[str, int] = Field(default_factory=dict[str, int])  # milliseconds by node
    failures: tuple[str, ...] = ()  # codes of what is degraded, and of tools that failed


class Shift(Value):
    """What the process reports; `stall` is wall seconds, `stall_cpu` the loop thread's own."""

    first: Signalled | None = None  # the first message of the process, apart
    first_cpu: float = 0.0
    runs: tuple[Signalled, ...] = ()
    wall: float = 0.0
    cpu: float = 0.0
    stall: float = 0.0
    stall_cpu: float = 0.0
    ended: dict[str, int] = Field(
        default_factory=dict[str, int]
    )  # through the door: signals by path
    again: dict[str, int] = Field(
        default_factory=dict[str, int]
    )  # the same messages again: by the layer that knew them
    again_wall: float = 0.0
    month_usd: float = 0.0  # spent and reserved


async def verify(app: App, text: str, *, gate: bool) -> Signalled:
    """One message to its stored signal."""
    began = time.monotonic()
    run = await app.submit("verify", {"text": text, "gate": gate, "source": "bench"})
    await app.ended(run.id)
    return await _signalled(app, run.id, time.monotonic() - began)


async def _signalled(app: App, run_id: str, wall: float) -> Signalled:
    run = await app.runs.find(run_id)
    if run.result is None:
        return Signalled(run_id=run_id, wall=wall, state=run.state, error=run.error or "")
    value: Any = run.result
    pages = sum(1 for each in value["evidence"] if each["kind"] == "page")
    tools = [str(each["tool"]) for each in value["tools"]]
    codes = [str(each["code"]) for each in value["degraded"]]
    codes += [str(each["error"]["code"]) for each in value["tools"] if each["error"]]
    cost: JsonObject = value["cost"]
    return Signalled(
        run_id=run_id,
        wall=wall,
        state=run.state,
        path=value["path"],
        verdict=value["verdict"],
        from_gate=_from_gate(await app.runs.events(run_id)),
        rounds=max(Counter(tools).values(), default=0),
        tools=tuple(tools),
        pages=pages,
        snippets=len(value["evidence"]) - pages,
        sent=cast("int", cost["calls"]),
        cached=cast("int", cost["cached"]),
        repeated=cast("int", cost["repeated"]),
        usd=cast("float", cost["usd"]),
        nodes=value["node_latency_ms"],
        failures=tuple(codes),
    )


def _from_gate(events: Sequence[Event]) -> float:
    gates = [event.at for event in events if event.payload.get("phase") == "gate"]
    return (events[-1].at - gates[0]).total_seconds() if gates else 0.0


async def finish(app: App) -> list[Signalled]:
    """Every run that a killed process left, to its end."""
    began = time.monotonic()
    left = [run.id for run in await app.runs.recent(limit=1000)]
    await asyncio.gather(*(app.ended(each) for each in left))
    return [await _signalled(app, each, time.monotonic() - began) for each in left]


async def through_door(app: App, order: Order, source: str) -> tuple[Door, float]:
    """The messages as a source brings them, a look at a time, to the last signal."""
    door = Door(app, at_once=order.at_once)
    began = time.monotonic()
    for start in range(0, len(order.messages), _LOOK):
        looked = order.messages[start : start + _LOOK]
        await door.take([arrival(text, app.clock(), source=source) for text in looked])
    await door.idle()
    return door, time.monotonic() - began


async def work(app: App, order: Order) -> Shift:
    ticker = Ticker()
    first: Signalled | None = None
    cold = 0.0
    for text in order.warm:
        cpu = tree_cpu()
        found = await verify(app, text, gate=order.gate)
        if first is None:
            first, cold = found, tree_cpu() - cpu
    ticker.take()
    waiting = iter(order.messages)
    done: list[Signalled] = []

    async def one_after_another() -> None:
        for text in waiting:
            done.append(await verify(app, text, gate=order.gate))

    shift = Shift(first=first, first_cpu=cold)
    cpu, wall = tree_cpu(), time.monotonic()
    if order.finish:
        done += await finish(app)
    elif order.door:
        shift = await _at_the_door(app, order, shift)
    else:
        await asyncio.gather(*(one_after_another() for _ in range(order.at_once)))
    wall, cpu = time.monotonic() - wall, tree_cpu() - cpu
    stall, stall_cpu = ticker.take()
    ticker.stop()
    month = f"month:{app.clock():%Y-%m}"
    spent = await app.store.budget.spent([month])
    reserved = await app.store.budget.reserved([month])
    return shift.model_copy(
        update={
            "runs": tuple(done),
            "wall": shift.wall or wall,
            "cpu": shift.cpu or cpu,
            "stall": stall,
            "stall_cpu": stall_cpu,
            "month_usd": (spent.get(month, 0) + reserved.get(month, 0)) / MICRO,
        }
    )


async def _at_the_door(app: App, order: Order, shift: Shift) -> Shift:
    """Once as new messages, once more from another source: the second time none becomes a run."""
    cpu = tree_cpu()
    door, wall = await through_door(app, order, "telegram:first")
    cpu = tree_cpu() - cpu
    again, again_wall = await through_door(app, order, "telegram:second")
    return shift.model_copy(
        update={
            "wall": wall,
            "cpu": cpu,
            "ended": dict(door.counts.ended),
            "again": dict(again.counts.repeated),
            "again_wall": again_wall,
        }
    )


async def measured(order: Order) -> Shift:
    async with measured_app(order.at_once) as app:
        return await work(app, order)


def main() -> None:
    """Entry of `python -m lab.bench.signals ORDER`."""
    order = Order.model_validate_json(sys.argv[1])
    sys.stdout.write(asyncio.run(measured(order)).model_dump_json())


if __name__ == "__main__":
    main()
