"""The events that pages tell, likeliest first found, in order of their dates; pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from groundwire.jobs.timeline.choice import candidates, chosen
from groundwire.jobs.timeline.collection import Collection
from groundwire.jobs.timeline.days import Day, days_of, ranked
from groundwire.jobs.timeline.events import Event, events_of, is_same
from groundwire.jobs.timeline.milestones import Milestone, milestone
from groundwire.jobs.timeline.pages import Page
from groundwire.jobs.timeline.periods import periods_of
from groundwire.jobs.timeline.topic import Topic

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a history is asked for."""

    topic: tuple[str, ...]  # its words and names, in any language
    nodes: int
    sentences: int = 6  # that tell of each, from which its description is chosen
    since: date | None = None
    until: date | None = None


def history_of(pages: Sequence[Page], wanted: Wanted) -> tuple[Milestone, ...]:
    """Build the history that these pages tell, in order of its dates."""
    collection = Collection(pages, Topic(wanted.topic))
    found: list[Milestone] = []
    for event in sorted(_best(collection, wanted), key=lambda each: (each.first, each.last)):
        kept = chosen(collection, event.told, wanted.sentences)
        if kept:
            found.append(milestone(event.first, event.last, event.precision, event.score, kept))
    return tuple(found)


def _best(collection: Collection, wanted: Wanted) -> list[Event]:
    """Return the likeliest milestones, none of which is told twice."""
    days = days_of(collection)
    found: list[Event] = []
    counted = 0
    for one in ranked(collection, days, periods_of(collection)):
        if counted >= wanted.nodes:
            break
        if not _is_inside(one.day, wanted):
            continue
        after = days.get(one.day.day + _DAY) if one.day.precision == "day" else None
        told = candidates(collection, one.day, after)
        if told:
            counted += 1
            found += events_of(collection, one, told)
    best: list[Event] = []
    for event in sorted(found, key=lambda each: (-each.score, each.first, each.last)):
        if not any(is_same(collection, event, each) for each in best):
            best.append(event)
    return best[: wanted.nodes]


def _is_inside(day: Day, wanted: Wanted) -> bool:
    """Tell whether a day, or the whole of a longer time, is in the range that is asked for."""
    last = day.last or day.day
    return (not wanted.since or wanted.since <= day.day) and (
        not wanted.until or last <= wanted.until
    )
