"""Searching and reading for a timeline: thread by thread, then node by node; failures are values."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from urllib.parse import unquote

from groundwire.context import Context
from groundwire.evidence.pages.presence import published, was_there
from groundwire.gather.as_of import is_later
from groundwire.gather.failures import failed_pages, failed_searches, unread_pages
from groundwire.gather.pages import read_pages
from groundwire.gather.recoveries import recovered_reading, recovered_searches
from groundwire.gather.searches import search_all
from groundwire.jobs.timeline.changes import told
from groundwire.jobs.timeline.proposal import Thread
from groundwire.jobs.timeline.result import TimelineResult, Told
from groundwire.jobs.timeline.similar import last_like
from groundwire.jobs.timeline.subject import topic_of
from groundwire.jobs.timeline.threads import both_names
from groundwire.jobs.timeline.topic import without_years, years_in, years_of
from groundwire.jobs.timeline.types import ARCHIVE, Found, State
from groundwire.language.text.tokens import best_relevance
from groundwire.model.base import Instant, JsonObject, Value
from groundwire.model.query import Hit, Query, SearchReport
from groundwire.model.result import Degraded, Gap, Origin, Recovered
from groundwire.model.run import LAST, Run
from groundwire.model.source import Evidence
from groundwire.report.links import LOCAL_SUFFIX

_HEADLINES = 30  # that a plan is made by
_COPY, _LATE = "wire copy of", timedelta(days=4)
# What no history is told from: jokes, pages that give orders to machines, our own reports.
_UNFIT = frozenset({"satire", "injection", "own_report", "retraction"})


def within(context: Context, state: State) -> Context:
    """Return the context with the part of the world that may be searched."""
    return locally(context) if state.given.within else context


def locally(context: Context) -> Context:
    """Return the context with what is here as all that may be searched."""
    chain = context.parts.search
    local = replace(chain, providers=[each for each in chain.providers if each.local])
    return replace(context, parts=replace(context.parts, search=local))


async def headlines_at_hand(context: Context, state: State) -> tuple[str, ...]:
    """Return the headlines of the pages on the topic that are here already, most bearing first."""
    if state.given.pages_of:
        return ()
    here = locally(context)
    names = both_names(topic_of(state.given.topic))
    queries = [Query(text=name, max_results=_HEADLINES) for name in names]
    reports = await asyncio.gather(*(here.search(each, "headlines") for each in queries))
    hits = (each for each in admitted(reports, state) if not is_later(each, state.as_of))
    return tuple(dict.fromkeys(each.title for each in hits if each.title))[:_HEADLINES]


def usable(
    evidence: Iterable[Evidence], as_of: datetime | None, origins: Sequence[Origin] = ()
) -> tuple[Evidence, ...]:
    """Return what a history may be told from: fit, there by then, and no late copy.

    A copy that appears long after what it copies gives another day to every "on Monday" in it.
    """
    fit = {each.id: each for each in evidence if _UNFIT.isdisjoint(each.flags)}
    late: set[str] = set()
    for line in (each for origin in origins for each in origin.lineage):
        copy, first = fit.get(line.evidence_id), fit.get(line.of)
        if line.how == _COPY and copy is not None and first is not None:
            at, before = published(copy.document), published(first.document)
            if at is not None and before is not None and at - before > _LATE:
                late.add(copy.id)
    return tuple(
        each for each in fit.values() if each.id not in late and was_there(each.document, as_of)
    )


async def search_thread(
    context: Context, state: State, thread: int, queries: Sequence[Query], *, further: int = 0
) -> Found:
    """Make the searches of a thread; a failed one and an empty one stay different."""
    occasion = f"r{state.round}"
    reports = await search_all(within(context, state), queries, occasion, further=further)
    return Found(
        thread=thread,
        round=state.round,
        hits=tuple(admitted(reports, state)),
        searches=len(reports),
        failed=sum(report.failed for report in reports),
        degraded=failed_searches(reports, ()),
        recovered=recovered_searches(reports),
    )


async def pages_of_run(context: Context, state: State) -> Found:
    """Take the pages that an earlier run has read, instead of searching."""
    run_id = state.given.pages_of

    async def get() -> JsonObject:
        run = await context.parts.tables.runs().get(run_id)
        return {"pages": [] if run is None else _pages_of(run)}

    found = await context.query("runs", {"pages_of": run_id}, get)
    hits = (
        Hit(title="", url=url, content="", provider=ARCHIVE, rank=rank, document_id=document_id)
        for rank, (document_id, url) in enumerate(found["pages"])
    )
    return Found(thread=0, hits=tuple(hits))


async def earlier_run(context: Context, state: State) -> Earlier | None:
    """Return the events of an earlier timeline, recorded; None where it has none to compare with."""
    since, topic = state.given.since, topic_of(state.given.topic)

    async def get() -> JsonObject:
        if since == LAST:
            run = await last_like(context, topic)
        else:
            run = await context.parts.tables.runs().get(since)
        if run is None or run.kind != "timeline" or run.result is None:
            return {"earlier": None}
        return {"earlier": _earlier(run).model_dump(mode="json")}

    found = await context.query("runs", {"since": since}, get)
    return None if found["earlier"] is None else Earlier.model_validate(found["earlier"])


def _earlier(run: Run) -> Earlier:
    """Return what a run told, and what it left aside without knowing that it is gone."""
    result = TimelineResult.model_validate(run.result)
    aside = result.changes.aside if result.changes is not None else ()
    threads = (
        Thread(name=t.name, description=t.description, estimated_nodes=t.estimated_nodes)
        for t in result.threads
    )
    return Earlier(
        run=run.id,
        topic=result.topic,
        at=run.now,
        threads=tuple(threads),
        events=(*map(told, result.nodes), *aside),
    )


def _pages_of(run: Run) -> list[tuple[str, str]]:
    views: list[JsonObject] = (run.result or {}).get("evidence", [])
    return [(str(each["document_id"]), str(each["url"])) for each in views if each["document_id"]]


def admitted(reports: Sequence[SearchReport], state: State) -> list[Hit]:
    """Order the hits of several searches, one a page: those published in time first, then by rank."""
    topic = [without_years(each) for each in both_names(topic_of(state.given.topic))]
    best: dict[str, tuple[int, Hit]] = {}
    for report in reports:
        for rank, hit in enumerate(report.hits):
            if not _is_within(hit, state.given.within) or not best_relevance(
                topic, hit.content, hit.title
            ):
                continue  # only words that go with every history brought it
            if rank < best.get(hit.url, (math.inf, hit))[0]:
                best[hit.url] = (rank, hit)
    ordered = sorted(
        best.values(),
        key=lambda pair: (
            is_later(pair[1], state.as_of), pair[0], -pair[1].relevance, pair[1].url,
        ),
    )  # fmt: skip
    return [hit for _, hit in ordered]


def _is_within(hit: Hit, place: str) -> bool:
    """Tell whether a page lies in the place that the timeline is confined to."""
    if place in ("", ARCHIVE):
        return True
    # A file's address holds its name and a hash of its path, so that no export reveals the path.
    host, _, name = hit.url.removeprefix("https://").partition("/")
    path = f"{place.rstrip('/')}/{unquote(name.partition('/')[0])}"
    return host == f"f{sha256(path.encode()).hexdigest()[:16]}{LOCAL_SUFFIX}"


def interleaved(found: Sequence[Found], most: int) -> tuple[Hit, ...]:
    """Take pages from all threads in turn, each page once, so that no thread goes without."""
    chosen: dict[str, Hit] = {}
    longest = max((len(each.hits) for each in found), default=0)
    for rank in range(longest):
        for each in sorted(found, key=lambda one: one.thread):
            if rank < len(each.hits) and len(chosen) < most:
                chosen.setdefault(each.hits[rank].url, each.hits[rank])
    return tuple(chosen.values())


def finders_of(found: Sequence[Found], evidence: Sequence[Evidence]) -> dict[str, tuple[int, ...]]:
    """Tell for each piece of evidence which threads' searches brought it."""
    by_url: dict[str, list[int]] = {}
    for each in found:
        for hit in each.hits:
            by_url.setdefault(hit.url, []).append(each.thread)
    return {
        each.id: tuple(sorted(set(threads)))
        for each in evidence
        if (threads := by_url.get(each.document.canonical_url) or by_url.get(each.document.url))
    }


