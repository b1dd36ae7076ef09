"""What a page says about itself: title, author, date and how it is known, publisher, language."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import cast

from groundwire.fetch.data import named_lists
from groundwire.fetch.extracted import Extracted
from groundwire.fetch.published import published
from groundwire.fetch.tree import Node, text_of

_AUTHORS = named_lists("metas.txt")["author"]
_ARTICLE_TYPES = re.compile(
    r"article|posting|report|review|webpage|newsarticle|discussion|episode|question|recipe|product",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"\s+[|–—·»_-]\s+|\s*[|｜_]\s*(?=[^|｜_]+$)")


def read_metadata(tree: Node, url: str, latest: date) -> Extracted:
    """Read what the page says about itself, empty where it says nothing.

    This is done once, before the tree is cut. `latest` is a day after which no date can be.
    """
    metas = _metas(tree)
    data = list(_json_ld(tree))
    when, how = published(tree, metas, data, url, latest)
    return Extracted(
        title=_title(tree, metas, data),
        author=_author(metas, data),
        published_at=when,
        published_how=how,
        publisher=_publisher(metas, data),
        language=(tree.get("lang") or metas.get("og:locale") or "").strip()[:12],
        text="",
        media_type="text/html",
    )


def _metas(tree: Node) -> dict[str, str]:
    found: dict[str, str] = {}
    for meta in tree.iter("meta"):
        value = meta.get("content")
        if not value:
            continue
        for attribute in ("property", "name", "itemprop", "http-equiv"):
            name = meta.get(attribute)
            if name:
                found.setdefault(name.strip().lower(), value.strip())
    return found


def _json_ld(tree: Node) -> Iterator[Mapping[str, object]]:
    """Yield the objects of a page's linked data; broken scripts are skipped."""
    for script in tree.iter("script"):
        if "ld+json" not in (script.get("type") or ""):
            continue
        raw = script.text or ""
        if len(raw) > 500_000:
            continue
        try:
            parsed: object = json.loads(raw, strict=False)
        except (ValueError, RecursionError):
            continue
        yield from _objects(parsed, 0)


def _objects(value: object, depth: int) -> Iterator[Mapping[str, object]]:
    if depth > 4:
        return
    if isinstance(value, list):
        for item in cast("list[object]", value)[:50]:
            yield from _objects(item, depth + 1)
    elif isinstance(value, dict):
        item = cast("dict[str, object]", value)
        yield item
        for key in ("@graph", "mainEntity", "mainEntityOfPage"):
            if isinstance(item.get(key), list | dict):
                yield from _objects(item[key], depth + 1)


def _is_article(item: Mapping[str, object]) -> bool:
    return bool(_ARTICLE_TYPES.search(str(item.get("@type", ""))))


def _title(tree: Node, metas: Mapping[str, str], data: list[Mapping[str, object]]) -> str:
    for item in data:
        headline = item.get("headline")
        if _is_article(item) and isinstance(headline, str) and headline.strip():
            return _line(html.unescape(headline))  # scripts hold entities as they are written
    if named := metas.get("og:title") or metas.get("twitter:title"):
        return _line(named)
    element = tree.find(".//title")
    title = _line(text_of(element)) if element is not None else ""
    heading = next((_line(text_of(h)) for h in tree.iter("h1")), "")
    if heading and (not title or heading in title):
        return heading
    parts = [part for part in _SEPARATOR.split(title) if part]
    return max(parts, key=len) if parts else title


def _author(metas: Mapping[str, str], data: list[Mapping[str, object]]) -> str | None:
    for item in data:
        if _is_article(item) and (name := _name(item.get("author"))):
            return name
    for key in _AUTHORS:
        value = metas.get(key, "")
        if value and "://" not in value and len(value) < 120:
            return _line(value)
    return None


def _publisher(metas: Mapping[str, str], data: list[Mapping[str, object]]) -> str:
    if site := metas.get("og:site_name"):
        return _line(site)[:120]
    for item in data:
        if name := _name(item.get("publisher")):
            return name
    return _line(metas.get("application-name", ""))[:120]


def _name(value: object) -> str | None:
    if isinstance(value, list):
        names = [name for item in cast("list[object]", value)[:5] if (name := _name(item))]
        return ", ".join(names) or None
    if isinstance(value, dict):
        named = cast("dict[str, object]", value).get("name")
        return None if isinstance(named, dict) else _name(named)
    if isinstance(value, str) and value.strip() and "://" not in value:
        return _line(value)[:120]
    return None


def _line(text: str) -> str:
    return " ".join(text.split())[:400]
