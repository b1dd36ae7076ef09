"""The user's own feeds, searched locally for what they carry now; no key, no engine."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar

from pydantic import Field

from groundwire.errors import InputError, OutsideFailure
from groundwire.evidence.pages.filters import admits, in_time, time_range
from groundwire.evidence.sources.urls import canonical_url, host_of
from groundwire.gateway.call import Scope
from groundwire.model.base import JsonObject
from groundwire.model.feed import Feed, FeedEntry
from groundwire.model.phrase import error_fields
from groundwire.model.query import Hit, Query, SearchFailure
from groundwire.search.provider import (
    FeedReader,
    ProviderAnswer,
    ProviderOptions,
    SearchProvider,
    SearchServices,
)
from groundwire.settings.fields import Words as Names

_LEAST = 0.2  # relevance of an entry
_SHOWN = 600  # characters of an entry that are shown
_AT_ONCE = 16


class Options(ProviderOptions):
    urls: Names = Field(default=(), description="addresses of feeds")
    opml: str | None = Field(default=None, description="address or path of an OPML file of feeds")


class Provider(SearchProvider[Options]):
    """Reads each feed once a run, and finds in them what bears on the question."""

    name: ClassVar[str] = "feeds"
    needs_key: ClassVar[bool] = False
    key_hint: ClassVar[str] = "GROUNDWIRE_SEARCH__PROVIDERS__FEEDS__URLS"
    Options: ClassVar[type[ProviderOptions]] = Options
    # Whoever subscribes to a feed wants it searched, whatever an engine finds.
    beside: ClassVar[bool] = True
    general: ClassVar[bool] = False

    def lacks(self) -> str | None:
        return None if self.options.urls or self.options.opml else self.key_hint

    async def search(
        self, services: SearchServices, scope: Scope, query: Query, occasion: str
    ) -> ProviderAnswer:
        """Search the feeds; failed ones are named beside the hits. Raises if none could be read."""
        reader = services.feeds
        urls = dict.fromkeys(self.options.urls)
        failures: list[tuple[str, OutsideFailure]] = []
        if self.options.opml:
            try:
                outline = await reader.outline(scope, self.options.opml)
                urls |= dict.fromkeys(link.url for link in outline.feeds)
            except OutsideFailure as error:
                failures.append(("opml", error))
        gate = asyncio.Semaphore(_AT_ONCE)
        feeds: list[Feed] = []
        for read in await asyncio.gather(*(_read(reader, scope, url, gate) for url in urls)):
            if isinstance(read, Feed):
                feeds.append(read)
            else:
                failures.append(read)
        if failures and not feeds:
            raise failures[0][1]
        return ProviderAnswer(
            hits=matching_hits(feeds, query, scope.now),
            failures=tuple(
                SearchFailure(provider=f"feeds {place}", code=each.code, **error_fields(each))
                for place, each in failures
            ),
        )


async def _read(
    reader: FeedReader, scope: Scope, url: str, gate: asyncio.Semaphore
) -> Feed | tuple[str, OutsideFailure]:
    try:
        async with gate:
            return await reader.feed(scope, url)
    except OutsideFailure as error:
        return host_of(url), error
    except InputError as error:
        about: JsonObject = dict(error.params)
        return url[:100], OutsideFailure(error.says, **about)


def matching_hits(feeds: Sequence[Feed], query: Query, now: datetime) -> list[Hit]:
    """Return the entries relevant to the query, best first, the newest first among equals."""
    # Deferred, as below: a run's first event comes before all that reads text.
    from groundwire.language.text.tokens import relevance

    start, end = time_range(query.time_range, now)
    ranked: dict[str, tuple[float, float, FeedEntry]] = {}
    for feed in feeds:
        for entry in feed.entries:
            at = entry.published or entry.updated
            if not _usable(entry, query) or not in_time(at, start, end):
                continue
            score = round(relevance(query.text, entry.text, entry.title), 2)
            if score >= _LEAST:
                ranked[canonical_url(entry.url)] = (score, at.timestamp() if at else 0.0, entry)
    best = sorted(ranked.items(), key=lambda each: (-each[1][0], -each[1][1], each[0]))
    return [
        Hit(
            title=entry.title,
            url=entry.url,
            content=excerpt(query.text, entry.text),
            score=score,
            published_at=entry.published or entry.updated,
            provider="feeds",
            rank=rank,
        )
        for rank, (_, (score, _, entry)) in enumerate(best[: query.max_results], start=1)
    ]


def _usable(entry: FeedEntry, query: Query) -> bool:
    if not entry.url:
        return False
    try:
        canonical_url(entry.url)
    except InputError:
        return False
    return admits(query, entry.url)


def excerpt(question: str, text: str) -> str:
    """Cut the part of a text most relevant to the question; whole lines where they fit."""
    from groundwire.language.text.tokens import relevance

    if len(text) <= _SHOWN:
        return text
    lines = text.split("\n")
    scores = [relevance(question, line) for line in lines]
    best = scores.index(max(scores))
    shown = "\n".join(lines[best:])
    return shown[:_SHOWN].rstrip() if len(shown) > _SHOWN else shown
