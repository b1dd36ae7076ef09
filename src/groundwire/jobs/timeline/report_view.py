"""The view of a timeline: at a glance, then event by event, each with what is told of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from groundwire.jobs.timeline.report_details import details, shown_date, slips
from groundwire.jobs.timeline.result import DatedBy, Node, Significance, TimelineResult
from groundwire.language.text.script import language_distance
from groundwire.model.source import publisher_name
from groundwire.report import blocks, sections
from groundwire.report.statements import Weight
from groundwire.words import Words

WEIGHED: Mapping[Significance, int] = {"revolutionary": 0, "high": 1, "medium": 2}
WEIGHTS: Mapping[Significance, Weight] = {
    "revolutionary": "high",
    "high": "medium",
    "medium": "low",
}
_MOST_YEARS = 24  # that one can choose from; the files have a rule for each
STANDING: dict[str, blocks.Tone] = {
    "planned": "unverified",
    "due": "insufficient",
    "denied": "contradicted",
}


# --- at a glance -------------------------------------------------------------------------------


def overview(result: TimelineResult, say: Words) -> Iterator[blocks.Overview]:
    """Show the span of a history, its threads, and ways to see a part of it."""
    nodes = result.nodes
    if not nodes:
        return
    threads = _threads(result)
    span = _Span(nodes)
    years = {each: place for place, each in enumerate(_years(result), start=1)}
    parts = _parts(result)
    at = {each.id: span.place(each.interval.begin) for each in nodes}
    titles = {each.id: each.title for each in nodes}
    first, last = nodes[0], max(nodes, key=lambda each: each.interval.begin)
    yield blocks.Overview(
        begin=shown_date(first.date, first.precision, say),
        end=shown_date(last.date, last.precision, say),
        threads=threads,
        dots=tuple(
            blocks.Dot(
                at=at[each.id],
                weight=WEIGHTS[each.significance],
                strand=threads.index(each.thread) + 1,
                part=parts.get(each.id, 0),
                year=years.get(each.interval.begin.year, 0),
                name=each.id,
                text=f"{shown_date(each.date, each.precision, say)} · {each.title}",
            )
            for each in nodes
        ),
        arcs=tuple(
            blocks.Arc(
                begin=at[each.source],
                end=at[each.target],
                text=f"{titles[each.source]} → {titles[each.target]}",
            )
            for each in result.links
            if each.source in at and each.target in at
        ),
        choices=tuple(_choices(result, threads, say)),
    )


class _Span:
    """The days between the first and the last event."""

    def __init__(self, nodes: tuple[Node, ...]) -> None:
        self._first = min(each.interval.begin for each in nodes)
        self._days = (max(each.interval.begin for each in nodes) - self._first).days or 1

    def place(self, day: date) -> float:
        return round((day - self._first).days / self._days, 4)


def _years(result: TimelineResult) -> tuple[int, ...]:
    """List the years that have events, where one can choose among them."""
    found = sorted({each.interval.begin.year for each in result.nodes})
    return tuple(found) if 1 < len(found) <= _MOST_YEARS else ()


def _parts(result: TimelineResult) -> dict[str, int]:
    """Tell the place of each node's era, from 1."""
    return {name: at for at, each in enumerate(result.eras, start=1) for name in each.nodes}


def _threads(result: TimelineResult) -> tuple[str, ...]:
    """List the threads that have events, in their order."""
    named = [*(each.name for each in result.threads), *(each.thread for each in result.nodes)]
    told = {each.thread for each in result.nodes}
    return tuple(each for each in dict.fromkeys(named) if each in told)


def _choices(
    result: TimelineResult, threads: tuple[str, ...], say: Words
) -> Iterator[blocks.Choice]:
    everything = say("timeline.choose.all")
    if len(threads) > 1:
        title = say("timeline.choose.thread")
        yield blocks.Choice(name="thread", title=title, options=(everything, *threads))
    options = tuple(say(f"timeline.choose.weight.{each}") for each in ("high", "turning"))
    title = say("timeline.choose.weight")
    yield blocks.Choice(name="weight", title=title, options=(everything, *options))
    years = tuple(map(str, _years(result)))
    names = tuple(each.name for each in result.eras)
    if len(names) > 1 and names != years:
        title = say("timeline.choose.era")
        yield blocks.Choice(name="era", title=title, options=(everything, *names))
    if years:
        title = say("timeline.choose.year")
        yield blocks.Choice(name="year", title=title, options=(everything, *years))
    zooms = tuple(say(f"timeline.choose.zoom.{each}") for each in ("near", "far", "farthest"))
    yield blocks.Choice(name="zoom", title=say("timeline.choose.zoom"), options=zooms)


