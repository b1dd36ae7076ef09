"""XML as data only: no DTD, no entities of its own, no network."""
# lxml has no types of its own; its unknowns stop in this file.
# pyright: reportUnknownVariableType=false, reportAttributeAccessIssue=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import re
from html.entities import html5
from typing import cast

from groundwire.errors import Malformed, Unreadable
from groundwire.fetch.charset import decode
from groundwire.fetch.tree import Node

_NAMED = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,31});")
_NAME = re.compile(r"<(?:[\w.-]+:)?([\w.-]+)")
_XML_NAMES = frozenset({"amp", "lt", "gt", "quot", "apos"})
_DOCTYPE = "<!doctype"


def xml_text(body: bytes, content_type: str = "") -> str:
    """Return the document from its first element on.

    A doctype that declares something is refused: entities are how a kilobyte becomes a gigabyte,
    or a file of ours a part of the text. One that only names a DTD is passed over unread.
    """
    text = decode(body, content_type)
    text = text[_prolog(text) :]
    # Names of HTML stand in many a feed, although XML knows five of them.
    return _NAMED.sub(_named, text) if "&" in text else text


def _prolog(text: str) -> int:
    """Where the first element begins, past declaration, comments, instructions and doctype."""
    at = 0
    while True:
        at = text.find("<", at)
        if at < 0:
            raise Malformed("outside.xml_none")
        if text.startswith("<!--", at):
            end, width = text.find("-->", at + 4), 3
        elif text.startswith("<?", at):
            end, width = text.find("?>", at + 2), 2
        elif text[at : at + len(_DOCTYPE)].lower() == _DOCTYPE:
            end, width = text.find(">", at), 1
            if "[" in text[at : end if end > 0 else None]:
                raise Unreadable("outside.xml_doctype")
        elif text.startswith("<!", at):
            raise Unreadable("outside.xml_declares")
        elif _NAME.match(text, at):
            return at
        else:
            end, width = at, 1  # junk before the document
        if end < 0:
            raise Malformed("outside.xml_cut")
        at = end + width


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
    """Return the tree of a document from `xml_text`; raises `Malformed`."""
    from lxml import etree

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
