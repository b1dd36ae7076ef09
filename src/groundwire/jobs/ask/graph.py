"""The story of ask, routed by LangGraph: look back → plan → search → read → weigh → write → check."""

from __future__ import annotations

from functools import cache
from typing import Any

from langgraph.graph import END, START

from groundwire.context import Context
from groundwire.gather.as_of import known_by
from groundwire.gather.weighing import view_of
from groundwire.jobs.ask import follow_up, memory, nodes
from groundwire.jobs.ask.answer import AskResult
from groundwire.jobs.ask.memory import away, recalled
from groundwire.jobs.ask.parts import tick
from groundwire.jobs.ask.settings import AskSettings
from groundwire.jobs.ask.types import AskInput, State
from groundwire.jobs.graph import graph_of
from groundwire.model.result import EvidenceView, ResultStatus

_STEPS = {
    "look_back": follow_up.look_back,
    "plan": nodes.plan,
    "search": nodes.search,
    "read": nodes.read,
    "weigh": nodes.weigh,
    "write": nodes.write,
    "check": nodes.check,
    "recall": memory.recall,
}


@cache
def build() -> Any:
    """Compile the graph, once a process."""
    graph = graph_of(State, _STEPS)
    graph.add_edge(START, "look_back")
    graph.add_edge("look_back", "plan")
    graph.add_edge("look_back", "recall")
    graph.add_edge("recall", END)
    graph.add_edge("plan", "search")
    graph.add_edge("search", "read")
    graph.add_edge("read", "weigh")
    graph.add_conditional_edges("weigh", nodes.after_weighing, ["write", "check"])
    graph.add_edge("write", "check")
    graph.add_conditional_edges("check", nodes.another_round, {"again": "plan", "done": END})
    return graph.compile()


def result_of(context: Context, state: State) -> AskResult:
    state = state.model_copy(update={"degraded": (*state.degraded, *away(state))})
    result = AskResult(
        run_id=context.run_id,
        status=_status(state),
        question=state.after.typed if state.after else state.given.question,
        language=state.language,
        as_of=state.as_of,
        answer=state.sentences,
        parts=tick(state.given.question, state.sentences),
        unsupported=state.unsupported,
        contested=state.contested,
        gaps=(*state.gaps, *state.unread),
        degraded=state.degraded,
        recovered=state.recovered,
        evidence=tuple(view_of(EvidenceView, each, state.given.as_of) for each in state.evidence),
        origins=state.origins,
        checks=state.checks,
        reasoner=state.reasoner,
        after=state.after,
    )
    known = state.recollection.entries if state.recollection else ()
    return result.model_copy(update={"recalled": recalled(known, result, context.now())})


def _status(state: State) -> ResultStatus:
    """Return the status: failed (and resumable) only if every search failed and nothing is held.

    Degraded means that something configured failed; nothing found is complete, with its gaps.
    """
    if not state.evidence and state.searched and state.search_failures == state.searched:
        return "failed"
    return "degraded" if state.degraded else "complete"


async def run(context: Context, given: AskInput) -> AskResult:
    limits = AskSettings.model_validate(context.parts.limits["ask"])
    state = State(given=given, limits=limits, as_of=known_by(given.as_of, context.now()))
    # Rounds are capped by `given.deep`; this limit only guards against a bug.
    most = 8 * (given.deep + 2)
    final = await build().ainvoke(state, {"recursion_limit": most}, context=context)
    return result_of(context, State.model_validate(final))
