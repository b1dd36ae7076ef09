"""The feeds that an OPML file lists, each once."""

from __future__ import annotations

from groundwire.errors import Malformed
from groundwire.fetch.prose import line
from groundwire.fetch.xml import local, root_name, root_of, xml_text
from groundwire.model.feed import FeedLink, Outline

MAX_FEEDS = 2_000


def read_opml(body: bytes, content_type: str = "") -> Outline:
    """The outline, or `Unreadable` or `Malformed`; an outline without a feed is malformed."""
    text = xml_text(body, content_type)
    if root_name(text) != "opml":
        raise Malformed(f"It is no OPML: the document is a <{root_name(text)[:40]}>.")
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
        raise Malformed("The OPML lists no feed.")
    return Outline(title=title, feeds=tuple(feeds.values()))
