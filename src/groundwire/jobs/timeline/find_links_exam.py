"""The exam of links: which events are rightly joined, of those joins that would be shown."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from groundwire.evidence.citations.quotes import locate
from groundwire.jobs.timeline.links import Found, links_of, standing
from groundwire.jobs.timeline.result import Interval, Link, Node, Relation
from groundwire.model.base import JsonObject, Value
from groundwire.model.phrase import Phrase
from groundwire.model.result import Sentence
from groundwire.model.source import Evidence
from groundwire.reasoning.exam_pages import READ_AT, OnPages, places

if TYPE_CHECKING:
    from groundwire.jobs.timeline.find_links import Joined, LinksInput

_OTHERWISE = 0.5  # what a right pair is worth whose relation is another


class ItemEvent(Value):
    """An event as the timeline tells it."""

    date: str
    text: str


class ItemGiven(OnPages):
    """A topic, its events in their order, and the pages that may join them."""

    topic: str
    language: str
    events: tuple[ItemEvent, ...]


class ExpectedLink(Value):
    """Two events that a passage joins, and the words by which it does."""

    cause: int
    effect: int
    relation: Relation
    passage: int
    quote: str


class Expected(Value):
    """Every link that the passages state."""

    links: tuple[ExpectedLink, ...] = ()


def nodes_of(item: ItemGiven) -> tuple[Node, ...]:
    """Make the events of an item the nodes of a history that all its pages support."""
    shown = [(each.date, each.text) for each in item.events]
    cited = [each.id for each in item.pages()]
    return tuple(_node(number, *each, cited) for number, each in enumerate(shown, start=1))


def _node(number: int, day: str, text: str, cited: Sequence[str]) -> Node:
    when = date.fromisoformat(day)
    return Node(
        id=str(number),
        date=day,
        precision="day",
        interval=Interval(begin=when, end=when),
        first_seen=READ_AT,
        title=text,
        description=(Sentence(text=text, verdict="supported", citations=()),),
        thread="",
        citations=tuple(cited),
        origins=len(cited),
        date_sources=(),
    )


def drafted(
    item: ItemGiven, nodes: Sequence[Node], pages: Sequence[Evidence]
) -> Iterator[tuple[int, int, Relation, int, str]]:
    """Yield what code joins: cause, effect, relation, passage, quote."""
    numbers = {each.id: number for number, each in enumerate(pages, start=1)}
    for link in links_of(nodes, pages, (item.topic,)):
        said = link.sentence.citations[0]
        cause, effect = _ends(link)
        yield cause, effect, link.relation, numbers[said.evidence_id], said.quote


def _ends(link: Link) -> tuple[int, int]:
    source, target = int(link.source), int(link.target)
    return (target, source) if link.relation == "responded_to" else (source, target)


def score(given: LinksInput, joined: Joined, expect: JsonObject) -> float:
    """Score the links that would be shown by what they find and what they add, each pair once."""
    wanted = {(each.cause, each.effect): each for each in Expected.model_validate(expect).links}
    kept = _shown(given, joined)
    if not wanted or not kept:
        return float(not wanted and not kept)
    worth = math.fsum(
        1.0 if relation == wanted[pair].relation else _OTHERWISE
        for pair, relation in kept.items()
        if pair in wanted
    )
    return 2 * worth / (len(kept) + len(wanted))


def _shown(given: LinksInput, joined: Joined) -> dict[tuple[int, int], Relation]:
    pages = places(given.passages)
    held = {holder.id: holder for holder, _ in pages.values()}
    nodes = {
        each.number: _node(each.number, each.date, each.text, tuple(held)) for each in given.events
    }
    kept: dict[tuple[int, int], Relation] = {}
    for each in joined.links:
        place = locate(each.passage, each.quote, pages)
        if isinstance(place, Phrase):
            continue
        found = Found(
            nodes[each.cause],
            nodes[each.effect],
            each.relation,
            place.evidence,
            place.start,
            place.end,
        )
        if standing(found, (given.topic,), held, cued=False) is not None:
            kept.setdefault((each.cause, each.effect), each.relation)
    return kept
