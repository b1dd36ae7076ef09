"""The result of a watch, from what its graph carried."""

from __future__ import annotations

from groundwire.context import Context
from groundwire.evidence.sources.urls import canonical_url
from groundwire.gather.weighing import view_of
from groundwire.jobs.watch.critique import score_of
from groundwire.jobs.watch.ledger.claims import Compared
from groundwire.jobs.watch.result import AgentState, WatchEvidence, WatchResult
from groundwire.jobs.watch.types import State
from groundwire.model.base import Instant
from groundwire.model.result import ResultStatus
from groundwire.model.source import Evidence
from groundwire.search.platforms import platform_of


def result_of(context: Context, state: State) -> WatchResult:
    compared = state.compared or Compared(ledger=state.before)
    return WatchResult(
        run_id=context.run_id,
        watch_id=state.given.watch,
        status=_status(state),
        command=state.given.command,
        subject=state.subject,
        language=state.language,
        as_of=state.now,
        previous=state.given.previous,
        end=state.end,
        plan=state.plan.tasks if state.plan else (),
        keywords=state.keywords,
        summary=state.summary,
        sections=state.sections,
        claims=compared.ledger.claims,
        changes=state.changes,
        edits=state.edits,
        told=state.told,
        alert=state.alert,
        not_seen=compared.not_seen,
        contradictions=state.contradictions,
        unsupported=state.unsupported,
        critique=state.critique,
        gaps=state.gaps,
        degraded=state.degraded,
        recovered=state.recovered,
        evidence=tuple(_view(state, each) for each in state.evidence),
        origins=state.origins,
        checks=state.checks,
        pages=compared.ledger.pages,
        found_by=_of_claims(state, compared),
        looked=len(state.evidence),
        searches=sum(each.made for each in state.searched),
        searched_to=_searched_to(state),
        state=_agent(context, state),
        reasoner=state.reasoner,
    )


def _view(state: State, evidence: Evidence) -> WatchEvidence:
    hit = state.about.get(evidence.id)
    where = hit.platform if hit else ""
    view = view_of(
        WatchEvidence,
        evidence,
        state.now,
        platform=where or platform_of(evidence.document.canonical_url),
        author=(hit.author if hit else "") or evidence.document.author or "",
        engagement=dict(hit.engagement) if hit else {},
    )
    return view.model_copy(update={"credibility": score_of(evidence)})


def _agent(context: Context, state: State) -> AgentState:
    return AgentState(
        task_id=context.run_id,
        original_command=state.given.command,
        current_phase=state.phase,
        discovered_keywords=tuple(each.word for each in state.keywords),
        pending_searches=tuple(each.word for each in state.waiting),
        credibility_scores={each.id: score_of(each) for each in state.evidence},
        error_count=len(state.degraded) + sum(each.failed for each in state.searched),
        max_steps=state.given.max_steps,
        current_step=state.round + 1,
    )


def _of_claims(state: State, compared: Compared) -> dict[str, tuple[str, ...]]:
    """Keep by which sub-tasks the pages came that claims rest on; of others nobody asks again."""
    pages = {
        canonical_url(each.url) for claim in compared.ledger.claims for each in claim.citations
    }
    return {page: names for page, names in state.found_by.items() if page in pages}


def _searched_to(state: State) -> Instant | None:
    """Return up to when searches have looked; where one failed, no further than before."""
    made = [each for each in state.searched if each.batch.searches]
    if not made or any(each.failed for each in made):
        return state.searched_to
    return state.now


def _status(state: State) -> ResultStatus:
    """Return the status: failed (and resumable) only where nothing at all could be looked at."""
    if state.phase == "failed":
        return "failed"
    return "degraded" if state.degraded else "complete"
