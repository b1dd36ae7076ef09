"""From what a run holds (evidence, stances, tools, memory) to the features that confidence is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Literal, NamedTuple, TypeAlias

from groundwire.evidence.sources.parties import Entity
from groundwire.jobs.verify.feature_types import Features
from groundwire.jobs.verify.moments import Sorted, sort_by_time
from groundwire.jobs.verify.sides import Camps, camps, own_pages, parties_of, primaries, sides
from groundwire.jobs.verify.timeliness import timeliness
from groundwire.jobs.verify.types import State
from groundwire.model.base import canonical
from groundwire.model.claim import Verdict
from groundwire.model.outcome import Calibration
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.stance import SILENT, Stance
from groundwire.model.tool import Bearing, ToolResult

SearchState: TypeAlias = Literal["not_searched", "failed", "worked"]
_PLACES = 4
_ENDED = {"true": 1.0, "partly": 0.5, "false": 0.0}  # what became of an event, as a confidence


class Seen(NamedTuple):
    """How the pages stand towards something that is claimed, at the message's time."""

    own: tuple[str, ...]  # pages that are the message itself: they corroborate nothing
    sorted: Sorted
    camps: Camps


def seen(state: State, stances: Mapping[str, Stance]) -> Seen:
    """Sort the pages by the side that each takes; `stances` are by evidence id."""
    evidence = [each.evidence for each in state.held]
    official = primaries(evidence, parties(state))
    own = own_pages(state.message, evidence, official)
    taken = sides(evidence, stances, own)
    found = sort_by_time(evidence, stances, taken, official, state.moment)
    return Seen(own, found, camps(evidence, state.origins, found.counted, official))


def features(state: State, calibration: Calibration | None = None) -> Features:
    """What confidence is made of; the order of anything that is held is no matter."""
    stances = overall_stances(state)
    own, (taken, _), camp = seen(state, stances)
    by_id = {each.evidence.id: each.evidence for each in state.held}
    told = [
        (by_id[each], stances[each].model_copy(update={"label": taken[each]}))
        for each in sorted((*camp.supports.evidence_ids, *camp.qualifies.evidence_ids))
    ]
    search, why = search_state(state.tools)
    numbers, measured = numbers_of(state.tools)
    # Only what is known to have come of an event moves anything: a verdict of our own is no news.
    ended = [each for each in state.memory if each.outcome is not None]
    like = max(ended, key=lambda e: (e.similarity, e.at, e.run_id), default=None)
    read = state.message.model_copy(update={"text": state.text, "published_at": state.moment.said})
    return Features(
        preliminary=state.preliminary.confidence,
        search=search,
        search_reason=state.why_stopped if search == "not_searched" else why,
        supports=camp.supports,
        contradicts=camp.contradicts,
        qualifies=camp.qualifies,
        snippet_ids=tuple(sorted(each for each in taken if by_id[each].kind == "snippet")),
        own_ids=own,
        multi_source_threshold=state.limits.multi_source_threshold,
        mean_relevance=_mean([by_id[each].relevance for each in sorted(taken)]),
        numbers=numbers,
        numbers_reason=measured,
        memory_similarity=0.0 if like is None else like.similarity,
        memory_confidence=None if like is None else _ENDED.get(like.outcome or ""),
        memory_reason="" if like is None else like.summary,
        timeliness=timeliness(read, told),
        calibration=calibration,
    )


def parties(state: State) -> tuple[Entity, ...]:
    """The parties to the event, by the message as it is read: a translation names them, too."""
    read = state.message.model_copy(update={"text": state.text})
    return parties_of(read, state.preliminary)


def overall_stances(state: State) -> dict[str, Stance]:
    """The stance of each page towards the whole message, by evidence id."""
    return {each.evidence.id: overall(each.stances) for each in state.held}


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
    held = [each for each in state.held if number < len(each.stances)]
    return seen(state, {each.evidence.id: each.stances[number] for each in held}).camps


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


def search_state(tools: Sequence[ToolResult]) -> tuple[SearchState, Phrase | None]:
    """Whether any search answered, and how they failed when none did."""
    searches = [each for each in tools if each.tool == "search"]
    if not searches:
        return "not_searched", None
    if any(each.success for each in searches):
        return "worked", None
    codes = {each.error.code for each in searches if each.error is not None}
    kinds = [phrase(f"failure.{code}") for code in sorted(codes)]
    return "failed", phrase("list.of", items=kinds) if kinds else None


def numbers_of(tools: Sequence[ToolResult]) -> tuple[Bearing, Phrase | None]:
    """What measured numbers say of the claim; where tools differ, the one against it counts."""
    measuring = [each for each in tools if each.tool != "search" and each.success]
    bearings: tuple[Bearing, ...] = ("contradicts", "confirms")
    for bearing in bearings:
        found = [each for each in measuring if each.bearing == bearing]
        if found:
            # By their words, not by who was faster; the same twice is said once.
            whys = {canonical(each.said.model_dump()): each.said for each in found if each.why}
            said = [whys[key] for key in sorted(whys)]
            if not said:
                return bearing, None
            return bearing, reduce(lambda a, b: phrase("list.then", first=a, then=b), said)
    return "silent", None


def _mean(values: Sequence[float]) -> float:
    return min(1.0, max(0.0, round(sum(values) / len(values), _PLACES))) if values else 0.0
