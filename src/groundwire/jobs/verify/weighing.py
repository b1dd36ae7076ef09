"""From what a run holds to features, camps and the outcome of a search; pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from groundwire.evidence.sources.parties import Entity
from groundwire.jobs.verify.feature_types import Features
from groundwire.jobs.verify.features import Given, features_of, sorted_sides
from groundwire.jobs.verify.moments import sort_by_time
from groundwire.jobs.verify.search_result import search_confidence, search_summary, search_triggered
from groundwire.jobs.verify.searching import Found
from groundwire.jobs.verify.sides import Camps, camps, own_pages, parties_of, primaries, sides
from groundwire.jobs.verify.signal import Aside
from groundwire.jobs.verify.types import State
from groundwire.model.claim import Verdict
from groundwire.model.outcome import Calibration
from groundwire.model.stance import SILENT, Stance
from groundwire.model.tool import ToolFailure, ToolResult


def features(state: State, calibration: Calibration | None = None) -> Features:
    """What confidence is made of."""
    return features_of(_given(state, calibration))


def set_aside(state: State) -> dict[str, Aside]:
    """The pages that take a stance and no side, and why."""
    return sorted_sides(_given(state)).aside


def _given(state: State, calibration: Calibration | None = None) -> Given:
    return Given(
        message=state.message,
        text=state.text,
        preliminary=state.preliminary,
        evidence=[each.evidence for each in state.held],
        origins=state.origins,
        stances={each.evidence.id: overall(each.stances) for each in state.held},
        parties=parties(state),
        tools=state.tools,
        not_searched=state.why_stopped,
        memory=state.memory,
        threshold=state.limits.multi_source_threshold,
        calibration=calibration,
        moment=state.moment,
    )


def parties(state: State) -> tuple[Entity, ...]:
    """The parties to the event, by the message as it is read: a translation names them, too."""
    read = state.message.model_copy(update={"text": state.text})
    return parties_of(read, state.preliminary)


def overall(stances: Sequence[Stance]) -> Stance:
    """A page's stance towards the whole message: the main claim's, unless it denies another.

    What says only another claim of the message tells a part of it.
    """
    if not stances:
        return SILENT
    main, others = stances[0], stances[1:]
    denials = [each for each in others if each.label == "contradicts"]
    if main.label == "contradicts" or not others:
        return main
    if denials:
        return min(denials, key=lambda each: each.start)
    if main.label != "unrelated":
        return main
    told = [each for each in others if each.label in ("supports", "qualifies")]
    return told[0].model_copy(update={"label": "qualifies"}) if told else main


def claim_camps(state: State, number: int) -> Camps:
    """Who takes which side of one of the claims."""
    evidence = [each.evidence for each in state.held]
    official = primaries(evidence, parties(state))
    own = own_pages(state.message, evidence, official)
    stances = {
        each.evidence.id: each.stances[number] for each in state.held if number < len(each.stances)
    }
    taken = sides(evidence, stances, own)
    counted = sort_by_time(evidence, stances, taken, official, state.moment).counted
    return camps(evidence, state.origins, counted, official)


def claim_verdict(found: Camps, threshold: int) -> Verdict:
    """The verdict of one claim by the table's rows, without the message's score."""
    behind, against, partly = found.supports, found.contradicts, found.qualifies
    if against.origins:
        return "contested" if behind.origins else "contradicted"
    if behind.primary_ids or len(behind.origins) >= threshold:
        return "supported"
    if not behind.origins and partly.origins:
        return "qualified"
    return "insufficient"


def search_result(state: State, found: Found, now: datetime) -> ToolResult:
    """The outcome of a round's search, as the contract tells it."""
    failure = ToolFailure.under(*found.failure) if found.failure else None
    source = ",".join(found.providers) or "search"
    if failure is not None:
        return ToolResult(
            tool="search",
            source=source,
            timestamp=now,
            success=False,
            data={"keyword": state.keywords, "keyword_source": state.keyword_source},
            error=failure,
        )
    data = search_summary(
        keyword=state.keywords,
        keyword_source=state.keyword_source,
        hits=found.hits,
        origins=state.origins,
        features=features(state),
    )
    return ToolResult(
        tool="search",
        source=source,
        timestamp=now,
        success=True,
        data=data,
        triggered=search_triggered(data),
        confidence=search_confidence(data),
    )
