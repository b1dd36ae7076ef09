"""The story of ask, drawn and routed by LangGraph: plan → search → read → weigh → write → check."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast

from langgraph.graph import END, START, StateGraph

from groundwire.context import Context
from groundwire.gather.as_of import known_by
from groundwire.jobs.ask import memory, nodes
from groundwire.jobs.ask.answer import AskResult
from groundwire.jobs.ask.result import result_of
from groundwire.jobs.ask.settings import AskSettings
from groundwire.jobs.ask.types import AskInput, State

_Step = Callable[[Context, State], Awaitable[dict[str, Any]]]
_STEPS: dict[str, _Step] = {
    "plan": nodes.plan,
    "search": nodes.search,
    "read": nodes.read,
    "weigh": nodes.weigh,
    "write": nodes.write,
    "check": nodes.check,
    "recall": memory.recall,
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
    graph.add_edge(START, "plan")
    graph.add_edge(START, "recall")
    graph.add_edge("recall", END)
    graph.add_edge("plan", "search")
    graph.add_edge("search", "read")
    graph.add_edge("read", "weigh")
    graph.add_conditional_edges("weigh", nodes.anything_to_write_from, ["write", "check"])
    graph.add_edge("write", "check")
    graph.add_conditional_edges("check", nodes.another_round, {"again": "plan", "done": END})
    return graph.compile()


async def answer(context: Context, given: AskInput) -> AskResult:
    limits = AskSettings.model_validate(context.parts.limits["ask"])
    state = State(given=given, limits=limits, as_of=known_by(given.as_of, context.now()))
    # Every loop has its own cap (State.given.deep); this one only guards against a bug.
    final = await build(context).ainvoke(state, {"recursion_limit": 8 * (given.deep + 2)})
    return result_of(context, State.model_validate(final))


def draw() -> str:
    return str(build(None).get_graph().draw_mermaid())
