"""Jobs of a parsing process: a job's name and bytes in, a described value out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import date
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

from groundwire.errors import Malformed, Unreadable
from groundwire.fetch.extract import extract
from groundwire.fetch.extracted import Extracted, Records
from groundwire.fetch.tree import prolog, root_name

# `page`: an article. `web`: whatever an address gives. `feeds`: the same, but the feed that a page
# names instead of the page. The rest: files by their kind.
Kind: TypeAlias = Literal["page", "records", "feed", "outline", "sitemap"]

_LISTS: Mapping[str, Kind] = {
    "rss": "feed",
    "feed": "feed",
    "rdf": "feed",
    "opml": "outline",
    "urlset": "sitemap",
    "sitemapindex": "sitemap",
}


def work(
    job: str, body: bytes, content_type: str, url: str, latest: date | None, before: int = 0
) -> tuple[Kind, dict[str, object], bytes]:
    """Do a job; return the kind of value, its description and its bytes; raise as readers do."""
    match job:
        case "page":
            return _page(extract(body, content_type, url, latest))
        case "web" | "feeds" | "xml":
            kind = list_kind(body, url)
            if kind is not None:
                return _list(kind, body, content_type, url, latest, file=job == "xml")
            if job == "xml":
                raise Unreadable("outside.xml_unknown")
            if job == "feeds":
                from groundwire.fetch.feeds import named_feeds

                named = named_feeds(body, content_type, url)
                return "outline", {}, named.model_dump_json().encode()
            return _page(extract(body, content_type, url, latest))
        case _:
            return _records(_rows(job, body, latest, before))


def list_kind(body: bytes, url: str = "") -> Kind | None:
    """Tell which kind of list the bytes begin, if any."""
    if body.startswith(b"\x1f\x8b"):
        return "sitemap"  # nothing else is sent as a packed file
    if urlsplit(url).path == "/robots.txt":
        return "sitemap"
    wide = body[:2] in (b"\xff\xfe", b"\xfe\xff")
    text = body[:8000].decode("utf-16" if wide else "latin-1", "replace")
    head = text.removeprefix("\u00ef\u00bb\u00bf").lstrip()
    if head.startswith("{"):
        return "feed" if "jsonfeed.org/version" in head else None
    try:
        # A doctype with declarations ends later; the reader of the list refuses it.
        start, _ = prolog(head)
    except (Malformed, Unreadable):
        return None
    return _LISTS.get(root_name(head[start:]))


def _page(found: Extracted) -> tuple[Kind, dict[str, object], bytes]:
    about: dict[str, object] = asdict(found)
    text = about.pop("text")
    return "page", about, str(text).encode()


def _list(
    kind: Kind, body: bytes, content_type: str, url: str, latest: date | None, *, file: bool
) -> tuple[Kind, dict[str, object], bytes]:
    # Deferred: pages are read without them, and they bring the model along.
    from groundwire.fetch import feeds, tables

    if kind == "feed":
        found = feeds.read_feed(body, content_type, url, latest)
        if file:
            return _records(tables.of_feed(found))
    elif kind == "outline":
        found = feeds.read_opml(body, content_type)
    elif urlsplit(url).path == "/robots.txt":
        found = feeds.read_robots(body, content_type, url)
    else:
        found = feeds.read_sitemap(body, content_type, url, latest)
    return kind, {}, found.model_dump_json().encode()


def _rows(job: str, body: bytes, latest: date | None, before: int) -> Records:
    from groundwire.fetch import mail, tables

    readers: Mapping[str, Callable[[], Records]] = {
        "csv": lambda: tables.read_csv(body, latest),
        "json": lambda: tables.read_json(body, latest),
        "lines": lambda: tables.read_lines(body, latest, before=before),
        "mail": lambda: mail.read_mail(body, latest),
        "mailbox": lambda: mail.read_mailbox(body, latest),
    }
    if job not in readers:
        raise Malformed("outside.no_reader", what=job)
    return readers[job]()


def _records(found: Records) -> tuple[Kind, dict[str, object], bytes]:
    return "records", {}, json.dumps(asdict(found), ensure_ascii=False).encode()
