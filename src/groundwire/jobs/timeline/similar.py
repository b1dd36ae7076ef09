"""Finished timelines of the same owner whose topics are like a new one: offered before it is researched."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from groundwire.context import Context
from groundwire.errors import OutsideFailure
from groundwire.jobs.timeline.pages import words_of
from groundwire.jobs.timeline.threads import both_names
from groundwire.jobs.timeline.topic import Topic
from groundwire.language.text.characters import simplify
from groundwire.model.base import JsonObject
from groundwire.model.phrase import phrase, phrase_of
from groundwire.model.proposal import Offered
from groundwire.model.result import Degraded
from groundwire.model.run import Run, RunFilter

_LOOKED_AT = 20  # of the latest in each state
_MOST = 3
_LIKE = 0.6  # the mean share of each topic's words that the other names
_NEAR = 0.8  # cosine of two topics, from which on they may be one
_TOLD = ("complete", "degraded")


class Alike(NamedTuple):
    """Finished timelines that may already be what is wanted, and what failed in finding them."""

    offers: tuple[Offered, ...]
    degraded: tuple[Degraded, ...] = ()


async def similar(context: Context, topic: str) -> Alike:
    """Find the finished timelines of a like topic: by words and names, and by meaning where a model for it is set."""

    async def get() -> JsonObject:
        found = await _finished(context)
        return {"runs": [each.model_dump(mode="json") for each in found]}

    read = await context.query("runs", {"finished": "timeline"}, get)
    finished = [Offered.model_validate(each) for each in read["runs"]]
    titles = list(dict.fromkeys(each.title for each in finished))
    if not titles or context.parts.likeness is None:
        return Alike(likest(topic, finished))
    likeness = context.likeness()
    try:
        own, *others = await likeness.embed(context.scope, [topic, *titles])
    except OutsideFailure as failure:
        part = f"model:{likeness.label} (likeness)"
        why = Degraded.of(part, failure.code, phrase_of(failure), phrase("instead.by_words"))
        return Alike(likest(topic, finished), (why,))
    near = {
        title: math.fsum(a * b for a, b in zip(own, vector, strict=True))
        for title, vector in zip(titles, others, strict=True)
    }
    return Alike(likest(topic, finished, near))


async def _finished(context: Context) -> list[Offered]:
    """List the owner's latest timelines that have events."""
    return [
        Offered(run_id=each.id, title=str(_result(each)["topic"]), at=each.now)
        for each in await _finished_runs(context)
    ]


async def last_like(context: Context, topic: str) -> Run | None:
    """Return the owner's last timeline of a like topic that has events."""
    alike = [
        each
        for each in await _finished_runs(context)
        if are_alike(topic, str(_result(each)["topic"]))
    ]
    return max(alike, key=lambda each: (each.now, each.created_at, each.id), default=None)


async def _finished_runs(context: Context) -> list[Run]:
    runs = context.parts.tables.runs()
    own = await runs.get(context.run_id)
    if own is None:
        return []
    found: list[Run] = []
    for state in _TOLD:
        wanted = RunFilter(owner=own.owner, kind=own.kind, state=state)
        latest = (await runs.page(wanted, limit=_LOOKED_AT)).runs
        found += [each for each in latest if each.now <= own.now and each.id != own.id]
    return [each for each in found if _result(each).get("nodes")]


def _result(run: Run) -> JsonObject:
    return run.result or {}


def likest(
    topic: str, finished: Sequence[Offered], near: Mapping[str, float] | None = None
) -> tuple[Offered, ...]:
    """Choose the timelines whose topics are most like this one, one of each topic, the newest first.

    `near` tells for each title how near it is in meaning: beyond `_NEAR` it counts, whatever its words.
    """
    rated: list[tuple[float, Offered]] = []
    titles: set[str] = set()
    for each in sorted(finished, key=lambda one: (one.at, one.run_id), reverse=True):
        meant = (near or {}).get(each.title, 0.0)
        likeness = max(_likeness(topic, each.title), meant if meant >= _NEAR else 0.0)
        if likeness >= _LIKE and each.title not in titles:
            rated.append((likeness, each))
            titles.add(each.title)
    rated.sort(key=lambda pair: -pair[0])
    return tuple(each for _, each in rated[:_MOST])


def are_alike(topic: str, other: str) -> bool:
    """Tell whether two topics may be one."""
    return _likeness(topic, other) >= _LIKE


def _likeness(topic: str, other: str) -> float:
    return (_names(topic, other) + _names(other, topic)) / 2


def _names(topic: str, other: str) -> float:
    """Rate how much of a topic another one names, in either language."""
    written = " ".join(both_names(other))
    return Topic(both_names(topic)).bearing(set(words_of(written)), simplify(written).lower())
