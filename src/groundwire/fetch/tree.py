"""The seam to lxml: the few things we do with a parsed page, typed.

XML is data only: no DTD, no entities of its own, no network.
"""
# lxml has no types of its own; its unknowns stop in this file.
# pyright: reportUnknownVariableType=false, reportAttributeAccessIssue=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import html
import logging
import re
from collections.abc import Iterator
from datetime import date
from html.entities import html5
from typing import Protocol, cast

from lxml import etree
from lxml.html import HTMLParser, document_fromstring

from groundwire.errors import Malformed, Unreadable
from groundwire.fetch.charset import decode


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


# libxml2 drops what follows these; concatenated templates have them in the middle.
_CLOSING = re.compile(r"</(?:body|html)\s*>", re.IGNORECASE)
_MOST_ELEMENTS = 30_000
_string = etree.XPath("string()", smart_strings=False)
_NAMED = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,31});")
_NAME = re.compile(r"<(?:[\w.-]+:)?([\w.-]+)")
_DOCTYPE = re.compile("<!doctype", re.IGNORECASE)
_XML_NAMES = frozenset({"amp", "lt", "gt", "quot", "apos"})


def parse(text: str) -> Node:
    """Parse a page; no network, no entities, no comments."""
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
    """Return all text below, as it is."""
    return cast("str", _string(node))


def text_of(node: Node) -> str:
    """Return all text below, on one line."""
    return " ".join(raw_text(node).split())


def size_of(text: str) -> int:
    """Measure bytes in UTF-8: a Chinese sentence is as long as its English translation."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def drop(node: Node, *tags: str) -> None:
    """Remove elements, and leave what follows them."""
    etree.strip_elements(node, *tags, with_tail=False)


def by_trafilatura(node: Node, url: str) -> str:
    """Extract the main text with trafilatura, which takes a copy."""
    # Deferred: most pages never need it, and it doubles a worker's memory.
    from trafilatura import bare_extraction
    from trafilatura.settings import Document

    # That it found nothing is said by our own failure, with the page's address masked.
    logging.getLogger("trafilatura").setLevel(logging.ERROR)
    found = bare_extraction(cast("str", node), url=url, include_comments=False)
    return (found.text or "") if isinstance(found, Document) else ""


def by_htmldate(node: Node, url: str, latest: date, earliest: date) -> str | None:
    """Find the ISO day of first publication with htmldate, which takes a copy."""
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
        # Some page has a date that no calendar has.
        return None


# --- a fragment of HTML as plain text: one block a line, nothing guessed and nothing left out ----

_MARKUP = re.compile(r"<(?:[a-zA-Z][a-zA-Z0-9:]*(?:\s[^<>]*)?/?|/[a-zA-Z][^<>]*)>|<!--")
_CDATA = re.compile(r"<!\[CDATA\[|\]\]>")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_BLOCKS = (
    "p", "div", "li", "br", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "section",
    "article", "header", "footer", "figure", "figcaption", "ul", "ol", "dl", "dt", "dd", "table", "hr",
)  # fmt: skip
_DROPPED = ("script", "style", "template", "svg", "iframe", "object", "noscript", "form", "head")
_SPACES = re.compile(r"[^\S\n]+")
_EDGES = re.compile(r" ?\n\s*")


def prose(fragment: str) -> str:
    """Return the text that a reader of the fragment would see; plain text is tidied."""
    if "CDATA" in fragment:
        fragment = _CDATA.sub("", fragment)
    if not _MARKUP.search(fragment):
        return tidy(html.unescape(fragment) if _ENTITY.search(fragment) else fragment)
    try:
        tree = parse(fragment)
    except Unreadable:
        return ""
    drop(tree, *_DROPPED)
    set_apart(tree)
    return tidy(raw_text(tree))


def set_apart(node: Node, mark: str = "\n") -> None:
    """Put a mark around every block below."""
    for block in node.iter(*_BLOCKS):
        block.text = mark + (block.text or "")
        block.tail = mark + (block.tail or "")


def tidy(text: str) -> str:
    """Remove empty lines, runs of spaces, and what cannot be stored."""
    flat = text.replace("\u00a0", " ").replace("\u200b", "").replace("\x00", "")
    flat = _EDGES.sub("\n", _SPACES.sub(" ", flat.replace("\r", "\n"))).strip()
    return flat.encode("utf-8", "replace").decode() if not flat.isascii() else flat


def line(text: str, most: int = 400) -> str:
    """Return the text on one line, for a title or a name."""
    return " ".join(prose(text).split())[:most]


# --- XML -------------------------------------------------------------------------------------


def xml_text(body: bytes, content_type: str = "") -> str:
    """Return the document from its first element on.

    A doctype that declares something is refused: entities are how a kilobyte becomes a gigabyte,
    or a file of ours a part of the text. One that only names a DTD is passed over unread.
    """
    text = decode(body, content_type)
    start, declares = prolog(text)
    if declares:
        raise Unreadable(declares)
    text = text[start:]
    # Many feeds use HTML's entities, although XML knows only five.
    return _NAMED.sub(_named, text) if "&" in text else text


def prolog(text: str) -> tuple[int, str]:
    """Find where the first element begins, past declaration, comments and doctype.

    Also return the code of why it must not be read, if something was declared; raises `Malformed`.
    """
    at, declares = 0, ""
    while (at := text.find("<", at)) >= 0:
        if _NAME.match(text, at):
            return at, declares
        end = at  # junk before the document
        if text.startswith("<!--", at):
            end = text.find("-->", at + 4)
        elif text.startswith("<?", at):
            end = text.find("?>", at)
        elif text.startswith("<!", at):
            end = text.find(">", at)
            if not _DOCTYPE.match(text, at):
                declares = "outside.xml_declares"
            elif "[" in text[at : end if end > 0 else None]:
                declares, end = "outside.xml_doctype", text.find("]>", at)
        if end < 0:
            raise Unreadable(declares) if declares else Malformed("outside.xml_cut")
        at = end + 1
    raise Malformed("outside.xml_none")


def _named(match: re.Match[str]) -> str:
    name = match.group(1)
    if name in _XML_NAMES:
        return match.group(0)
    return html5.get(f"{name};", match.group(0))


def root_name(text: str) -> str:
    """Return the name of the first element, lower case, without its prefix."""
    match = _NAME.match(text)
    return match.group(1).lower() if match else ""


def root_of(text: str) -> Node:
    """Parse a document from `xml_text`; raises `Malformed`."""
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
        recover=True,
    )
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.LxmlError, ValueError) as error:
        raise Malformed("outside.xml_unreadable") from error
    if root is None:
        raise Malformed("outside.xml_unreadable")
    return cast("Node", root)


def local(node: Node) -> str:
    """Return the name of an element, lower case, without its namespace."""
    return node.tag.rpartition("}")[2].lower() if isinstance(node.tag, str) else ""
