"""A job for the tests of streams: a number of events of a given size, as far as a file allows."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

from groundwire.context import Context
from groundwire.jobs import Job
from groundwire.model.base import Value
from groundwire.model.result import Cost

_WORDS = "脱锚 depeg — “第%d步” "


class DripInput(Value):
    """`gate` names a file that says how many events may be emitted so far; none: all."""

    count: int
    size: int = 1
    gate: str = ""


class Dripped(Value):
    run_id: str
    status: str = "complete"
    count: int
    cost: Cost = Cost()
    latency_ms: int = 0


async def run(context: Context, given: DripInput) -> Dripped:
    for number in range(given.count):
        while given.gate and number >= allowed(given.gate):
            await asyncio.sleep(0.01)
        step = context.step(f"step-{number}")
        await step.emit("thought", {"number": number, "text": _WORDS % number * given.size})
        if number % 16 == 15:
            await asyncio.sleep(0)
    return Dripped(run_id=context.run_id, count=given.count)


def allowed(gate: str) -> int:
    if gate.startswith("stuck:"):
        _get_stuck(Path(gate.removeprefix("stuck:")))
        return sys.maxsize
    try:
        return int(Path(gate).read_text(encoding="utf-8") or 0)
    except FileNotFoundError:
        return 0


def _get_stuck(mark: Path) -> None:
    """Block the whole loop once, as a step that never yields would."""
    if not mark.exists():
        mark.touch()
    while mark.is_file():
        time.sleep(1)


JOB = Job(kind="drip", input=DripInput, result=Dripped, run=run, draw=lambda: "")
