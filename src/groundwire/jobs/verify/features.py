"""The features that confidence is computed from, out of what a run holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import reduce
from typing import Literal, NamedTuple, TypeAlias

from groundwire.evidence.sources.parties import Entity
from groundwire.jobs.verify.event_dates import counts_from_today, dated, zone_of
from groundwire.jobs.verify.feature_types import Features
from groundwire.jobs.verify.moments import Sorted, first_told, is_denial, sort_by_time
from groundwire.jobs.verify.sides import (
    Sides,
    gather_sides,
    label_pages,
    own_pages,
    parties_of,
    primaries,
)
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
_ENDED = {"true": 1.0, "partly": 0.5, "false": 0.0}  # the outcome of an event, as a confidence


class SortedPages(NamedTuple):
    """The pages by the side they take towards a claim, at the message's time."""

    own_ids: tuple[str, ...]  # pages that are the message itself: they corroborate nothing
    sorted: Sorted
    sides: Sides


def sort_pages(state: State, stances: Mapping[str, Stance]) -> SortedPages:
    """Sort the pages by the side that each takes; `stances` are by evidence id."""
    evidence = [each.evidence for each in state.held]
    official = primaries(evidence, parties(state))
    own_ids = own_pages(state.message, evidence, official)
    taken = label_pages(evidence, stances, own_ids)
    found = sort_by_time(
        evidence,
        stances,
        taken,
        official,
        state.moment._replace(event=_event_at(state) if evidence else None),
        first_told(evidence, state.origins),
        _on_denials(state, stances),
    )
    return SortedPages(
        own_ids, found, gather_sides(evidence, state.origins, found.counted, official)
    )


def day_told(state: State, claim: str) -> date | None:
    """Return the day on which a claim was said; None where nobody knows it.

    Who types an old message today does not say it today: only a time of its own, or a "today" in
    it, tells which pages are too old to deny it.
    """
    return state.moment.said.date() if state.dated or counts_from_today(claim) else None


def _event_at(state: State) -> datetime | None:
    """Return when it happened by the message's words, else when it was said, if that is known."""
    if not state.dated:
        return None
    said = state.moment.said
    stated = dated(state.text, said, zone_of(state.message))
    return said if stated is None or stated.planned else min(said, stated.latest)


def _on_denials(state: State, stances: Mapping[str, Stance]) -> set[str]:
    """List pages whose stance is towards a claim that says that something is not so."""
    numbers = [number for number, claim in enumerate(state.claims) if is_denial(claim)]
    return {
        held.evidence.id
        for held in state.held
        for number in numbers
        if number < len(held.stances) and held.stances[number] == stances.get(held.evidence.id)
    }


def features(state: State, calibration: Calibration | None = None) -> Features:
    """Compute what confidence is made of, whatever the order of what is held."""
    stances = overall_stances(state)
    own_ids, (taken, _), sides = sort_pages(state, stances)
    by_id = {each.evidence.id: each.evidence for each in state.held}
    reporting = [
        (by_id[each], stances[each].model_copy(update={"label": taken[each]}))
        for each in sorted((*sides.supports.evidence_ids, *sides.qualifies.evidence_ids))
    ]
    search, why = search_state(state.tools)
    numbers, measured = numbers_of(state.tools)
    # Only a known outcome of an earlier event counts, not our own verdict on it.
    ended = [each for each in state.memory if each.outcome is not None]
    nearest = max(ended, key=lambda e: (e.similarity, e.at, e.run_id), default=None)
    message = state.message.model_copy(
        update={"text": state.text, "published_at": state.moment.said}
    )
    return Features(
        preliminary=state.preliminary.confidence,
        search=search,
        search_reason=state.why_stopped if search == "not_searched" else why,
        supports=sides.supports,
        contradicts=sides.contradicts,
        qualifies=sides.qualifies,
        snippet_ids=tuple(sorted(each for each in taken if by_id[each].kind == "snippet")),
        own_ids=own_ids,
        multi_source_threshold=state.limits.multi_source_threshold,
        mean_relevance=_mean([by_id[each].relevance for each in sorted(taken)]),
        numbers=numbers,
        numbers_reason=measured,
        memory_similarity=0.0 if nearest is None else nearest.similarity,
        memory_confidence=None if nearest is None else _ENDED.get(nearest.outcome or ""),
        memory_reason="" if nearest is None else nearest.summary,
        timeliness=timeliness(message, reporting),
        calibration=calibration,
    )


