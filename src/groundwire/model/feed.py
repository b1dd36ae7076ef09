"""What lists pages: feeds, outlines of feeds, and sitemaps."""

from __future__ import annotations

from groundwire.model.base import Instant, Value


class FeedEntry(Value):
    """One entry of a feed, as text; `url` is empty where the feed gives no usable link."""

    id: str
    title: str
    url: str = ""
    published: Instant | None = None
    updated: Instant | None = None
    author: str | None = None
    summary_text: str = ""
    content_text: str = ""

    @property
    def text(self) -> str:
        """The fullest text that the feed itself gives."""
        return max(self.content_text, self.summary_text, key=len)


class Feed(Value):
    """A feed as it was read; `url` is where it was read, after redirects."""

    title: str
    url: str
    home: str = ""  # the site's own page, as the feed says
    entries: tuple[FeedEntry, ...] = ()


class FeedLink(Value):
    """A feed that something else points to."""

    title: str
    url: str


class Outline(Value):
    """The feeds of an OPML file, each once, in its order."""

    title: str
    feeds: tuple[FeedLink, ...]


class SitePage(Value):
    """A page that a sitemap lists."""

    url: str
    changed: Instant | None = None


class Sitemap(Value):
    """The pages that a sitemap lists, and the sitemaps that an index lists instead."""

    pages: tuple[SitePage, ...] = ()
    sitemaps: tuple[str, ...] = ()
