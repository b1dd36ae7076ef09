"""Reads lists of pages and of feeds from bytes, in a process with limits of its own.

Lists of pages: feeds (RSS, Atom, RDF, JSON Feed), sitemaps, robots.txt. Lists of feeds: OPML, and
pages that name their own.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Mapping
from datetime import date
from io import BytesIO
from typing import Any, cast
from urllib.parse import urljoin, urlsplit

from groundwire.errors import Malformed, TooLarge
from groundwire.fetch.charset import decode
from groundwire.fetch.moments import moment
from groundwire.fetch.tree import line, local, parse, prose, root_name, root_of, tidy, xml_text
from groundwire.model.base import short_id
from groundwire.model.feed import Feed, FeedEntry, FeedLink, Outline, Sitemap, SitePage

MAX_ENTRIES = 2_000
MAX_FEEDS = 2_000
MAX_TEXT = 200_000  # characters of an entry
MAX_PAGES = 50_000  # of a sitemap: the protocol's own limit
MAX_UNPACKED = 60_000_000  # bytes; the protocol allows 50 MB
ROOTS = frozenset({"rss", "feed", "rdf"})
_MAPS = frozenset({"urlset", "sitemapindex"})
_PACKED = b"\x1f\x8b"
_MOST_PARTS = 1_000
_LINE = re.compile(r"^\s*sitemap\s*:\s*(\S+)", re.IGNORECASE | re.MULTILINE)

_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})
_BASE = re.compile(r"<[^>]{0,2000}?\bxml:base\s*=\s*[\"']([^\"']{1,2000})[\"']")
_CONTENT_FIELDS = ("title", "link", "description", "summary", "content")
_DATES = ("pubdate", "published", "date", "issued", "created", "updated", "modified")
_INSIDE = re.compile(r"<(rss|feed|rdf)\b[^>]*(?:xmlns|version)", re.IGNORECASE)
# What a parser raises when it meets what it did not expect; anything else is a bug of ours.
_REFUSALS = (ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError)

Fields = Mapping[str, Any]


def read_feed(body: bytes, content_type: str, url: str, latest: date | None = None) -> Feed:
    """Read a feed, or raise `Unreadable` or `Malformed`: a broken feed is never an empty one."""
    if not body.strip():
        raise Malformed("outside.feed_empty")
    if body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return _json_feed(decode(body, content_type), url, latest)
    text = xml_text(body, content_type)
    name = root_name(text)
    if name == "html" and (inside := _INSIDE.search(text[:5000])):
        # Templates of some blogs wrap the whole feed in a page.
        text, name = text[inside.start() :], inside.group(1).lower()
    if name not in ROOTS:
        raise Malformed("outside.no_feed_but", name=name[:40])
    found = _fast(text) or _thorough(text)
    about: Fields = found["feed"]
    entries: list[Fields] = list(found["entries"])
    has_content = any(each.get(name) for each in entries for name in _CONTENT_FIELDS)
    if not has_content and not _whole(text):
        raise Malformed("outside.feed_damaged")
    base = _base(text, url, word(about, "link"))
    entries = _redated(text, entries[:MAX_ENTRIES])
    return Feed(
        title=line(word(about, "title")),
        url=url,
        home=_link(base, word(about, "link")),
        entries=_entries(_entry(each, base, latest) for each in entries),
    )


def _fast(text: str) -> Fields | None:
    import fastfeedparser

    try:
        # Bytes: a text that begins with http:// would be fetched.
        return fastfeedparser.parse(text.encode("utf-8", "replace"))
    except _REFUSALS:
        return None


def _thorough(text: str) -> Fields:
    """Parse what the fast reader refuses; slower, and forgiving in other places."""
    import feedparser

    try:
        # A stream, because a text may be taken for the name of a file.
        found = cast("Fields", feedparser.parse(BytesIO(text.encode("utf-8", "replace"))))
    except _REFUSALS as error:
        raise Malformed("outside.feed_unreadable") from error
    if not found.get("entries") and (found.get("bozo") or not found.get("version")):
        raise Malformed("outside.feed_unreadable")
    return found


def _whole(text: str) -> bool:
    """Tell whether the document is well-formed to its end: then it may well have no entries."""
    closing = re.search(r"</(?:[\w.-]+:)?([\w.-]+)\s*>\s*\Z", text[-400:])
    root_of(text)
    return closing is not None and closing.group(1).lower() == root_name(text)


def _redated(text: str, entries: list[Fields]) -> list[Fields]:
    """Restore, as written, the dates that the reader did not understand and dropped."""
    if all(word(each, "published") or word(each, "updated") for each in entries):
        return entries
    written = [
        {local(part): (part.text or "").strip() for part in node if local(part) in _DATES}
        for node in root_of(text).iter()
        if local(node) in ("item", "entry")
    ]
    if len(written) != len(entries):
        return entries  # they cannot be matched
    return [
        each
        if word(each, "published") or word(each, "updated")
        else {**each, "published": next((found[n] for n in _DATES if found.get(n)), "")}
        for each, found in zip(entries, written, strict=True)
    ]


def _base(text: str, url: str, home: str) -> str:
    """Return the base of relative links: the declared one, else the feed's address or home."""
    declared = _BASE.match(text)
    base = url if _usable(url) else home
    return urljoin(base, declared.group(1)) if declared else base


