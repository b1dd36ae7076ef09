"""The search of verify: lists in their order, the best hits read in full, failures as values."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from groundwire.context import Context
from groundwire.gather.as_of import is_later
from groundwire.gather.failures import failed_pages, failed_searches, unread_pages
from groundwire.gather.pages import read_pages
from groundwire.gather.recoveries import recovered_reading, recovered_searches
from groundwire.gather.searches import search_all
from groundwire.jobs.verify.domains import LEAST_RELEVANCE, site_of
from groundwire.jobs.verify.types import Held, List
from groundwire.language.text.tokens import best_relevance
from groundwire.model.phrase import Phrase
from groundwire.model.query import Hit, Query, SearchReport
from groundwire.model.result import Degraded, Gap, Recovered

_BEHIND = 1000  # added to the rank of a later page, so that it comes last


@dataclass(frozen=True)
class Found:
    """What one round of searching brought."""

    hits: tuple[Hit, ...] = ()
    held: tuple[Held, ...] = ()  # new evidence only
    failed: int = 0
    failure: tuple[str, Phrase] | None = None  # code and reason, where every query failed
    providers: tuple[str, ...] = ()
    degraded: tuple[Degraded, ...] = ()
    recovered: tuple[Recovered, ...] = ()
    gaps: tuple[Gap, ...] = ()


@dataclass(frozen=True)
class NextSearch:
    """The search of the next round, which starts before this one is over, to save time.

    Its calls are recorded, so the next round does not make them again. It starts when too few
    sites have answered to end the search, or when nobody has answered for a while; then it may
    turn out not to be needed.
    """

    queries: Sequence[tuple[str, Query]]
    occasion: str
    enough: int  # sites, from which on the next round may not be needed
    patience: float  # seconds
    take: Callable[[], Awaitable[bool]]  # the day's tool call that the next round would take


@dataclass
class Round:
    """One executor round's search, on the run's context."""

    context: Context
    queries: Sequence[tuple[str, Query]]
    known: Sequence[Held]
    pages: int
    occasion: str
    as_of: datetime  # later pages are read only where there is room
    wanted: Sequence[str] = ()  # what a page must be about, in one language each
    named: frozenset[str] = field(default_factory=frozenset[str])  # parts already degraded
    ahead: NextSearch | None = None

    async def run(self) -> Found:
        searching = asyncio.ensure_future(self._searched())
        ahead = asyncio.ensure_future(self._look_ahead(searching))
        try:
            found = await self._read(searching)
            await ahead
        finally:
            searching.cancel()
            ahead.cancel()
        return found

    async def _searched(self) -> _Searched:
        queries = [query for _, query in self.queries]
        reports = await search_all(self.context, queries, self.occasion)
        return reports, self._chosen(reports)

    async def _look_ahead(self, searching: asyncio.Future[_Searched]) -> None:
        # A replay waits for nobody, and finds the recorded search in the next round.
        if self.ahead is None or self.context.scope.mode == "replay":
            return
        await asyncio.wait([searching], timeout=self.ahead.patience)
        if searching.done():
            _, hits = searching.result()
            if len({site_of(hit.url) for hit, _ in hits}) >= self.ahead.enough:
                return
        if not await self.ahead.take():
            return
        occasion = self.ahead.occasion
        await asyncio.gather(
            *(self.context.look_ahead(query, occasion) for _, query in self.ahead.queries)
        )

    async def _read(self, searching: asyncio.Future[_Searched]) -> Found:
        reports, hits = await searching
        pages = await read_pages(
            self.context, [hit for hit, _ in hits], [{"list": kind} for _, kind in hits]
        )
        failed = [report for report in reports if report.failed]
        failures = ((each.code, each.phrase) for report in failed for each in report.failures)
        return Found(
            hits=tuple(hit for hit, _ in hits),
            held=tuple(
                Held(evidence=page.evidence, list=kind)
                for page, (_, kind) in zip(pages, hits, strict=True)
                if page.evidence is not None
            ),
            failed=len(failed),
            failure=next(failures, None) if len(failed) == len(reports) else None,
            providers=tuple(dict.fromkeys(hit.provider for hit, _ in hits)),
            gaps=unread_pages(pages),
            degraded=(*failed_searches(reports, self.named), *failed_pages(pages)),
            recovered=(
                *recovered_searches(reports),
                *recovered_reading(pages),
            ),
        )

    def _chosen(self, reports: Sequence[SearchReport]) -> list[tuple[Hit, List]]:
        """Choose the best hits of each list in turn, one a page, without those already held."""
        seen = {each.evidence.document.canonical_url for each in self.known}
        ranked: list[tuple[int, int, Hit, List]] = []
        for number, (report, (kind, _)) in enumerate(zip(reports, self.queries, strict=True)):
            for rank, hit in enumerate(map(self._related, report.hits)):
                # Stored pages are in every list, so they must be relevant in each.
                loose = kind == "open" or hit.document_id is not None
                if loose and hit.relevance < LEAST_RELEVANCE:
                    continue
                list_name: List = "preferred" if kind == "preferred" else "open"
                rank += _BEHIND if is_later(hit, self.as_of) else 0
                ranked.append((rank, number, hit, list_name))
        chosen: dict[str, tuple[Hit, List]] = {}
        for _, _, hit, kind in sorted(ranked, key=lambda each: (each[0], each[1])):
            if hit.url not in seen:
                chosen.setdefault(hit.url, (hit, kind))
        return list(chosen.values())[: self.pages]

    def _related(self, hit: Hit) -> Hit:
        """Rate a hit in the language that fits it better: half of mixed words are foreign to a page."""
        relevance = best_relevance(self.wanted, hit.content, hit.title)
        return hit.model_copy(update={"relevance": max(relevance, hit.relevance)})


_Searched = tuple[Sequence[SearchReport], Sequence[tuple[Hit, List]]]
