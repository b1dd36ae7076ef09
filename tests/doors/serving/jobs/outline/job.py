"""outline: looks something up, proposes an outline, waits, and goes on with what was confirmed."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any, TypedDict

from pydantic import Field

from groundwire.context import Context
from groundwire.jobs import Job
from groundwire.model.base import Value
from groundwire.model.outbox import Notice
from groundwire.model.query import Query
from groundwire.model.result import Cost


class OutlineInput(Value):
    topic: str
    rounds: int = 1


class Outline(Value):
    """The proposal that a person is asked to confirm."""

    title: str = Field(min_length=1)
    parts: int = Field(default=3, ge=1, le=9)
    tags: tuple[str, ...] = ()


class Outlined(Value):
    run_id: str
    status: str = "complete"
    found: int
    titles: tuple[str, ...]
    edited: int
    by: str
    cost: Cost = Cost()
    latency_ms: int = 0


class _State(TypedDict, total=False):
    found: int
    titles: tuple[str, ...]
    edited: int
    by: str


async def run(context: Context, given: OutlineInput) -> Outlined:
    from langgraph.graph import END, START, StateGraph

    async def look(_state: _State) -> _State:
        hits = await context.step("look").search(Query(text=given.topic))
        return {"found": len(hits.hits)}

    async def propose(_state: _State) -> _State:
        titles: tuple[str, ...] = ()
        edited, by = 0, ""
        for number in range(given.rounds):
            proposal = Outline(title=f"{given.topic} {number + 1}")
            answer = await context.step("propose").confirm(proposal, occasion=str(number))
            titles += (answer.value.title,) * answer.value.parts
            edited, by = edited + answer.edited, answer.by
        return {"titles": titles, "edited": edited, "by": by}

    async def write(state: _State) -> _State:
        mark = Path(os.environ.get("DIE_ONCE_AT") or os.devnull)
        if not mark.exists():  # killed after the word, before the end
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        await context.step("write").emit("progress", {"titles": list(state.get("titles", ()))})
        return {}

    graph: Any = StateGraph(_State)
    for node in (look, propose, write):
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "look")
    graph.add_edge("look", "propose")
    graph.add_edge("propose", "write")
    graph.add_edge("write", END)
    state: _State = await graph.compile().ainvoke({})
    return Outlined(run_id=context.run_id, **state)


def notice(result: Outlined) -> Notice:
    return Notice(kind="outline", content={"titles": list(result.titles)})


JOB = Job(
    kind="outline",
    input=OutlineInput,
    result=Outlined,
    run=run,
    draw=lambda: "",
    notice=notice,
    proposals=(Outline,),
)
