"""The deep path, routed by LangGraph: context_gather → planner ⇄ executor → synthesis."""

from __future__ import annotations

from functools import cache
from typing import Any

from langgraph.graph import END, START

from groundwire.context import Context
from groundwire.jobs.graph import graph_of
from groundwire.jobs.verify import nodes, synthesis
from groundwire.jobs.verify.types import State

_STEPS = {
    "context_gather": nodes.context_gather,
    "planner": nodes.planner,
    "executor": nodes.executor,
    "synthesis": synthesis.synthesis,
}


@cache
def build() -> Any:
    """Compile the graph, once a process."""
    graph = graph_of(State, _STEPS)
    graph.add_edge(START, "context_gather")
    graph.add_edge("context_gather", "planner")
    graph.add_conditional_edges("planner", nodes.after_planning, ["executor", "synthesis"])
    graph.add_edge("executor", "planner")
    graph.add_edge("synthesis", END)
    return graph.compile()


async def deepen(context: Context, state: State) -> State:
    # The planner ends the loop at `max_tool_calls`; this limit only guards against a bug.
    most = 2 * (state.limits.max_tool_calls + 2) + 4
    final = await build().ainvoke(state, {"recursion_limit": most}, context=context)
    return State.model_validate(final)
