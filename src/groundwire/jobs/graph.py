"""A job's steps as nodes of a LangGraph, each timed and under its round; without a checkpointer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol, cast

from langgraph.graph import StateGraph
from langgraph.runtime import Runtime

from groundwire.context import Context


class Rounds(Protocol):
    """What the state of every job has."""

    @property
    def round(self) -> int: ...


_Step = Callable[[Context, Any], Awaitable[dict[str, Any]]]


def graph_of(state: type[Rounds], steps: Mapping[str, _Step]) -> Any:
    """Build a graph with the steps as nodes and no edge yet; each run brings its context."""
    graph: Any = StateGraph(cast(Any, state), context_schema=Context)
    for name, step in steps.items():
        graph.add_node(name, _node(name, step))
    return graph


def _node(name: str, step: _Step) -> Callable[..., Awaitable[dict[str, Any]]]:
    async def node(state: Rounds, runtime: Runtime[Context]) -> dict[str, Any]:
        context = runtime.context
        with context.timed(name):
            return await step(context.step(f"round{state.round}").step(name), state)

    return node