def parties(state: State) -> tuple[Entity, ...]:
    """Return the parties to the event, by the text as it is read: a translation names them, too."""
    message = state.message.model_copy(update={"text": state.text})
    return parties_of(message, state.preliminary)


def overall_stances(state: State) -> dict[str, Stance]:
    """Return the stance of each page towards the whole message, by evidence id."""
    return {each.evidence.id: overall(each.stances) for each in state.held}


def overall(stances: Sequence[Stance]) -> Stance:
    """Return a page's stance towards the whole message: the main claim's, unless it denies another.

    A page that supports only another claim qualifies the message.
    """
    if not stances:
        return SILENT
    main, others = stances[0], stances[1:]
    denials = [each for each in others if each.label == "contradicts"]
    if main.label == "contradicts" or not others:
        return main
    if denials:
        return min(denials, key=lambda each: each.start)
    if main.label != "unrelated" and not main.is_hearsay:
        return main
    told = ("supports", "qualifies")
    partial = [each for each in others if each.label in told and not each.is_hearsay]
    return partial[0].model_copy(update={"label": "qualifies"}) if partial else main


def claim_sides(state: State, number: int) -> Sides:
    """Return who takes which side of one of the claims."""
    held = [each for each in state.held if number < len(each.stances)]
    return sort_pages(state, {each.evidence.id: each.stances[number] for each in held}).sides


def claim_verdict(found: Sides, threshold: int) -> Verdict:
    """Return the verdict of one claim by the table's rows, without the message's score."""
    supporting, contradicting, qualifying = found.supports, found.contradicts, found.qualifies
    if contradicting.origins:
        return "contested" if supporting.origins else "contradicted"
    if supporting.primary_ids or len(supporting.origins) >= threshold:
        return "supported"
    if not supporting.origins and qualifying.origins:
        return "qualified"
    return "insufficient"


def search_state(tools: Sequence[ToolResult]) -> tuple[SearchState, Phrase | None]:
    """Tell whether any search answered, and how they failed when none did."""
    searches = [each for each in tools if each.tool == "search"]
    if not searches:
        return "not_searched", None
    if any(each.success for each in searches):
        return "worked", None
    codes = {each.error.code for each in searches if each.error is not None}
    kinds = [phrase(f"failure.{code}") for code in sorted(codes)]
    return "failed", phrase("list.of", items=kinds) if kinds else None


def numbers_of(tools: Sequence[ToolResult]) -> tuple[Bearing, Phrase | None]:
    """Tell what measured numbers say of the claim; where tools differ, contradiction counts."""
    measuring = [each for each in tools if each.tool != "search" and each.success]
    bearings: tuple[Bearing, ...] = ("contradicts", "confirms")
    for bearing in bearings:
        found = [each for each in measuring if each.bearing == bearing]
        if found:
            # Ordered by content, not by who was faster; the same reason is said once.
            whys = {canonical(each.phrase.model_dump()): each.phrase for each in found if each.why}
            reasons = [whys[key] for key in sorted(whys)]
            if not reasons:
                return bearing, None
            return bearing, reduce(lambda a, b: phrase("list.then", first=a, then=b), reasons)
    return "silent", None


def _mean(values: Sequence[float]) -> float:
    return min(1.0, max(0.0, round(sum(values) / len(values), _PLACES))) if values else 0.0
