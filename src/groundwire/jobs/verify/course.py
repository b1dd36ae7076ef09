"""How the verdict went: what would have been said of the message as each page came to be known.

Nothing is looked up for it: the pages, what they say and the rules are those of the verdict, and at
each moment only what was there by then counts, as if it had been asked with that `as_of`.
"""

from __future__ import annotations

from datetime import datetime

from groundwire.evidence.pages.presence import there_since, was_there
from groundwire.jobs.verify.confidence import judge
from groundwire.jobs.verify.feature_types import Features, Judgement
from groundwire.jobs.verify.features import features, overall_stances
from groundwire.jobs.verify.signal import CourseStep
from groundwire.jobs.verify.types import State
from groundwire.model.outcome import Calibration

_MOST = 24  # steps; of more pages than this the first and the last moments tell enough


def course_of(
    state: State, calibration: Calibration | None, found: Features, judgement: Judgement
) -> tuple[CourseStep, ...]:
    """Return a step for each moment at which a page that takes a side came to be known.

    The first is when the message was said, if that is known; the last is the verdict itself, of
    which `found` and `judgement` are given. A message without sided pages has no course.
    """
    moments = _moments(state)
    if not moments:
        return ()
    steps = [_step_at(state, each, calibration) for each in moments]
    return (*steps, _step(state, state.as_of, found, judgement))


def _moments(state: State) -> list[datetime]:
    """List the moments before the last, in order: what was known when it was said is one of them."""
    sided = {name for name, each in overall_stances(state).items() if each.label != "unrelated"}
    pages = (each.evidence for each in state.held if each.evidence.id in sided)
    since = {there_since(each.document) for each in pages}
    if not since:
        return []
    said = state.message.published_at
    if said is not None:
        since = {max(each, said) for each in since} | {said}
    found = sorted(each for each in since if each < state.as_of)
    return found if len(found) <= _MOST else [*found[: _MOST // 2], *found[-_MOST // 2 :]]


def _step_at(state: State, moment: datetime, calibration: Calibration | None) -> CourseStep:
    then = state.model_copy(
        update={
            "given": state.given.model_copy(update={"as_of": moment}),
            "as_of": moment,
            # That a search was made is no knowledge of the world; what tools measured is.
            "tools": tuple(
                each for each in state.tools if each.tool == "search" or each.timestamp <= moment
            ),
            "memory": tuple(each for each in state.memory if each.at <= moment),
        }
    )
    found = features(then, calibration)
    return _step(then, moment, found, judge(found))


def _step(state: State, at: datetime, found: Features, judgement: Judgement) -> CourseStep:
    stances = overall_stances(state)
    known = (
        each.evidence.id
        for each in state.held
        if stances[each.evidence.id].label != "unrelated"
        and was_there(each.evidence.document, state.given.as_of)
    )
    return CourseStep(
        at=at,
        verdict=judgement.verdict,
        confidence=judgement.confidence,
        supporting_origins=len(found.supports.origins),
        contradicting_origins=len(found.contradicts.origins),
        evidence_ids=tuple(sorted(known)),
    )
