"""A fragment of HTML as plain text: one block a line, nothing guessed and nothing left out."""

from __future__ import annotations

import html
import re

from groundwire.errors import Unreadable
from groundwire.fetch.tree import drop, parse, raw_text

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
    """Return the text that a reader of the fragment would see; plain text comes back tidied."""
    if "CDATA" in fragment:
        fragment = _CDATA.sub("", fragment)
    if not _MARKUP.search(fragment):
        return tidy(html.unescape(fragment) if _ENTITY.search(fragment) else fragment)
    try:
        tree = parse(fragment)
    except Unreadable:
        return ""
    drop(tree, *_DROPPED)
    for block in tree.iter(*_BLOCKS):
        block.text = "\n" + (block.text or "")
        block.tail = "\n" + (block.tail or "")
    return tidy(raw_text(tree))


def tidy(text: str) -> str:
    """No empty lines, no runs of spaces, nothing that cannot be stored."""
    flat = text.replace("\u00a0", " ").replace("\u200b", "").replace("\x00", "")
    flat = _EDGES.sub("\n", _SPACES.sub(" ", flat.replace("\r", "\n"))).strip()
    return flat.encode("utf-8", "replace").decode() if not flat.isascii() else flat


def line(text: str, most: int = 400) -> str:
    """One line of it: a title, a name."""
    return " ".join(prose(text).split())[:most]