def _entry(fields: Fields, base: str, latest: date | None) -> FeedEntry:
    link = _link(base, word(fields, "link"))
    contents = cast("list[Fields]", fields.get("content") or [])
    content = max((_text(each) for each in contents), key=len, default="")
    title = line(word(fields, "title"))
    summary = prose(_summary(fields))[:MAX_TEXT]
    return FeedEntry(
        id=(word(fields, "id") or link or short_id("entry", [title, summary]))[:2000],
        title=title,
        url=link,
        published=moment(word(fields, "published"), latest),
        updated=moment(word(fields, "updated"), latest),
        author=line(word(fields, "author"), 120) or None,
        summary_text=summary,
        content_text=content[:MAX_TEXT],
    )


def _summary(fields: Fields) -> str:
    """Return the description, or that of the entry's film or recording."""
    media = cast("list[Fields]", fields.get("media_content") or [])
    descriptions = (word(each, "description") for each in media)
    text = word(fields, "description") or word(fields, "summary")
    return text or next((each for each in descriptions if each), "")


def _entries(found: Iterable[FeedEntry]) -> tuple[FeedEntry, ...]:
    """Keep each entry once."""
    seen: dict[tuple[str, str], FeedEntry] = {}
    for entry in found:
        seen.setdefault((entry.id, entry.url), entry)
    return tuple(seen.values())


def _text(content: Fields) -> str:
    value = content.get("value")
    if not isinstance(value, str):
        return ""
    plain = content.get("type") in ("text", "text/plain")
    return tidy(value) if plain else prose(value)


def word(fields: Fields, name: str) -> str:
    value = fields.get(name)
    return value.strip() if isinstance(value, str) else ""


def _link(base: str, link: str) -> str:
    """Return the absolute address; empty for what is no page (mail, scripts, nonsense)."""
    if not link:
        return ""
    try:
        joined = urljoin(base, "".join(link.split()))
    except ValueError:
        return ""
    return joined if _usable(joined) else ""