def counted(finders: Mapping[str, tuple[int, ...]], ids: Iterable[str]) -> dict[int, int]:
    """Count by thread how many of these pages its searches brought."""
    counts: dict[int, int] = {}
    for each in ids:
        for thread in finders.get(each, ()):
            counts[thread] = counts.get(thread, 0) + 1
    return counts


def is_of_years(evidence: Evidence, years: frozenset[str]) -> bool:
    """Tell whether a page names one of these years, or appeared in one; the Olympics of 2024 are not those of 2032."""
    document = evidence.document
    at = published(document)
    if not years or (at is not None and str(at.year) in years):
        return True
    return not years.isdisjoint(years_in(f"{document.title}\n{document.text}"))


class Earlier(Value):
    """What an earlier run told, and by which threads."""

    run: str
    topic: str
    at: Instant
    threads: tuple[Thread, ...] = ()
    events: tuple[Told, ...]


class Reading:
    """What reading pages brought."""

    def __init__(
        self,
        evidence: tuple[Evidence, ...],
        degraded: tuple[Degraded, ...],
        recovered: tuple[Recovered, ...],
        gaps: tuple[Gap, ...],
    ) -> None:
        self.evidence = evidence
        self.degraded = degraded
        self.recovered = recovered
        self.gaps = gaps


async def read(context: Context, topic: str, hits: Sequence[Hit], *, fresh: bool) -> Reading:
    """Read pages side by side; an unreadable one is kept as the snippet that a search showed."""
    pages = await read_pages(context, hits, fresh=fresh)
    years = years_of(topic)
    evidence = {
        each.evidence.id: each.evidence
        for each in pages
        if each.evidence is not None and is_of_years(each.evidence, years)
    }
    return Reading(
        tuple(evidence.values()),
        failed_pages(pages),
        recovered_reading(pages),
        unread_pages(pages),
    )
