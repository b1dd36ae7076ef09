"""From what a run holds (evidence, stances, tools, memory) to the features that confidence is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Literal, TypeAlias

from groundwire.evidence.sources.parties import Entity
from groundwire.jobs.verify.feature_types import Features, Moment
from groundwire.jobs.verify.moments import Sorted, sort_by_time
from groundwire.jobs.verify.sides import camps, own_pages, primaries, sides
from groundwire.jobs.verify.signal import Preliminary
from groundwire.jobs.verify.timeliness import timeliness
from groundwire.model.base import canonical
from groundwire.model.history import PastEvent
from groundwire.model.message import Message
from groundwire.model.outcome import Calibration
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.result import Origin
from groundwire.model.source import Evidence
from groundwire.model.stance import Stance
from groundwire.model.tool import Bearing, ToolResult

SearchState: TypeAlias = Literal["not_searched", "failed", "worked"]
_PLACES = 4
_ENDED = {"true": 1.0, "partly": 0.5, "false": 0.0}  # what became of an event, as a confidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """Everything that features are taken from; the order of any of it is no matter."""

    message: Message
    text: str = ""  # a translation of the message, where it was read in one
    preliminary: Preliminary
    evidence: Sequence[Evidence] = ()
    origins: Sequence[Origin] = ()
    stances: Mapping[str, Stance] = field(default_factory=dict[str, Stance])  # by evidence id
    parties: Sequence[Entity] = ()
    tools: Sequence[ToolResult] = ()
    not_searched: Phrase | None = None  # why, when no search is among the tools
    memory: Sequence[PastEvent] = ()
    threshold: int = 3  # origins that make multi-source
    calibration: Calibration | None = None
    moment: Moment | None = None  # None: when the message was said, by all that is known


def sorted_sides(given: Given) -> Sorted:
    """The sides that count at the message's time, and why other pages do not."""
    official = primaries(given.evidence, given.parties)
    own = own_pages(given.message, given.evidence, official)
    taken = sides(given.evidence, given.stances, own)
    moment = given.moment or Moment(given.message.at)
    return sort_by_time(given.evidence, given.stances, taken, official, moment)


def features_of(given: Given) -> Features:
    """The features of a message; pages that are the message itself corroborate nothing."""
    official = primaries(given.evidence, given.parties)
    own = own_pages(given.message, given.evidence, official)
    taken = sorted_sides(given).counted
    camp = camps(given.evidence, given.origins, taken, official)
    by_id = {each.id: each for each in given.evidence}
    told = [
        (by_id[each], given.stances[each].model_copy(update={"label": taken[each]}))
        for each in sorted((*camp.supports.evidence_ids, *camp.qualifies.evidence_ids))
    ]
    search, why = search_state(given.tools)
    numbers, measured = numbers_of(given.tools)
    # Only what is known to have come of an event moves anything: a verdict of our own is no news.
    ended = [each for each in given.memory if each.outcome is not None]
    like = max(ended, key=lambda e: (e.similarity, e.at, e.run_id), default=None)
    said = given.message.at if given.moment is None else given.moment.said
    read = given.message.model_copy(
        update={"text": given.text or given.message.text, "published_at": said}
    )
    return Features(
        preliminary=given.preliminary.confidence,
        search=search,
        search_reason=given.not_searched if search == "not_searched" else why,
        supports=camp.supports,
        contradicts=camp.contradicts,
        qualifies=camp.qualifies,
        snippet_ids=tuple(sorted(each for each in taken if by_id[each].kind == "snippet")),
        own_ids=own,
        multi_source_threshold=given.threshold,
        mean_relevance=_mean([by_id[each].relevance for each in sorted(taken)]),
        numbers=numbers,
        numbers_reason=measured,
        memory_similarity=0.0 if like is None else like.similarity,
        memory_confidence=None if like is None else _ENDED.get(like.outcome or ""),
        memory_reason="" if like is None else like.summary,
        timeliness=timeliness(read, told),
        calibration=given.calibration,
    )


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
    if not values:
        return 0.0
    return min(1.0, max(0.0, round(sum(values) / len(values), _PLACES)))
