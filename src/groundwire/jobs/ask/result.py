"""From the last state to the result; the runner adds what it cost."""

from __future__ import annotations

from groundwire.context import Context
from groundwire.evidence.pages.presence import was_there
from groundwire.gather.weighing import view_of
from groundwire.jobs.ask.answer import AskResult
from groundwire.jobs.ask.memory import away, recalled
from groundwire.jobs.ask.types import State
from groundwire.model.result import EvidenceView, ResultStatus


def result_of(context: Context, state: State) -> AskResult:
    state = state.model_copy(update={"degraded": (*state.degraded, *away(state))})
    result = AskResult(
        run_id=context.run_id,
        status=_status(state),
        question=state.given.question,
        language=state.language,
        as_of=state.as_of,
        answer=state.sentences,
        unsupported=state.unsupported,
        contested=state.contested,
        gaps=state.gaps,
        degraded=state.degraded,
        evidence=tuple(
            view_of(EvidenceView, each, by_then=was_there(each.document, state.given.as_of))
            for each in state.evidence
        ),
        origins=state.origins,
        checks=state.checks,
        reasoner=state.reasoner,
    )
    known = state.recollection.entries if state.recollection else ()
    return result.model_copy(update={"recalled": recalled(known, result, context.now())})


def _status(state: State) -> ResultStatus:
    """Every search failed and nothing in hand: failed, resumable. Something configured failed:
    degraded. Nothing found is complete, with its gaps."""
    if not state.evidence and state.searched and state.search_failures == state.searched:
        return "failed"
    return "degraded" if state.degraded else "complete"
