"""The feeds that something else lists: an OPML file, or a page that names its own."""

from __future__ import annotations

from urllib.parse import urljoin

from groundwire.errors import Malformed
from groundwire.fetch.charset import decode
from groundwire.fetch.prose import line
from groundwire.fetch.tree import parse
from groundwire.fetch.xml import local, root_name, root_of, xml_text
from groundwire.model.feed import FeedLink, Outline

MAX_FEEDS = 2_000
_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})


def read_opml(body: bytes, content_type: str = "") -> Outline:
    """The outline, or `Unreadable` or `Malformed`; an outline without a feed is malformed."""
    text = xml_text(body, content_type)
    if root_name(text) != "opml":
        raise Malformed("outside.no_opml_but", name=root_name(text)[:40])
    title = ""
    feeds: dict[str, FeedLink] = {}
    for node in root_of(text).iter():
        name = local(node)
        if name == "title" and not title:
            title = line(node.text or "")
        if name != "outline":
            continue
        # Programs disagree on the case of the names.
        url = (node.get("xmlUrl") or node.get("xmlurl") or node.get("xmlURL") or "").strip()
        if url.lower().startswith(("http://", "https://")) and len(feeds) < MAX_FEEDS:
            called = node.get("title") or node.get("text") or ""
            feeds.setdefault(url, FeedLink(title=line(called), url=url))
    if not feeds:
        raise Malformed("outside.opml_empty")
    return Outline(title=title, feeds=tuple(feeds.values()))


def named_feeds(body: bytes, content_type: str, url: str) -> Outline:
    """Return the feed that a page names first: others are of comments and categories."""
    tree = parse(decode(body, content_type))
    for link in tree.iter("link"):
        rel = (link.get("rel") or "").lower().split()
        kind = (link.get("type") or "").partition(";")[0].strip().lower()
        place = urljoin(url, (link.get("href") or "").strip())
        if "alternate" in rel and kind in _FEED_TYPES and place.startswith(("http://", "https://")):
            title = line(link.get("title") or "")
            return Outline(title=title, feeds=(FeedLink(title=title, url=place),))
    raise Malformed("outside.names_no_feed")
