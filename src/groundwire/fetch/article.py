"""The article in a page: a quick reader for plain layouts, trafilatura for all others."""

from __future__ import annotations

import re

from groundwire.fetch.data import named_lists
from groundwire.fetch.threads import is_thread, read_thread
from groundwire.fetch.tree import (
    Node,
    by_trafilatura,
    drop,
    raw_text,
    set_apart,
    size_of,
    text_of,
)

_LISTS = named_lists("article.txt")
# What never holds article text; forms are kept because some sites wrap the whole page in one.
_DROPPED = _LISTS["dropped"]
_CHROME = re.compile(rf"(?:^|[\s_-])(?:{'|'.join(_LISTS['chrome'])})(?=$|[\s_-])", re.IGNORECASE)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_BLOCKS = frozenset(_LISTS["blocks"])
_HOLDERS = frozenset(_LISTS["holders"])
_SKIPPABLE = frozenset(["ul", "ol", "div", "section", "table"])
_PARTS = ("body", "main", "article", "section", "div", "header")
_EDGE = "\u2028"  # between blocks: a source has line breaks of its own inside them
_LEAST_PARAGRAPH = 40
_LEAST_TOTAL = 600


def read_article(tree: Node, url: str) -> str:
    """Return the article's text, one block a line; empty if there is none."""
    for brk in tree.iter("br"):
        brk.tail = "\n" + (brk.tail or "")
    if is_thread(tree, url) and (posts := read_thread(tree)):
        return "\n".join(posts)
    _rescue(tree)
    quick = _Quick(tree).read()
    return quick if quick is not None else _in_blocks(by_trafilatura(tree, url), tree)


def _in_blocks(text: str, tree: Node) -> str:
    """Set each block on a line of its own again, where a line holds a whole part of the page.

    Of a page of a few lines trafilatura gives all text in one: heading, date and first sentence
    would be one sentence.
    """
    set_apart(tree, _EDGE)
    for cell in tree.iter("td", "th"):
        cell.tail = " " + (cell.tail or "")
    parts = {_packed(raw): raw for raw in map(raw_text, tree.iter(*_PARTS))}
    whole = parts.get(_packed(text))
    if whole is not None:
        return _lines_of(whole)
    return "\n".join(_lines_of(parts.get(_packed(each), each)) for each in text.split("\n"))


def _lines_of(part: str) -> str:
    blocks = (" ".join(each.split()) for each in part.split(_EDGE))
    return "\n".join(each for each in blocks if each)


def _packed(text: str) -> str:
    return "".join(text.split())


def _rescue(tree: Node) -> None:
    """Keep an element that holds most of the text from being dropped as chrome.

    An icon or banner that is never closed swallows the rest of the page; and some pages have their
    text only for readers without scripts.
    """
    sizes = {p: size_of(text_of(p)) for p in tree.iter("p")}
    total = sum(sizes.values())
    for element in tree.iter(*_DROPPED, "header", "symbol"):
        size = sum(sizes[p] for p in element.iter("p"))
        if size > _LEAST_TOTAL and size * 2 > total:
            element.tag = "div"


class _Quick:
    """Finds the element that holds nearly all paragraphs; gives None for less plain pages.

    For most pages it is several times cheaper than trafilatura.
    """

    def __init__(self, tree: Node) -> None:
        self._tree = tree
        self._held: dict[Node, int] = {}
        self._total = 0
        self._lines: list[str] = []

    def read(self) -> str | None:
        body = self._tree.find("body")
        if body is None:
            return None
        # trafilatura would drop these, too; the caller has read the metadata before.
        drop(body, *_DROPPED)
        self._weigh(body)
        if self._total < _LEAST_TOTAL or self._total * 4 < size_of(text_of(body)):
            return None
        holder = self._holder(body)
        if holder is None:
            return None
        self._walk(holder)
        text = "\n".join(self._lines)
        # Too little of it came through: the layout is not what it seemed.
        return text if size_of(text) * 5 >= self._total * 4 else None

    def _weigh(self, body: Node) -> None:
        for paragraph in body.iter("p"):
            text = text_of(paragraph)
            size = size_of(text)
            if size < _LEAST_PARAGRAPH or _linked(paragraph) * 2 > len(text):
                continue
            self._total += size
            above = paragraph.getparent()
            while above is not None and above is not self._tree:
                self._held[above] = self._held.get(above, 0) + size
                above = above.getparent()

    def _holder(self, body: Node) -> Node | None:
        """Return the deepest element that holds nearly all; a whole body means scattered text."""
        node = body
        while True:
            below = (c for c in node if self._held.get(c, 0) * 100 >= self._total * 85)
            child = next(below, None)
            if child is None or child.tag in _BLOCKS:
                # Hand-written pages have their paragraphs directly in the body.
                plain = sum(1 for each in body if each.tag == "p") >= 3
                return node if node is not body or plain else None
            node = child

    def _walk(self, element: Node) -> None:
        for child in element:
            tag = child.tag
            if not isinstance(tag, str) or self._is_chrome(child):
                continue
            if tag == "tr" and not any(
                inner.tag in ("p", "div", "table") for inner in child.iter()
            ):
                self._row(child)
            elif tag == "pre":
                self._keep(raw_text(child).strip("\n"), child)
            elif tag in _BLOCKS and not any(e.tag in _HOLDERS for e in child.iterdescendants()):
                self._keep(text_of(child), child)
            elif len(child):
                before = len(self._lines)
                self._walk(child)
                if len(self._lines) == before and tag in ("div", "section"):
                    self._loose(child)
            elif tag in ("div", "section"):
                self._loose(child)

    def _is_chrome(self, element: Node) -> bool:
        held = self._held.get(element, 0)
        if held * 2 >= self._total:
            return False
        names = f"{element.get('class') or ''} {element.get('id') or ''}"
        if names != " " and _CHROME.search(names):
            return True
        if element.get("hidden") is not None or element.get("aria-hidden") == "true":
            return True
        if (style := element.get("style")) and _HIDDEN.search(style):
            return True
        if element.tag in _SKIPPABLE and held * 10 < self._total * 3:
            text = text_of(element)
            return bool(text) and _linked(element) * 2 > len(text)
        return False

    def _keep(self, text: str, element: Node) -> None:
        if not text or (element.tag in ("li", "p") and _linked(element) * 5 > len(text) * 3):
            return
        self._lines.append(text)

    def _row(self, row: Node) -> None:
        cells = [text_of(cell) for cell in row]
        if any(cells):
            self._lines.append(" | ".join(cells))

    def _loose(self, element: Node) -> None:
        """Keep text that is in a div without a paragraph."""
        text = text_of(element)
        if size_of(text) > _LEAST_PARAGRAPH and _linked(element) * 10 < len(text) * 3:
            self._lines.append(text)


def _linked(element: Node) -> int:
    return sum(len(text_of(link)) for link in element.iter("a"))
