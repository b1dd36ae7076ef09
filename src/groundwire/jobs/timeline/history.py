"""A history from pages alone: documents in, dated and cited milestones out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from groundwire.evidence.pages.presence import was_there
from groundwire.jobs.timeline.choice import Told, candidates, chosen
from groundwire.jobs.timeline.collection import Collection
from groundwire.jobs.timeline.days import Day, days_of, ranked
from groundwire.jobs.timeline.events import Event, events_of, is_same, only_event
from groundwire.jobs.timeline.milestones import Milestone, milestone
from groundwire.jobs.timeline.pages import Page, page_of
from groundwire.jobs.timeline.periods import periods_of
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
    by_day: bool = False  # one node a day and no longer times, as published timelines are made


def build_history(evidence: Sequence[Evidence], wanted: Wanted) -> tuple[Milestone, ...]:
    """Build the history that these pages tell, in order of its dates."""
    there = [each for each in evidence if was_there(each.document, wanted.as_of)]
    pages = [page_of(each) for each in there]
    return history_of(pages, wanted)


def history_of(pages: Sequence[Page], wanted: Wanted) -> tuple[Milestone, ...]:
    """Build the history of pages that were read."""
    collection = Collection(pages, Topic(wanted.topic))
    found: list[Milestone] = []
    before: list[Told] = []
    for event in sorted(_best(collection, wanted), key=lambda each: (each.first, each.last)):
        kept = chosen(collection, event.told, wanted.sentences, before)
        if not kept and wanted.by_day:
            kept = chosen(collection, event.told, wanted.sentences)
        if not kept:
            continue
        if wanted.by_day:  # else what is told twice is joined, and a plan is no repeat of what came
            before += kept
        found.append(milestone(event.first, event.last, event.precision, event.score, kept))
    return tuple(found)


def _best(collection: Collection, wanted: Wanted) -> list[Event]:
    """Return the likeliest milestones, none of which is told twice."""
    days = days_of(collection)
    periods = [] if wanted.by_day else periods_of(collection)
    found: list[Event] = []
    counted = 0
    for one in ranked(collection, days, periods):
        if counted >= wanted.nodes:
            break
        if not _is_inside(one.day, wanted):
            continue
        after = days.get(one.day.day + _DAY) if one.day.precision == "day" else None
        told = candidates(collection, one.day, after)
        if told:
            counted += 1
            found += [only_event(one, told)] if wanted.by_day else events_of(collection, one, told)
    best: list[Event] = []
    for event in sorted(found, key=lambda each: (-each.score, each.first, each.last)):
        if wanted.by_day or not any(is_same(collection, event, each) for each in best):
            best.append(event)
    return best[: wanted.nodes]


def _is_inside(day: Day, wanted: Wanted) -> bool:
    """Tell whether a day, or the whole of a longer time, is in the range that is asked for."""
    last = day.last or day.day
    return (not wanted.since or wanted.since <= day.day) and (
        not wanted.until or last <= wanted.until
    )
