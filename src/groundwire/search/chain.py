"""The chain: providers in order of preference with failover, the archive beside them, one list."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from groundwire.errors import InputError, OutsideFailure
from groundwire.evidence.text import relevance
from groundwire.evidence.urls import canonical_url, matches_domain, registrable_domain
from groundwire.gateway.call import Scope
from groundwire.model.query import Hit, Query, SearchFailure, SearchReport
from groundwire.search.provider import Searcher

_RRF = 60  # the usual constant: early ranks matter, no single list decides


@dataclass(frozen=True, slots=True)
class _Answered:
    provider: str
    hits: list[Hit]


class Chain:
    """Asks outside providers one after the other until one answers (or all, when told to),
    and the archive at the same time."""

    def __init__(
        self,
        outside: Sequence[Searcher],
        archive: Searcher | None,
        *,
        mode: Literal["failover", "all"] = "failover",
        per_domain: int = 3,
    ) -> None:
        self._outside = tuple(outside)
        self._archive = archive
        self._mode = mode
        self._per_domain = per_domain

    @property
    def names(self) -> tuple[str, ...]:
        local = (self._archive.name,) if self._archive else ()
        return tuple(searcher.name for searcher in self._outside) + local

    async def search(self, scope: Scope, query: Query, occasion: str = "") -> SearchReport:
        """Never raises an outside failure: who failed is part of the report."""
        outside = self._ask_outside(scope, query, occasion)
        local = self._ask_all((self._archive,) if self._archive else (), scope, query, occasion)
        asked = [part for parts in await asyncio.gather(outside, local) for part in parts]
        lists = [part for part in asked if isinstance(part, _Answered)]
        return SearchReport(
            query=query,
            hits=tuple(self._fuse(query, lists)),
            failures=tuple(part for part in asked if isinstance(part, SearchFailure)),
            providers=tuple(part.provider for part in asked),
        )

    async def _ask_outside(
        self, scope: Scope, query: Query, occasion: str
    ) -> list[_Answered | SearchFailure]:
        if self._mode == "all":
            return await self._ask_all(self._outside, scope, query, occasion)
        asked: list[_Answered | SearchFailure] = []
        for searcher in self._outside:
            asked.append(await self._ask(searcher, scope, query, occasion))
            if isinstance(asked[-1], _Answered):
                break
        return asked

    async def _ask_all(
        self, searchers: Sequence[Searcher], scope: Scope, query: Query, occasion: str
    ) -> list[_Answered | SearchFailure]:
        return list(
            await asyncio.gather(*(self._ask(each, scope, query, occasion) for each in searchers))
        )

    async def _ask(
        self, searcher: Searcher, scope: Scope, query: Query, occasion: str
    ) -> _Answered | SearchFailure:
        try:
            return _Answered(searcher.name, await searcher.search(scope, query, occasion))
        except OutsideFailure as error:
            return SearchFailure(provider=searcher.name, code=error.code, message=error.message)

    def _fuse(self, query: Query, lists: Sequence[_Answered]) -> list[Hit]:
        """Reciprocal-rank fusion over the lists; one hit a page, a few a site."""
        scores: dict[str, float] = {}
        pages: dict[str, Hit] = {}
        for answered in lists:
            for hit in answered.hits:
                page = _page(hit)
                if page is None or not _allowed(hit.url, query):
                    continue
                scores[page] = scores.get(page, 0.0) + 1.0 / (_RRF + hit.rank)
                pages[page] = _merge(pages.get(page), hit)
        ranked = sorted(
            (
                hit.model_copy(update={"relevance": relevance(query.text, hit.content, hit.title)})
                for hit in pages.values()
            ),
            key=lambda hit: (-scores[_page(hit) or ""], -hit.relevance, hit.url),
        )
        return self._capped(ranked)[: query.max_results]

    def _capped(self, ranked: Sequence[Hit]) -> list[Hit]:
        seen: dict[str, int] = {}
        kept: list[Hit] = []
        for hit in ranked:
            domain = registrable_domain(hit.url)
            seen[domain] = seen.get(domain, 0) + 1
            if seen[domain] <= self._per_domain:
                kept.append(hit)
        return kept


def _page(hit: Hit) -> str | None:
    """The page a hit stands for; a result whose address cannot be read is no result."""
    try:
        return canonical_url(hit.url)
    except InputError:
        return None


def _allowed(url: str, query: Query) -> bool:
    """Domain limits are sent where an API has them, and always enforced again here."""
    if any(matches_domain(url, domain) for domain in query.exclude_domains):
        return False
    return not query.include_domains or any(
        matches_domain(url, domain) for domain in query.include_domains
    )


def _merge(old: Hit | None, new: Hit) -> Hit:
    """The same page from two lists: the longer text, and the archive's copy if there is one."""
    if old is None:
        return new
    longer = max(old, new, key=lambda hit: len(hit.content))
    return longer.model_copy(update={"document_id": old.document_id or new.document_id})
