"""The user's own feeds: what they carry now, searched here; no key, no engine."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar

from pydantic import Field

from groundwire.errors import IllegalState, InputError, OutsideFailure
from groundwire.evidence.pages.filters import admits, in_time, time_range
from groundwire.evidence.sources.urls import canonical_url, host_of
from groundwire.gateway.call import Scope
from groundwire.model.base import JsonObject
from groundwire.model.feed import Feed, FeedEntry
from groundwire.model.phrase import worded
from groundwire.model.query import Hit, Query, SearchFailure
from groundwire.search.provider import (
    FeedReader,
    Ground,
    ProviderAnswer,
    ProviderOptions,
    SearchProvider,
)
from groundwire.settings.fields import Words as Names

_LEAST = 0.2  # of what was asked for must stand in an entry
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
    # Whoever subscribes to a feed wants it heard, whatever an engine says.
    beside: ClassVar[bool] = True
    general: ClassVar[bool] = False

    def lacks(self) -> str | None:
        return None if self.options.urls or self.options.opml else self.key_hint

    async def search(
        self, ground: Ground, scope: Scope, query: Query, occasion: str
    ) -> ProviderAnswer:
        """Hits; a feed that failed is named beside them. Raises if not one could be read."""
        reader = ground.feeds
        if reader is None:
            raise IllegalState("feeds were asked without a reader")
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
            hits=found(feeds, query, scope.now),
            failures=tuple(
                SearchFailure(provider=f"feeds {place}", code=each.code, **worded(each))
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


def found(feeds: Sequence[Feed], query: Query, now: datetime) -> list[Hit]:
    """Return the entries that bear on the query, best first, the newest first among equals."""
    # Deferred, as below: a run's first event comes before all that reads text.
    from groundwire.language.text.tokens import relevance

    start, end = time_range(query.time_range, now)
    ranked: dict[str, tuple[float, float, FeedEntry]] = {}
    for feed in feeds:
        for entry in feed.entries:
            at = entry.published or entry.updated
            if not _usable(entry, query) or not in_time(at, start, end):
                continue
            fits = round(relevance(query.text, entry.text, entry.title), 2)
            if fits >= _LEAST:
                ranked[canonical_url(entry.url)] = (fits, at.timestamp() if at else 0.0, entry)
    best = sorted(ranked.items(), key=lambda each: (-each[1][0], -each[1][1], each[0]))
    return [
        Hit(
            title=entry.title,
            url=entry.url,
            content=excerpt(query.text, entry.text),
            score=fits,
            published_at=entry.published or entry.updated,
            provider="feeds",
            rank=rank,
        )
        for rank, (_, (fits, _, entry)) in enumerate(best[: query.max_results], start=1)
    ]


def _usable(entry: FeedEntry, query: Query) -> bool:
    if not entry.url:
        return False
    try:
        canonical_url(entry.url)
    except InputError:
        return False
    return admits(query, entry.url)


def excerpt(asked: str, text: str) -> str:
    """Return the part of a text that bears most on what was asked; whole lines where they fit."""
    from groundwire.language.text.tokens import relevance

    if len(text) <= _SHOWN:
        return text
    lines = text.split("\n")
    fits = [relevance(asked, line) for line in lines]
    at = fits.index(max(fits))
    shown = "\n".join(lines[at:])
    return shown[:_SHOWN].rstrip() if len(shown) > _SHOWN else shown