def _usable(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and len(url) <= 4000
    except ValueError:
        return False


def _json_feed(text: str, url: str, latest: date | None) -> Feed:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed("outside.feed_not_json") from error
    if not is_json_feed(value):
        raise Malformed("outside.json_feed_version")
    fields = cast("Fields", value)
    items: object = fields.get("items")
    if not isinstance(items, list):
        raise Malformed("outside.json_feed_items")
    rows = [cast("Fields", each) for each in cast("list[object]", items) if isinstance(each, dict)]
    if items and not rows:
        raise Malformed("outside.json_feed_objects")
    home = word(fields, "home_page_url")
    base = url if _usable(url) else home
    return Feed(
        title=line(word(fields, "title")),
        url=url,
        home=_link(base, home),
        entries=_entries(_json_entry(each, base, latest) for each in rows[:MAX_ENTRIES]),
    )


def is_json_feed(value: object) -> bool:
    """Tell whether a JSON value says that it is a feed."""
    if not isinstance(value, dict):
        return False
    version: object = cast("Fields", value).get("version")
    return isinstance(version, str) and "jsonfeed.org/version" in version


def _json_entry(item: Fields, base: str, latest: date | None) -> FeedEntry:
    link = _link(base, word(item, "url") or word(item, "external_url"))
    html, plain = word(item, "content_html"), word(item, "content_text")
    title = line(word(item, "title"))
    name = item.get("id")
    identity = str(name).strip() if isinstance(name, str | int | float) else ""
    return FeedEntry(
        id=(identity or link or short_id("entry", [title, html, plain]))[:2000],
        title=title,
        url=link,
        published=moment(word(item, "date_published"), latest),
        updated=moment(word(item, "date_modified"), latest),
        author=_json_author(item),
        summary_text=tidy(word(item, "summary"))[:MAX_TEXT],
        content_text=(prose(html) if html else tidy(plain))[:MAX_TEXT],
    )


def _json_author(item: Fields) -> str | None:
    authors: list[object] = [item.get("author")]
    if isinstance(many := item.get("authors"), list):
        authors = cast("list[object]", many)
    names = [
        line(word(cast("Fields", each), "name"), 120) for each in authors if isinstance(each, dict)
    ]
    return ", ".join(name for name in names if name)[:120] or None


def read_opml(body: bytes, content_type: str = "") -> Outline:
    """Read an outline, or raise `Unreadable` or `Malformed`; one without a feed is malformed."""
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
            name_text = node.get("title") or node.get("text") or ""
            feeds.setdefault(url, FeedLink(title=line(name_text), url=url))
    if not feeds:
        raise Malformed("outside.opml_empty")
    return Outline(title=title, feeds=tuple(feeds.values()))


def named_feeds(body: bytes, content_type: str, url: str) -> Outline:
    """Find the feed that a page names first: others are of comments and categories."""
    tree = parse(decode(body, content_type))
    for link in tree.iter("link"):
        rel = (link.get("rel") or "").lower().split()
        kind = (link.get("type") or "").partition(";")[0].strip().lower()
        place = urljoin(url, (link.get("href") or "").strip())
        if "alternate" in rel and kind in _FEED_TYPES and place.startswith(("http://", "https://")):
            title = line(link.get("title") or "")
            return Outline(title=title, feeds=(FeedLink(title=title, url=place),))
    raise Malformed("outside.names_no_feed")


# --- sitemaps --------------------------------------------------------------------------------


def unpack_gzip(body: bytes, most: int = MAX_UNPACKED) -> bytes:
    """Unpack a gzip file up to a limit; return anything else as it is."""
    if not body.startswith(_PACKED):
        return body
    found, parts = b"", 0
    # A packed file may have several parts, one after the other.
    while body.startswith(_PACKED):
        parts += 1
        inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            found += inflater.decompress(body, most + 1 - len(found))
        except zlib.error as error:
            raise Malformed("outside.packed_damaged") from error
        if len(found) > most:
            raise TooLarge("outside.unpacks", n=f"{most:,}")
        if parts > _MOST_PARTS:
            raise TooLarge("outside.packed_parts", n=f"{_MOST_PARTS:,}")
        if not inflater.eof:
            raise Malformed("outside.packed_cut")
        body = inflater.unused_data
    return found


def read_sitemap(body: bytes, content_type: str, url: str, latest: date | None = None) -> Sitemap:
    """Read a sitemap, or raise `Unreadable` or `Malformed`."""
    text = xml_text(unpack_gzip(body), content_type)
    name = root_name(text)
    if name not in _MAPS:
        raise Malformed("outside.no_sitemap_but", name=name[:40])
    pages: dict[str, SitePage] = {}
    sitemaps: dict[str, None] = {}
    for node in root_of(text):
        fields = {local(child): (child.text or "").strip() for child in node}
        address = urljoin(url, fields["loc"]) if fields.get("loc") else ""
        if not address.lower().startswith(("http://", "https://")):
            continue
        if local(node) == "url" and len(pages) < MAX_PAGES:
            changed = moment(fields.get("lastmod"), latest)
            pages.setdefault(address, SitePage(url=address, changed=changed))
        elif local(node) == "sitemap":
            sitemaps.setdefault(address, None)
    if not pages and not sitemaps:
        raise Malformed("outside.sitemap_empty")
    return Sitemap(pages=tuple(pages.values()), sitemaps=tuple(sitemaps))


def read_robots(body: bytes, content_type: str, url: str) -> Sitemap:
    """Find the sitemaps that a robots.txt names."""
    text = decode(body[:500_000], content_type, markup=False)
    found = dict.fromkeys(urljoin(url, each) for each in _LINE.findall(text))
    usable = tuple(each for each in found if each.lower().startswith(("http://", "https://")))
    if not usable:
        raise Malformed("outside.robots_no_sitemap")
    return Sitemap(sitemaps=usable)
