"""The seam to lxml: the few things we do with a parsed page, with their types."""
# lxml has no types of its own; its unknowns stop in this file.
# pyright: reportUnknownVariableType=false, reportAttributeAccessIssue=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from datetime import date
from typing import Protocol, cast

from lxml import etree
from lxml.html import HTMLParser, document_fromstring

from groundwire.errors import Unreadable


class Node(Protocol):
    """An element of a page."""

    tag: object  # a name; something else for what is no element
    text: str | None
    tail: str | None

    def get(self, name: str) -> str | None: ...
    def items(self) -> list[tuple[str, str]]: ...
    def find(self, path: str) -> Node | None: ...
    def iter(self, *tags: str) -> Iterator[Node]: ...
    def iterdescendants(self) -> Iterator[Node]: ...
    def getparent(self) -> Node | None: ...
    def __iter__(self) -> Iterator[Node]: ...
    def __len__(self) -> int: ...


# libxml2 drops what follows these; templates that are glued together write them in the middle.
_CLOSING = re.compile(r"</(?:body|html)\s*>", re.IGNORECASE)
_MOST_ELEMENTS = 30_000
_string = etree.XPath("string()", smart_strings=False)


def parse(text: str) -> Node:
    """Return the tree of a page; no network, no entities, no comments."""
    if not text.strip():
        raise Unreadable("outside.empty")
    parser = HTMLParser(
        remove_comments=True, remove_pis=True, collect_ids=False, no_network=True, encoding="utf-8"
    )
    try:
        # Bytes, because lxml refuses text that declares an encoding.
        body = _CLOSING.sub("", text).encode("utf-8", "replace")
        tree = document_fromstring(body, parser=parser)
    except (etree.LxmlError, ValueError, AssertionError) as error:
        raise Unreadable("outside.markup") from error
    return cast("Node", tree)


def raw_text(node: Node) -> str:
    """Return all text below, as it stands."""
    return cast("str", _string(node))


def text_of(node: Node) -> str:
    """Return all text below, on one line."""
    return " ".join(raw_text(node).split())


def drop(node: Node, *tags: str) -> None:
    """Take elements out, and leave what follows them."""
    etree.strip_elements(node, *tags, with_tail=False)


def by_trafilatura(node: Node, url: str) -> str:
    """Return what trafilatura reads as the main text; it takes a copy."""
    # Deferred: most pages never need it, and it doubles a worker's memory.
    from trafilatura import bare_extraction
    from trafilatura.settings import Document

    # That it found nothing is said by our own failure, with the page's address masked.
    logging.getLogger("trafilatura").setLevel(logging.ERROR)
    found = bare_extraction(cast("str", node), url=url, include_comments=False)
    return (found.text or "") if isinstance(found, Document) else ""


def by_htmldate(node: Node, url: str, latest: date, earliest: date) -> str | None:
    """Return the ISO day that htmldate reads as that of first publication; it takes a copy."""
    # Its time grows with the page, and a date is not worth the document.
    if any(count > _MOST_ELEMENTS for count, _ in enumerate(node.iter())):
        return None
    # Deferred: most pages never need it. Not its extensive search, which loads two seconds' worth
    # of languages and, at the end, makes the first of January of any year that the page names.
    from htmldate import find_date

    try:
        return find_date(
            node,  # pyright: ignore[reportArgumentType] - lxml's element, which has no type
            extensive_search=False,
            original_date=True,
            url=url,
            min_date=earliest.isoformat(),
            max_date=latest.isoformat(),
        )
    except (ValueError, OverflowError):
        # What some page will have in it that no calendar has.
        return None