# --- event by event ----------------------------------------------------------------------------


def timeline(
    result: TimelineResult, numbers: dict[str, int], say: Words
) -> Iterator[blocks.Timeline]:
    """Show every event under its era; its details are there to be opened."""
    threads = _threads(result)
    eras = {each.nodes[0]: each.name for each in result.eras} if len(result.eras) > 1 else {}
    parts = _parts(result)
    years = {each: place for place, each in enumerate(_years(result), start=1)}
    written = {each.id: each.language for each in result.evidence}
    items = tuple(
        _node(each, numbers, say, _foreign(each, written, result.language)).model_copy(
            update={
                "strand": threads.index(each.thread) + 1,
                "era": eras.get(each.id, ""),
                "part": parts.get(each.id, 0),
                "year": years.get(each.interval.begin.year, 0),
                "details": tuple(details(each, numbers, say)),
            }
        )
        for each in result.nodes
    )
    yield blocks.Timeline(items=items, more=say("timeline.details"))


def _foreign(node: Node, written: Mapping[str, str], wanted: str) -> str:
    """Return in which language an event is told, where that is not the reader's; "": it is."""
    first = next(iter(node.description)).citations
    language = written.get(first[0].evidence_id, wanted) if first else wanted
    return language if language_distance(language, wanted) > 1 else ""


def _node(
    node: Node, numbers: dict[str, int], say: Words, foreign: str = ""
) -> blocks.TimelineNode:
    told_in = say.name("language", foreign) if foreign else ""
    about = " · ".join(
        (
            *slips(node, say),
            say("timeline.n.origins", n=node.origins),
            *([say("timeline.told_in", language=told_in)] if foreign else ()),
        )
    )
    return blocks.TimelineNode(
        dates=(
            blocks.NodeDate(when=shown_date(node.date, node.precision, say)),
            *(dated(each, numbers, say) for each in other_dates(node)),
        ),
        text=node.title,
        told=tuple(_told(node, numbers)),
        about=about,
        marks=sections.marks_of(node.telling, numbers),
        weight=WEIGHTS[node.significance],
        thread=node.thread,
        name=node.id,
        tone=STANDING.get(node.standing, ""),
        word=say(f"timeline.standing.{node.standing}") if node.standing in STANDING else "",
    )


def _told(node: Node, numbers: dict[str, int]) -> Iterator[blocks.Statement]:
    """Yield what is told beneath the title: nothing that it says, no number that it has."""
    for place, each in enumerate(node.description):
        if each.text.rstrip("。.") != node.title:
            marks = sections.marks_of(each, numbers)
            same = not place and len(marks) == len(node.told_by)
            yield blocks.Statement(text=each.text, marks=() if same else marks)


def other_dates(node: Node) -> list[DatedBy]:
    """List who puts the event on another day, each date once."""
    found: dict[str, DatedBy] = {}
    for each in node.date_sources:
        agrees = each.date.startswith(node.date) or node.date.startswith(each.date)
        if not agrees:
            found.setdefault(each.date, each)
    return list(found.values())


def dated(each: DatedBy, numbers: dict[str, int], say: Words) -> blocks.NodeDate:
    """Show who gives a date, with the words that give it."""
    number = numbers.get(each.evidence_id)
    quotes = (blocks.Excerpt(text=each.quote),)
    mark = blocks.Mark(number=number or 0, quotes=quotes, evidence_id=each.evidence_id)
    return blocks.NodeDate(
        when=shown_date(each.date, each.precision, say),
        who=publisher_name(each.publisher, say),
        marks=(mark,) if number else (),
    )
