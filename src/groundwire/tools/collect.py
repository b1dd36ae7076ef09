"""Read whatever an address lists into the archive: a page, a feed, an OPML, a sitemap."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Sequence
from datetime import datetime
from typing import Literal, TypeVar

from pydantic import Field

from groundwire.context import Context
from groundwire.errors import InputError, OutsideFailure, Unreadable
from groundwire.evidence.sources.urls import canonical_url, registrable_domain, scrub_url
from groundwire.model.base import JsonObject, Value
from groundwire.model.feed import Feed, FeedEntry, Outline, Sitemap, SitePage
from groundwire.model.phrase import error_fields
from groundwire.model.source import Document

Opened = TypeVar("Opened", Document, Feed, Sitemap)
_AT_ONCE = 8
_DEEPEST = 3  # levels of sitemaps that list sitemaps
_MOST_MAPS = 50  # sitemaps of one site
# In bytes of UTF-8, so that a Chinese text and its English translation count about the same.
_WHOLE = 2_000  # an entry with this much text is the article itself
_LEAST = 80


class Input(Value):
    """What to read, and how much of it."""

    url: str = Field(min_length=1, max_length=8000)
    limit: int = Field(default=100, ge=1, le=10_000, description="pages taken from one list")
    feed: bool = Field(default=False, description="take the feed that a page names, not the page")
    ignore_robots: bool = Field(default=False, description="read what robots.txt does not allow")


class Kept(Value):
    """A document that is in the archive now."""

    document_id: str
    url: str
    title: str


class Lost(Value):
    """What could not be read, and why."""

    what: str
    code: str
    message: str  # a code of the catalogue
    params: JsonObject = Field(default_factory=dict)


class Result(Value):
    """What came of it; `left` counts the pages above the limit."""

    url: str
    kind: Literal["page", "feed", "outline", "sitemap"]
    kept: tuple[Kept, ...] = ()
    failed: tuple[Lost, ...] = ()
    left: int = 0
    skipped: dict[str, int] = Field(default_factory=dict)  # by code


async def run(context: Context, given: Input) -> Result:
    """Read a page into the archive, or every page that a feed, an OPML or a sitemap lists.

    A page that fails is listed and stops no other.
    """
    found = await context.open(given.url, robots=not given.ignore_robots, feed=given.feed)
    walk = _Walk(context, given)
    match found:
        case Document():
            walk.keep(found)
            return walk.result("page")
        case Feed():
            await walk.feed(found)
            return walk.result("feed")
        case Outline():
            await walk.outline(found)
            return walk.result("outline")
        case Sitemap():
            await walk.sitemap(found)
            return walk.result("sitemap")


class _Walk:
    """One run's walk through lists, with what it found in the order of the lists."""

    def __init__(self, context: Context, given: Input) -> None:
        self._context = context
        self._given = given
        self._gate = asyncio.Semaphore(_AT_ONCE)
        self._kept: dict[str, Kept] = {}
        self._failed: list[Lost] = []
        self._left = 0
        self._skipped: Counter[str] = Counter()

    def result(self, kind: Literal["page", "feed", "outline", "sitemap"]) -> Result:
        return Result(
            url=scrub_url(self._given.url),
            kind=kind,
            kept=tuple(self._kept.values()),
            failed=tuple(self._failed),
            left=self._left,
            skipped=dict(sorted(self._skipped.items())),
        )

    def keep(self, document: Document) -> None:
        self._kept[document.id] = Kept(
            document_id=document.id, url=document.canonical_url, title=document.title
        )

    async def outline(self, outline: Outline) -> None:
        """Read each feed in turn; a feed that fails is one failure."""
        for number, link in enumerate(outline.feeds):
            try:
                found = await self._open(self._context, link.url, Feed, "outside.gives_no_feed")
            except (OutsideFailure, InputError) as error:
                self._failed.append(_lost(link.title or link.url, error))
                continue
            await self.feed(found, f"feed/{number}")

    async def feed(self, feed: Feed, path: str = "feed") -> None:
        """Read the newest entries; undated ones come last, in their order."""
        dated = sorted(
            feed.entries,
            key=lambda entry: -(at.timestamp() if (at := entry.published or entry.updated) else 0),
        )
        taken = dated[: self._given.limit]
        self._left += len(dated) - len(taken)
        await self._all(
            [
                self._entry(self._context.step(f"{path}/{number}"), feed, entry)
                for number, entry in enumerate(taken)
            ]
        )

    async def _entry(self, context: Context, feed: Feed, entry: FeedEntry) -> Document | Lost:
        # Only a site's own feed speaks for its pages; what another feed quotes is read at the page.
        own_site = not entry.url or _same_site(entry.url, feed.url)
        size = len(entry.text.encode())
        if own_site and size >= (_WHOLE if entry.url else _LEAST):
            return await self._keep_entry(context, feed, entry)
        if not entry.url:
            return Lost(what=entry.title or entry.id, code="unreadable", message="outside.no_text")
        page = await self._page(context, entry.url)
        if isinstance(page, Lost) and own_site and size >= _LEAST:
            return await self._keep_entry(context, feed, entry)
        return page

    async def _keep_entry(self, context: Context, feed: Feed, entry: FeedEntry) -> Document:
        """Archive the entry's own text as the document of its page."""
        document = _entry_document(feed, entry, context.now())
        await context.keep(document)
        await _report_progress(context, document.canonical_url)
        return document

    async def sitemap(self, sitemap: Sitemap) -> None:
        """Read pages of the same site, the most recently changed first."""
        pages: dict[str, SitePage] = {page.url: page for page in sitemap.pages}
        todo = [(place, 1) for place in sitemap.sitemaps]
        opened = 0
        while todo and opened < _MOST_MAPS and len(pages) < self._given.limit:
            place, depth = todo.pop(0)
            opened += 1
            try:
                found = await self._open(self._context, place, Sitemap, "outside.gives_no_sitemap")
            except (OutsideFailure, InputError) as error:
                self._failed.append(_lost(place, error))
                continue
            pages.update({page.url: page for page in found.pages})
            if depth < _DEEPEST:
                todo += [(deeper, depth + 1) for deeper in found.sitemaps]
        if todo:
            self._skipped["skipped.sitemap"] += len(todo)
        same_site = [page for page in pages.values() if _same_site(page.url, self._given.url)]
        if foreign := len(pages) - len(same_site):
            self._skipped["skipped.other_site"] += foreign
        same_site.sort(key=lambda page: -(page.changed.timestamp() if page.changed else 0))
        taken = same_site[: self._given.limit]
        self._left += len(same_site) - len(taken)
        await self._all(
            [
                self._page(self._context.step(f"page/{number}"), page.url)
                for number, page in enumerate(taken)
            ]
        )

    async def _page(self, context: Context, url: str) -> Document | Lost:
        try:
            found = await self._open(context, url, Document, "outside.gives_list")
        except (OutsideFailure, InputError) as error:
            await _report_progress(context, url, error)
            return _lost(url, error)
        await _report_progress(context, url)
        return found

    async def _all(self, tasks: Sequence[Coroutine[None, None, Document | Lost]]) -> None:
        """Run a few at a time and keep the outcomes in the order of the list."""

        async def limited(task: Coroutine[None, None, Document | Lost]) -> Document | Lost:
            async with self._gate:
                return await task

        for found in await asyncio.gather(*(limited(task) for task in tasks)):
            if isinstance(found, Document):
                self.keep(found)
            else:
                self._failed.append(found)

    async def _open(
        self, context: Context, url: str, kind: type[Opened], error_code: str
    ) -> Opened:
        found = await context.open(url, robots=not self._given.ignore_robots)
        if isinstance(found, kind):
            return found
        raise Unreadable(error_code)


