"""A timeline while it is made: its events as soon as they are known, each with its details as they come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundwire.jobs.timeline.report_details import details_of, shown_date
from groundwire.jobs.timeline.report_view import STANDING, WEIGHTS
from groundwire.jobs.timeline.result import Detail, Significance, Standing
from groundwire.model.base import Value
from groundwire.model.event import Event
from groundwire.report import blocks
from groundwire.report.data import read_all, read_as
from groundwire.words import Words


class Brief(Value):
    """An event as the skeleton has it."""

    id: str
    date: str
    precision: str
    title: str
    significance: Significance
    standing: Standing
    thread: str


def so_far(events: Sequence[Event], say: Words) -> Iterator[blocks.Block]:
    """Show the newest skeleton with the details that have come."""
    skeletons = [each for each in events if each.type == "skeleton"]
    briefs = read_all(Brief, skeletons[-1].payload.get("nodes")) if skeletons else ()
    if not briefs:
        return
    found = {
        str(each.payload.get("node")): read_as(Detail, each.payload.get("detail"))
        for each in events
        if each.type == "detail"
    }
    threads = list(dict.fromkeys(each.thread for each in briefs))
    yield blocks.Heading(text=say("timeline.result"), name="timeline")
    items = (
        _node(each, threads.index(each.thread) + 1, found.get(each.id), say) for each in briefs
    )
    yield blocks.Timeline(items=tuple(items), more=say("timeline.details"))


def _node(brief: Brief, strand: int, detail: Detail | None, say: Words) -> blocks.TimelineNode:
    standing = brief.standing
    return blocks.TimelineNode(
        dates=(blocks.NodeDate(when=shown_date(brief.date, brief.precision, say)),),
        text=brief.title,
        weight=WEIGHTS[brief.significance],
        strand=strand,
        thread=brief.thread,
        name=brief.id,
        tone=STANDING.get(standing, ""),
        word=say(f"timeline.standing.{standing}") if standing in STANDING else "",
        details=tuple(details_of(detail, {}, say)) if detail is not None else (),
    )
