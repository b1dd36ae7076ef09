"""The skeleton of a history: milestones chosen thread by thread, merged, weighed; pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from groundwire.jobs.timeline.entries import Entry, Material, entry_of, node_of
from groundwire.jobs.timeline.headlines import entitle
from groundwire.jobs.timeline.history import Wanted, history_of
from groundwire.jobs.timeline.proposal import Plan
from groundwire.jobs.timeline.research import counted
from groundwire.jobs.timeline.result import Node, Significance
from groundwire.jobs.timeline.slips import joined_slips
from groundwire.jobs.timeline.telling import date_exactly, retold
from groundwire.jobs.timeline.threads import Strands, both_names
from groundwire.jobs.timeline.twins import Twins
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import Evidence

_SPARE = 2  # times the nodes wanted that are looked at, since some fall away
_HIGH = 0.3  # share of the nodes that stand out
_TURNING = 2  # of a thread, at most
_ORIGINS = 3  # independent ones that a turning point has at least


@dataclass(frozen=True, slots=True)
class Skeleton:
    """The nodes of a history in order, and why they are few."""

    nodes: tuple[Node, ...] = ()
    short: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Candidates:
    """The events that pages tell, before they are chosen from."""

    material: Material
    entries: tuple[Entry, ...]  # each told by some page

    def of(self, thread: int) -> list[Entry]:
        """Return the events of a thread, the weightiest first."""
        return [each for each in weighty(self.entries) if each.thread == thread]


def weighty(entries: Sequence[Entry]) -> list[Entry]:
    """Put the weightiest events first."""
    return sorted(entries, key=lambda each: (-each.milestone.score, each.milestone.id))


def candidates_of(
    plan: Plan,
    evidence: Sequence[Evidence],
    finders: Mapping[str, tuple[int, ...]],
    language: str,
    today: date,
) -> Candidates:
    """Find the events that these pages tell, each once, under its thread."""
    material = Material.of(evidence, language, today)
    told, _ = events_told(material, Wanted(both_names(plan.topic), plan.nodes))
    strands = Strands(plan.threads)
    for entry in told:
        entry.thread = strands.thread_of(entry.text, counted(finders, entry.sources))
    return Candidates(material, told)


def events_told(material: Material, wanted: Wanted) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
    """Find the events that pages tell, each once and told by its best sentence; and what none supports.

    The second were only wrong guesses of code: nobody claims them, and no reader sees them.
    """
    likely = replace(wanted, nodes=_SPARE * wanted.nodes)
    entries = [entry_of(each, material) for each in history_of(material.pages, likely)]
    told = [each for each in entries if each.sentences]
    for entry in told:  # a year and a month in it are nearer than two tellings of the year
        date_exactly(entry)
    twins = Twins(material, wanted.topic)
    told = twins.joined(told)
    twins.dated_apart(told)
    stated = joined_slips(told, wanted.topic)
    stated = retold(stated, material, wanted.topic)
    entitle(stated, material, wanted.topic)
    return tuple(stated), tuple(each for each in entries if not each.sentences)


def skeleton_of(plan: Plan, found: Candidates) -> Skeleton:
    """Build the nodes of what is chosen."""
    chosen = _chosen(found.entries, plan)
    nodes = {
        entry.milestone.id: node_of(entry, plan.threads[entry.thread].name, found.material)
        for entry in chosen
    }
    weights = _weights(chosen, nodes)
    ordered = sorted(
        (node.model_copy(update={"significance": weights[key]}) for key, node in nodes.items()),
        key=lambda node: (node.interval.begin, node.interval.end, node.id),
    )
    pages = len(found.material.pages)
    return Skeleton(tuple(ordered), _shortness(plan, len(ordered), pages))


def _chosen(entries: Sequence[Entry], plan: Plan) -> list[Entry]:
    """Take what each thread wants, then fill up with the weightiest of the others."""
    best = sorted(weighty(entries), key=lambda each: not each.preferred)
    chosen: list[Entry] = []
    for place, thread in enumerate(plan.threads):
        own = [each for each in best if each.thread == place]
        chosen += own[: thread.estimated_nodes]
    rest = [each for each in best if each not in chosen]
    return chosen + rest[: max(0, plan.nodes - len(chosen))]


def _weights(chosen: Sequence[Entry], nodes: Mapping[str, Node]) -> dict[str, Significance]:
    """Say what stands out in the history; a turning point is told by several independent origins."""
    found: dict[str, Significance] = {}
    turning: Counter[int] = Counter()
    most = max((each.milestone.score for each in chosen), default=0.0) or 1.0

    def weight(entry: Entry) -> float:
        """Rate an event by who tells it, how often, and its place in the topic."""
        origins = nodes[entry.milestone.id].origins
        return (
            math.log2(1 + origins)
            + math.log2(1 + len(entry.told_by)) / 2
            + entry.milestone.score / most
        )

    ranked = sorted(chosen, key=lambda each: (-weight(each), each.milestone.id))
    high = max(1, round(_HIGH * len(ranked)))
    for rank, entry in enumerate(ranked):
        origins = nodes[entry.milestone.id].origins
        wish = entry.wish or ("high" if rank < high else "medium")
        if wish == "high" and entry.wish is None and origins >= _ORIGINS:
            wish = "revolutionary"
        if wish == "revolutionary":
            turning[entry.thread] += 1
            wish = "high" if turning[entry.thread] > _TURNING else wish
        found[entry.milestone.id] = wish
    return found


def _shortness(plan: Plan, nodes: int, pages: int) -> Phrase | None:
    """Say why there are fewer nodes than were wanted."""
    if nodes >= plan.target.least:
        return None
    return phrase("timeline.short", n=nodes, of=plan.target.nodes, pages=pages)
