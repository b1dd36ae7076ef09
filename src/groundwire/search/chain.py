"""The chain: providers in order of preference with failover, the archive with them, one list."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Literal, TypeAlias

from groundwire.errors import InputError, OutsideFailure
from groundwire.evidence.pages.filters import admits, hosts, in_time, time_range
from groundwire.evidence.sources.urls import canonical_url, registrable_domain
from groundwire.gateway.call import Scope
from groundwire.language.text.tokens import relevance
from groundwire.model.call import Recovery
from groundwire.model.phrase import error_fields
from groundwire.model.query import EMPTY, Hit, Query, SearchFailure, SearchReport
from groundwire.search.platforms import on_sites, platform_of
from groundwire.search.provider import (
    HttpProvider,
    ProviderAnswer,
    SearchProvider,
    SearchServices,
)

_RRF = 60  # the usual constant: early ranks matter, no single list decides
# One engine's empty answer proves nothing, so the next is asked; three that agree are believed.
_MOST_ANSWERS = 3
_RELEVANT = 0.25  # a list without a hit this relevant is as good as empty


@dataclass(frozen=True, slots=True)
class _Answered:
    by: SearchProvider
    found: ProviderAnswer  # with the hits that can be used


@dataclass(frozen=True, slots=True)
class _Failed:
    by: SearchProvider
    error: OutsideFailure


_Part: TypeAlias = _Answered | _Failed


@dataclass(eq=False)
class Chain:
    """Asks providers in turn until one answers, or all of them, as set.

    Providers that take part in every search are asked at the same time.
    """

    providers: Sequence[SearchProvider]
    services: SearchServices
    _: KW_ONLY
    mode: Literal["failover", "all"] = "failover"
    per_domain: int = 3
    # Providers outside the chain, asked about the platforms that they search themselves.
    reserves: Callable[[], Sequence[SearchProvider]] = tuple

    def __post_init__(self) -> None:
        self._engines = [provider for provider in self.providers if not provider.beside]
        self._beside = [provider for provider in self.providers if provider.beside]

    @property
    def usd(self) -> float:
        """The list price of one search: that of the first provider, or of all."""
        prices = [
            provider.tariff.usd_per_credit
            for provider in self._engines
            if isinstance(provider, HttpProvider)
        ]
        return sum(prices) if self.mode == "all" else next(iter(prices), 0.0)

    async def search(self, scope: Scope, query: Query, occasion: str = "") -> SearchReport:
        """Search and report, failures included; never raise an outside failure.

        A demand that cannot be read raises `InputError`, before anybody is asked.
        """
        time_range(query.time_range, scope.now)
        on_sites(query)
        hosts((*query.include_domains, *query.exclude_domains))
        from_engines, from_beside = await asyncio.gather(
            self._ask_engines(scope, query, occasion),
            self._ask_all(self._beside, scope, query, occasion),
        )
        parts = [*from_engines, *from_beside]
        answered = [part for part in parts if isinstance(part, _Answered)]
        recoveries = [*_recoveries(from_engines, in_turn=self.mode == "failover")]
        recoveries += _recoveries(from_beside, in_turn=False)
        sent = [part for part in parts if not part.by.local]
        return SearchReport(
            query=query,
            hits=tuple(self._fuse(query, answered)),
            failures=tuple(failure for part in parts for failure in _failures(part)),
            providers=tuple(part.by.name for part in parts),
            partial=tuple(part.by.name for part in parts if part.by.partial),
            cached=bool(sent) and all(isinstance(p, _Answered) and p.found.cached for p in sent),
            recoveries=tuple(recoveries),
        )

    async def look_ahead(self, scope: Scope, query: Query, occasion: str = "") -> None:
        """Ask the engines what a later search will ask them, which then finds it recorded.

        The archive is left to that search: by then it holds what is being read now.
        """
        await self._ask_engines(scope, query, occasion)

    def lineup(self, query: Query) -> list[SearchProvider]:
        """Return the providers to ask, in order, without those that take part in every search."""
        own = self._own_searches(query)
        # Where nobody takes the question, all are asked: a named refusal is better than no search.
        here = on_sites(query)
        others = [each for each in self._engines if each not in own]
        able = [each for each in others if each.takes(here)]
        ordered = sorted(able or others, key=lambda each: each.turn(here))
        suited = [*own, *(each for each in ordered if each.suits(here))]
        if self.mode == "all":
            return suited or ordered
        # A specialist is better than nothing, after all others.
        return suited + [each for each in ordered if not each.suits(here)]

    def _own_searches(self, query: Query) -> list[SearchProvider]:
        """Return the providers that search the platform of a query themselves, its own first."""
        if not query.platform:
            return []
        known = {each.name: each for each in (*self.reserves(), *self._engines)}
        own = [each for each in known.values() if each.serves(query.platform)]
        return sorted(own, key=lambda each: (each.preference, each.name))

    async def _ask_engines(self, scope: Scope, query: Query, occasion: str) -> list[_Part]:
        lineup = self.lineup(query)
        if self.mode == "all":
            return await self._ask_all(lineup, scope, query, occasion)
        parts: list[_Part] = []
        for provider in lineup:
            part = await self._ask(provider, scope, query, occasion)
            parts.append(part)
            answers = sum(isinstance(each, _Answered) for each in parts)
            if isinstance(part, _Answered):
                useful = any(hit.relevance >= _RELEVANT for hit in part.found.hits)
                if useful or answers == _MOST_ANSWERS:
                    break
        return parts

    async def _ask_all(
        self, providers: Sequence[SearchProvider], scope: Scope, query: Query, occasion: str
    ) -> list[_Part]:
        parts = (self._ask(each, scope, query, occasion) for each in providers)
        return list(await asyncio.gather(*parts))

    async def _ask(
        self, provider: SearchProvider, scope: Scope, query: Query, occasion: str
    ) -> _Part:
        if not provider.serves(query.platform):
            query = on_sites(query)
        try:
            found = await provider.search(self.services, scope, query, occasion)
        except OutsideFailure as error:
            return _Failed(provider, error)
        return _Answered(provider, replace(found, hits=[*_usable(provider, scope, query, found)]))

    def _fuse(self, query: Query, lists: Iterable[_Answered]) -> list[Hit]:
        """Merge the lists by reciprocal-rank fusion; one hit a page, a few a site."""
        scores: dict[str, float] = {}
        pages: dict[str, Hit] = {}
        for answered in lists:
            for page, hit in _once(answered.found.hits):
                scores[page] = scores.get(page, 0.0) + 1.0 / (_RRF + hit.rank)
                pages[page] = _merge(pages.get(page), hit)
        ranked = sorted(
            pages.items(), key=lambda item: (-scores[item[0]], -item[1].relevance, item[1].url)
        )
        return self._capped([hit for _, hit in ranked], query)[: query.max_results]

    def _capped(self, ranked: Sequence[Hit], query: Query) -> list[Hit]:
        """Keep a few hits a site, unless that site, or whatever is new, is what was asked for."""
        named = query.include_domains or query.platform or query.time_range
        seen: dict[str, int] = {}
        kept: list[Hit] = []
        for hit in ranked:
            domain = registrable_domain(hit.url)
            seen[domain] = seen.get(domain, 0) + 1
            if seen[domain] <= self.per_domain or named:
                kept.append(hit)
        return kept


def _recoveries(parts: Sequence[_Part], *, in_turn: bool) -> Iterable[Recovery]:
    """Yield who was asked again, and who was asked instead of one that failed or found nothing."""
    for place, part in enumerate(parts):
        following = parts[place + 1] if in_turn and place + 1 < len(parts) else None
        if isinstance(part, _Failed):
            yield from Recovery.in_vain(part.error)
            if following is not None:
                answered = isinstance(following, _Answered)
                yield Recovery.of(part.error.code, following.by.name, worked=answered)
            continue
        yield from part.found.recoveries
        # Who sees a part of the web only has nothing most of the time: that is no failure.
        if following is not None and not part.found.hits and not part.by.partial:
            found = isinstance(following, _Answered) and bool(following.found.hits)
            yield Recovery.of(EMPTY, following.by.name, worked=found)


def _failures(part: _Part) -> tuple[SearchFailure, ...]:
    if isinstance(part, _Answered):
        return part.found.failures
    name, error = part.by.name, part.error
    return (SearchFailure(provider=name, code=error.code, **error_fields(error)),)


def _usable(
    provider: SearchProvider, scope: Scope, query: Query, found: ProviderAnswer
) -> Iterable[Hit]:
    """Yield hits with a readable address inside the limits, with our own relevance.

    Limits are sent where an API has them, and always enforced again here. A newspaper, a forum or
    an encyclopaedia returns the nearest it has: that must have something to do with the question.
    """
    start, end = time_range(query.time_range, scope.now)
    if query.time_range and "/" not in query.time_range:
        end = None  # "this week" has no end: a page may be newer than the run's clock
    own = provider.serves(query.platform)
    for hit in found.hits:
        if _page(hit) is None or not admits(query, hit.url):
            continue
        if not provider.local and not in_time(hit.published_at, start, end):
            continue  # the archive reads its own pages' times
        score = relevance(query.text, hit.content, hit.title)
        if score > 0 or (provider.general and not provider.sites):
            where = query.platform if own else platform_of(hit.url)
            yield hit.model_copy(update={"relevance": score, "platform": where})


def _once(hits: Iterable[Hit]) -> Iterable[tuple[str, Hit]]:
    """Yield each page once, at its better rank."""
    seen: set[str] = set()
    for hit in sorted(hits, key=lambda hit: hit.rank):
        page = _page(hit)
        if page is not None and page not in seen:
            seen.add(page)
            yield page, hit


def _page(hit: Hit) -> str | None:
    """Return the page a hit stands for; None if its address cannot be read."""
    try:
        return canonical_url(hit.url)
    except InputError:
        return None


def _merge(old: Hit | None, new: Hit) -> Hit:
    """Merge two hits of one page: the longer text, whatever either knows, and who else has it."""
    if old is None:
        return new
    best, other = (new, old) if len(new.content) > len(old.content) else (old, new)
    names = dict.fromkeys([*old.also, old.provider, new.provider])
    names.pop(best.provider, None)
    return best.model_copy(
        update={
            "document_id": best.document_id or other.document_id,
            "published_at": best.published_at or other.published_at,
            "raw_content": best.raw_content or other.raw_content,
            "relevance": max(best.relevance, other.relevance),
            "platform": best.platform or other.platform,
            "author": best.author or other.author,
            "engagement": best.engagement or other.engagement,
            "also": tuple(names),
        }
    )
