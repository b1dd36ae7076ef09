"""The story of timeline, routed by LangGraph: propose → search, thread by thread → read → skeleton →
detail, node by node → gaps → at most one more round → synthesis."""

from __future__ import annotations

from functools import cache
from typing import Any

from langgraph.graph import END, START
from langgraph.types import Send

from groundwire.context import Context
from groundwire.gather.as_of import known_by
from groundwire.gather.weighing import view_of
from groundwire.jobs.graph import graph_of
from groundwire.jobs.timeline import stages
from groundwire.jobs.timeline.result import ThreadOutcome, TimelineResult
from groundwire.jobs.timeline.settings import TimelineSettings
from groundwire.jobs.timeline.synthesis import eras_of
from groundwire.jobs.timeline.types import State, TimelineInput
from groundwire.model.result import Checks, EvidenceView, ResultStatus

_STEPS = {
    "propose": stages.propose,
    "search": stages.search,
    "read": stages.read,
    "skeleton": stages.skeleton,
    "detail": stages.detail,
    "settle": stages.settle,
    "synthesis": stages.synthesis,
}
_MOST_STEPS = 24  # two rounds take half of them; this only guards against a bug


@cache
def build() -> Any:
    """Compile the graph, once a process."""
    graph = graph_of(State, _STEPS)
    graph.add_edge(START, "propose")
    graph.add_conditional_edges("propose", _each_thread, ["search"])
    graph.add_edge("search", "read")
    graph.add_edge("read", "skeleton")
    graph.add_conditional_edges("skeleton", _each_node, ["detail", "settle"])
    graph.add_edge("detail", "settle")
    graph.add_conditional_edges("settle", _another_round, ["search", "skeleton", "synthesis"])
    graph.add_edge("synthesis", END)
    return graph.compile()


def _beside(step: str, state: State, count: int) -> list[Send]:
    """Take a step several times side by side, each for its own thread, node or year."""
    return [Send(step, state.model_copy(update={"at": place})) for place in range(count)]


def _each_thread(state: State) -> list[Send]:
    return _beside("search", state, len(stages.plan_of(state).threads))


def _each_node(state: State) -> list[Send] | str:
    return _beside("detail", state, len(stages.groups_of(state))) or "settle"


def _another_round(state: State) -> list[Send] | str:
    """Look for thin years, or tell what the nodes' own searches brought; else come to an end."""
    if not state.again:
        return "synthesis"
    return _beside("search", state, len(state.looked_for)) or "skeleton"


def result_of(context: Context, state: State) -> TimelineResult:
    plan = stages.plan_of(state)
    cited = [each for node in state.nodes for each in node.description]
    qualified = sum(each.verdict == "qualified" for each in cited)
    dropped = len(state.unsourced)
    return TimelineResult(
        run_id=context.run_id,
        status=_status(state),
        topic=plan.topic,
        level=plan.level,
        language=state.language,
        as_of=state.as_of,
        threads=_threads(state),
        nodes=state.nodes,
        unsourced=state.unsourced,
        links=state.links,
        eras=eras_of(state.nodes),
        synthesis=state.synthesis,
        changes=state.changes,
        target=plan.target,
        reason_if_short=state.short,
        gaps=(*state.gaps, *state.unread),
        degraded=state.degraded,
        recovered=state.recovered,
        evidence=tuple(view_of(EvidenceView, each, state.given.as_of) for each in state.evidence),
        origins=state.origins,
        checks=Checks(supported=len(cited) - qualified, qualified=qualified, unsupported=dropped),
        reasoner=state.reasoner,
        searches=sum(each.searches for each in (*state.found, *state.detailed)),
    )


def _threads(state: State) -> tuple[ThreadOutcome, ...]:
    return tuple(
        ThreadOutcome(
            name=thread.name,
            description=thread.description,
            estimated_nodes=thread.estimated_nodes,
            nodes=sum(node.thread == thread.name for node in state.nodes),
            searches=sum(f.searches for f in state.found if f.thread == place and not f.round),
            failed=sum(f.failed for f in state.found if f.thread == place and not f.round),
        )
        for place, thread in enumerate(stages.plan_of(state).threads)
    )


def _status(state: State) -> ResultStatus:
    """Return the status: failed (and resumable) only if every search failed and nothing is held."""
    searched = sum(each.searches for each in state.found)
    if not state.evidence and searched and searched == sum(each.failed for each in state.found):
        return "failed"
    return "degraded" if state.degraded else "complete"


async def run(context: Context, given: TimelineInput) -> TimelineResult:
    limits = TimelineSettings.model_validate(context.parts.limits["timeline"])
    state = State(given=given, limits=limits, as_of=known_by(given.as_of, context.now()))
    config = {"recursion_limit": _MOST_STEPS, "max_concurrency": limits.concurrency}
    final = await build().ainvoke(state, config, context=context)
    return result_of(context, State.model_validate(final))
