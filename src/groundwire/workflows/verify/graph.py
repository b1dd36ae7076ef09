"""The deep path, drawn and routed by LangGraph: context_gather → planner ⇄ executor → synthesis."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast

from langgraph.graph import END, START, StateGraph

from groundwire.context import Context
from groundwire.workflows.verify import nodes, synthesis
from groundwire.workflows.verify.types import State

_Step = Callable[[Context, State], Awaitable[dict[str, Any]]]
_STEPS: dict[str, _Step] = {
    "context_gather": nodes.context_gather,
    "planner": nodes.planner,
    "executor": nodes.executor,
    "synthesis": synthesis.synthesis,
}


def build(context: Context | None) -> Any:
    """The compiled graph; without a context it can be drawn, not run. No checkpointer."""
    graph: Any = StateGraph(cast(Any, State))

    def bound(name: str, step: _Step) -> Callable[[State], Awaitable[dict[str, Any]]]:
        async def node(state: State) -> dict[str, Any]:
            if context is None:
                raise AssertionError("a drawn graph is not run")
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
    return State.model_validate(await build(context).ainvoke(state, {"recursion_limit": most}))


def draw() -> str:
    return str(build(None).get_graph().draw_mermaid())