def _entry_document(feed: Feed, entry: FeedEntry, now: datetime) -> Document:
    """Build the document of an entry's page, or of the feed where it names no page."""
    # Deferred: most runs read no feed.
    from groundwire.fetch.fields import make_extracted
    from groundwire.fetch.reader import document_of

    text = entry.text
    canonical = canonical_url(scrub_url(entry.url or feed.url))
    title = entry.title or text.partition("\n")[0][:100]
    date = entry.published or entry.updated
    found = make_extracted(text, date, title=title, author=entry.author, how="feed")
    publisher = feed.title or registrable_domain(canonical)
    return document_of(found, scrub_url(feed.url), canonical, publisher, now)


def _same_site(url: str, other: str) -> bool:
    try:
        return registrable_domain(url) == registrable_domain(other)
    except InputError:
        return False


def _lost(what: str, error: OutsideFailure | InputError) -> Lost:
    code = error.code if isinstance(error, OutsideFailure) else "bad_address"
    return Lost(what=what[:300], code=code, **error_fields(error))


async def _report_progress(
    context: Context, url: str, error: OutsideFailure | InputError | None = None
) -> None:
    """Emit one event a page, so that whoever waits sees progress."""
    payload: JsonObject = {"phase": "collect", "url": url[:300], "ok": error is None}
    if error is not None:
        payload |= error_fields(error)
    await context.emit("progress", payload)
