"""How the verdict went: what would have been said of the message as each page came to be known.

Nothing is looked up for it: the pages, what they say and the rules are those of the verdict, and at
each moment only what was there by then counts, as if it had been asked with that `as_of`. A day
counts to its end, as it does there: the same moment has the same verdict, wherever it is asked.

A message without a date of its own may have been going round at any of these moments, so each is
judged as if it had been said then: its event is as old as it was by then.
"""

from __future__ import annotations

from datetime import datetime

from groundwire.evidence.pages.presence import there_since, until, was_there
from groundwire.jobs.verify.confidence import judge
from groundwire.jobs.verify.feature_types import Features, Judgement
from groundwire.jobs.verify.features import features, overall_stances
from groundwire.jobs.verify.signal import CourseStep
from groundwire.jobs.verify.types import State
from groundwire.model.message import Message
from groundwire.model.outcome import Calibration

_MOST = 24  # steps; of more pages than this the first and the last moments tell enough


def course_of(
    state: State, calibration: Calibration | None, found: Features, judgement: Judgement
) -> tuple[CourseStep, ...]:
    """Return a step for each moment at which a page that takes a side came to be known.

    The first is when the message was said, if that is known: what a reader could have known then; the last is the verdict itself, of
    which `found` and `judgement` are given. A message without sided pages has no course.
    """
    moments = _moments(state)
    if not moments:
        return ()
    said = said_by(state.message)
    steps: list[CourseStep] = []
    for each in moments:
        step = _step_at(state, each, calibration)
        # The end of a day on which nothing more appeared tells nothing.
        if not steps or step.evidence_ids != steps[-1].evidence_ids or each == said:
            steps.append(step)
    return (*steps, _step(state, state.as_of, found, judgement))


def said_by(message: Message) -> datetime | None:
    """Return the last moment at which a message can have been said, if it has a date."""
    return None if message.published_at is None else until(message.published_at)


def _moments(state: State) -> list[datetime]:
    """List the moments before the last, in order: what was known when it was said is one of them."""
    sided = {name for name, each in overall_stances(state).items() if each.label != "unrelated"}
    pages = (each.evidence for each in state.held if each.evidence.id in sided)
    since = {until(there_since(each.document)) for each in pages}
    if not since:
        return []
    said = said_by(state.message)
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
