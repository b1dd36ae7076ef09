"""The measured process of `gw bench verify`: takes messages, many at once, and says what it took."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any, cast

from pydantic import Field

from groundwire.app import App
from groundwire.app.intake.arrivals import arrival
from groundwire.app.intake.door import Door
from groundwire.model.base import JsonObject, Value
from groundwire.model.call import MICRO
from groundwire.model.event import Event
from lab.bench.load import Order, Seconds, do_all, main, spend

_LOOK = 20  # messages that a source brings at once


class Messages(Order):
    """Messages as texts. `door`: they come through the intake's door, each of them twice."""

    gate: bool = False
    door: bool = False


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
    """What the process reports."""

    first: Signalled | None = None  # the first message of the process, apart
    cold: Seconds = Seconds()  # what it took
    runs: tuple[Signalled, ...] = ()
    spent: Seconds = Seconds()
    # Through the door: signals by path; the same messages again, by the layer that knew them.
    ended: dict[str, int] = Field(default_factory=dict[str, int])
    again: dict[str, int] = Field(default_factory=dict[str, int])
    again_wall: float = 0.0
    month_usd: float = 0.0  # spent and reserved


async def verify(app: App, gate: bool, text: str) -> Signalled:
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
    pages = sum(1 for row in value["evidence"] if row["kind"] == "page")
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


async def through_door(app: App, order: Messages, source: str) -> Door:
    """The messages as a source brings them, a look at a time, to the last signal."""
    door = Door(app, at_once=order.at_once)
    for start in range(0, len(order.texts), _LOOK):
        looked = order.texts[start : start + _LOOK]
        await door.take([arrival(text, app.clock(), source=source) for text in looked])
    await door.idle()
    return door


async def work(app: App, order: Messages) -> Shift:
    one = partial(verify, app, order.gate)
    first, cold = await spend(do_all(order.warm[:1], 1, one))
    await do_all(order.warm[1:], 1, one)
    shift = Shift(first=first[0] if first else None, cold=cold)
    if order.door:
        # Once as new messages, once more from another source: then none becomes a run.
        door, spent = await spend(through_door(app, order, "telegram:first"))
        again, repeated = await spend(through_door(app, order, "telegram:second"))
        return shift.model_copy(
            update={
                "spent": spent,
                "ended": dict(door.counts.ended),
                "again": dict(again.counts.repeated),
                "again_wall": repeated.wall,
            }
        )
    todo = finish(app) if order.finish else do_all(order.texts, order.at_once, one)
    runs, spent = await spend(todo)
    month = f"month:{app.clock():%Y-%m}"
    paid = await app.store.budget.spent([month])
    held = await app.store.budget.reserved([month])
    usd = (paid.get(month, 0) + held.get(month, 0)) / MICRO
    return shift.model_copy(update={"runs": tuple(runs), "spent": spent, "month_usd": usd})


if __name__ == "__main__":
    main(Messages, work)
