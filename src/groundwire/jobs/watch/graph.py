"""The story of watch, routed by LangGraph: plan → execute ⇄ (search ∥ scrape) → expand ⇄ … → critique →
synthesize. Each step stands in a phase, and the moves between phases are those of one table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

from langgraph.graph import END, START
from langgraph.types import Send

from groundwire.context import Context
from groundwire.jobs.graph import graph_of
from groundwire.jobs.watch import judging, stages
from groundwire.jobs.watch.given import WatchInput
from groundwire.jobs.watch.outcome import result_of
from groundwire.jobs.watch.phases import Phase, moved
from groundwire.jobs.watch.reading import cited
from groundwire.jobs.watch.result import WatchResult
from groundwire.jobs.watch.settings import WatchSettings
from groundwire.jobs.watch.types import State

_Step = Callable[[Context, State], Awaitable[dict[str, Any]]]


def _in(phase: Phase, step: _Step) -> _Step:
    """Take a step in its phase; where the table has no such move, it raises."""

    async def enter(context: Context, state: State) -> dict[str, Any]:
        here = moved(state.phase, phase, state.came_from)
        done = await step(context, state)
        return {"phase": here, **done}

    return enter


def _aside(step: _Step) -> _Step:
    """Recover, and go back to the phase from which that began; what is lost stays in recovering."""

    async def enter(context: Context, state: State) -> dict[str, Any]:
        moved(state.phase, "recovering")
        done = await step(context, state)
        back = moved("recovering", state.phase, state.phase)
        return {"came_from": state.phase, "phase": back, **done}

    return enter


_STEPS: dict[str, _Step] = {
    "plan": _in("planning", stages.plan),
    "execute": _in("executing", stages.execute),
    "search": _in("searching", stages.search),
    "reread": _in("scraping", stages.reread),
    "choose": _in("executing", stages.choose),
    "recover": _aside(stages.recover),
    "give_up": _in("failed", stages.give_up),
    "scrape": _in("scraping", stages.scrape),
    "expand": _in("expanding", stages.expand),
    "critique": _in("critiquing", judging.critique),
    "synthesize": _in("synthesizing", judging.synthesize),
}
_A_ROUND = 8  # steps of a round at most; the limit only guards against a bug


@cache
def build() -> Any:
    """Compile the graph, once a process."""
    graph = graph_of(State, _STEPS)
    graph.add_edge(START, "plan")
    graph.add_edge("plan", "execute")
    graph.add_conditional_edges("execute", _side_by_side, ["search", "reread"])
    graph.add_edge("search", "choose")
    graph.add_edge("reread", "choose")
    graph.add_conditional_edges("choose", _healing, ["recover", "scrape"])
    graph.add_conditional_edges("recover", _going_on, ["give_up", "scrape"])
    graph.add_edge("scrape", "expand")
    graph.add_conditional_edges("expand", _another, ["execute", "critique"])
    graph.add_conditional_edges("critique", _directed, ["execute", "synthesize"])
    graph.add_edge("synthesize", END)
    graph.add_edge("give_up", END)
    return graph.compile()


def _side_by_side(state: State) -> list[Send]:
    """Search every batch, and read the cited pages again, at once."""
    sends = [
        Send("search", state.model_copy(update={"at": place})) for place in range(len(state.queue))
    ]
    if state.round == 0 and cited(state.before):
        sends.append(Send("reread", state))
    return sends


def _healing(state: State) -> str:
    return "recover" if stages.other_ways(state) or stages.hopeless(state) else "scrape"


def _going_on(state: State) -> str:
    return "give_up" if stages.hopeless(state) else "scrape"


def _another(state: State) -> str:
    return "execute" if state.more else "critique"


def _directed(state: State) -> str:
    return "execute" if state.more else "synthesize"


async def run(context: Context, given: WatchInput) -> WatchResult:
    limits = WatchSettings.model_validate(context.parts.limits["watch"])
    state = State(given=given, limits=limits, now=context.now())
    config = {
        "recursion_limit": _A_ROUND * (given.max_steps + 3),
        "max_concurrency": limits.concurrency,
    }
    final = State.model_validate(await build().ainvoke(state, config, context=context))
    if final.phase != "failed":
        moved(final.phase, "completed")
        final = final.model_copy(update={"phase": "completed"})
    return result_of(context, final)
