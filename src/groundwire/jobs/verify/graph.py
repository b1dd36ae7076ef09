"""The deep path, drawn and routed by LangGraph: context_gather → planner ⇄ executor → synthesis."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, cast

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from groundwire.context import Context
from groundwire.jobs.verify import nodes, synthesis
from groundwire.jobs.verify.types import State

_Step = Callable[[Context, State], Awaitable[dict[str, Any]]]
_STEPS: dict[str, _Step] = {
    "context_gather": nodes.context_gather,
    "planner": nodes.planner,
    "executor": nodes.executor,
    "synthesis": synthesis.synthesis,
}


@cache
def build() -> Any:
    """The graph, compiled once a process; each run brings its context. No checkpointer."""
    graph: Any = StateGraph(cast(Any, State), context_schema=Context)

    def bound(
        name: str, step: _Step
    ) -> Callable[[State, Runtime[Context]], Awaitable[dict[str, Any]]]:
        async def node(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
            context = runtime.context
            with context.timed(name):
                return await step(context.step(f"round{state.round}").step(name), state)

        return node

    for name, step in _STEPS.items():
        graph.add_node(name, bound(name, step))
    graph.add_edge(START, "context_gather")
    graph.add_edge("context_gather", "planner")
    graph.add_conditional_edges("planner", nodes.more, ["executor", "synthesis"])
    graph.add_edge("executor", "planner")
    graph.add_edge("synthesis", END)
    return graph.compile()


async def deepen(context: Context, state: State) -> State:
    # The planner's own cap ends the loop (max_tool_calls); this one only guards against a bug.
    most = 2 * (state.limits.max_tool_calls + 2) + 4
    final = await build().ainvoke(state, {"recursion_limit": most}, context=context)
    return State.model_validate(final)


def draw() -> str:
    return str(build().get_graph().draw_mermaid())
