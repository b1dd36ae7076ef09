"""A history from pages alone: documents in, dated and cited milestones out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from groundwire.evidence.pages.presence import was_there
from groundwire.jobs.timeline.choice import Told, candidates, chosen
from groundwire.jobs.timeline.collection import Collection
from groundwire.jobs.timeline.days import RankedDay, days_of, ranked
from groundwire.jobs.timeline.milestones import Milestone, milestone
from groundwire.jobs.timeline.pages import Page
from groundwire.jobs.timeline.topic import Topic
from groundwire.model.source import Evidence

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a history is asked for."""

    topic: tuple[str, ...]  # its words and names, in any language
    nodes: int
    sentences: int = 2  # of each node, at most
    since: date | None = None
    until: date | None = None
    as_of: datetime | None = None  # as it could be known then


def build_history(evidence: Sequence[Evidence], wanted: Wanted) -> tuple[Milestone, ...]:
    """Build the history that these pages tell, in order of its dates."""
    pages = [Page(each) for each in evidence if was_there(each.document, wanted.as_of)]
    return history_of(pages, wanted)


def history_of(pages: Sequence[Page], wanted: Wanted) -> tuple[Milestone, ...]:
    collection = Collection(pages, Topic(wanted.topic))
    days = days_of(collection)
    best: list[tuple[RankedDay, list[Told]]] = []
    for one in ranked(collection, days):
        if len(best) >= wanted.nodes:
            break
        day = one.day.day
        if (wanted.since and day < wanted.since) or (wanted.until and day > wanted.until):
            continue
        told = candidates(collection, one.day, days.get(day + _DAY))
        if told:
            best.append((one, told))
    found: list[Milestone] = []
    before: list[Told] = []
    for one, told in sorted(best, key=lambda each: each[0].day.day):
        kept = chosen(collection, told, wanted.sentences, before)
        before += kept
        found.append(milestone(one.day.day, one.day.day, "day", one.score, kept))
    return tuple(found)
