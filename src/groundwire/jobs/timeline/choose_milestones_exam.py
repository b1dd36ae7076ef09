"""The exam of chosen milestones: which passages are events, which tell the same one, and titles that stand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from groundwire.evidence.citations.checker import check
from groundwire.model.base import JsonObject, Value
from groundwire.model.source import NumberedPassage
from groundwire.reasoning.exam_pages import ExamPage, numbered, places
from groundwire.reasoning.exam_words import has_any, share

if TYPE_CHECKING:
    from groundwire.jobs.timeline.choose_milestones import ChooseInput, Chosen, Event


class ItemPassage(Value):
    """A passage as an examiner writes it, with the date that code has settled."""

    date: str
    publisher: str
    language: str
    text: str


class ItemGiven(Value):
    """A thread and its passages as code ranks them, unnumbered."""

    topic: str
    thread: str
    description: str
    language: str
    most: int
    passages: tuple[ItemPassage, ...]


class ExpectedEvent(Value):
    """An event: the passages that tell of it, a right title, and what any title of it says."""

    passages: tuple[int, ...]
    title: str
    says: tuple[tuple[str, ...], ...]
    never: tuple[str, ...] = ()


class Expected(Value):
    """All events of an item; every other passage is none of the thread."""

    events: tuple[ExpectedEvent, ...]


def numbered_passage(item: ItemPassage, number: int) -> NumberedPassage:
    """Give a passage its number, as a page of its own and of its own origin."""
    page = ExamPage(title="", publisher=item.publisher, language=item.language, text=item.text)
    return numbered(page, number).model_copy(update={"date": item.date})


def score(given: ChooseInput, chosen: Chosen, expect: JsonObject) -> float:
    """Score what was taken, what was told apart and joined, and how the events are titled."""
    wanted = Expected.model_validate(expect).events
    events = chosen.events[: given.most]
    taken = {number for each in events for number in each.passages}
    right = {number for each in wanted for number in each.passages}
    if not right:
        return float(not taken)
    parts = [_f1(taken, right), _titled(given, events, wanted)]
    if len(right) > 1:
        parts.append(_grouped(events, wanted, right))
    return math.fsum(parts) / len(parts)


def _f1(taken: set[int], right: set[int]) -> float:
    return 2 * len(taken & right) / (len(taken) + len(right))


def _grouped(events: Sequence[Event], wanted: Sequence[ExpectedEvent], right: set[int]) -> float:
    """Return the share of pairs of events' passages that are rightly joined or told apart."""
    told = {number: place for place, each in enumerate(events) for number in each.passages}
    meant = {number: place for place, each in enumerate(wanted) for number in each.passages}
    pairs = list(combinations(sorted(right), 2))
    good = sum(
        one in told and other in told and (told[one] == told[other]) == (meant[one] == meant[other])
        for one, other in pairs
    )
    return good / len(pairs)


def _titled(given: ChooseInput, events: Sequence[Event], wanted: Sequence[ExpectedEvent]) -> float:
    """Return how far the titles of the events say what they must, in words that stand."""
    passages = {each.number: each for each in given.passages}
    worth: list[float] = []
    for event in wanted:
        told = next((each for each in events if each.passages[0] in event.passages), None)
        stands = told is not None and _stands(told, passages[told.passages[0]])
        if told is None or not stands or has_any(told.title, event.never):
            worth.append(0.0)
        else:
            worth.append(share(told.title, event.says))
    return math.fsum(worth) / len(worth)


def _stands(event: Event, lead: NumberedPassage) -> bool:
    # The day is code's, and no page of an exam is read as of a day.
    pages = places([lead.model_copy(update={"date": ""})])
    return check(event.title, [(lead.number, lead.text)], pages).result != "unsupported"
