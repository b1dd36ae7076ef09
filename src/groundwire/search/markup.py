"""The seam to lxml: a page of results that can be asked for its parts; nothing is executed."""
# lxml has no types of its own; its unknowns stop in this file.
# pyright: reportUnknownVariableType=false, reportAttributeAccessIssue=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from typing import Any, cast

from lxml import etree
from lxml.html import HTMLParser, document_fromstring

from groundwire.errors import Malformed


class Element:
    """A part of a page."""

    def __init__(self, node: Any) -> None:
        self._node = node

    def find(self, path: str) -> list[Element]:
        """Return what an XPath of ours selects, in the order of the page."""
        return [Element(node) for node in cast("list[Any]", self._node.xpath(path))]

    def get(self, name: str) -> str:
        """Return an attribute; empty where there is none."""
        return str(self._node.get(name) or "")

    @property
    def text(self) -> str:
        """Return all text below, on one line."""
        return " ".join(str(self._node.xpath("string()")).split())


def parse(provider: str, text: str) -> Element:
    """Return the tree of a page, without network, entities and comments."""
    parser = HTMLParser(
        remove_comments=True, remove_pis=True, collect_ids=False, no_network=True, encoding="utf-8"
    )
    try:
        # Bytes, because lxml refuses text that declares an encoding.
        tree = document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.LxmlError, ValueError, AssertionError) as error:
        raise Malformed("outside.page_unread", who=provider) from error
    return Element(tree)
