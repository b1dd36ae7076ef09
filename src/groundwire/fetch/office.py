"""Reads Word and Excel files: the parts that hold words, through our guarded XML."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping

from groundwire.errors import OutsideFailure, TooLarge, Unreadable
from groundwire.fetch.extracted import DOCX
from groundwire.fetch.tree import Node, local, root_of, xml_text

_MOST_PART = 60_000_000  # bytes of one part, unpacked
_MOST_PARTS = 5_000
_MOST_SHEETS = 100
_MOST_CELLS = 500_000
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)


def read_office(body: bytes, kind: str) -> tuple[str, Mapping[str, str]]:
    """Read the text and properties (`title`, `creator`, `created`…) of a Word or Excel file.

    Raises `Unreadable` or `TooLarge`.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as packed:
            if len(packed.namelist()) > _MOST_PARTS:
                raise TooLarge("outside.office_parts", most=f"{_MOST_PARTS:,}")
            text = _document(packed) if kind == DOCX else _workbook(packed)
            return text, _about(packed)
    except _DAMAGED as error:
        raise Unreadable("outside.office_damaged") from error


def _part(packed: zipfile.ZipFile, name: str) -> Node | None:
    """Parse a part, within the limit whatever its archive claims; None where there is none."""
    try:
        with packed.open(name) as opened:
            body = opened.read(_MOST_PART + 1)
    except KeyError:
        return None
    if len(body) > _MOST_PART:
        raise TooLarge("outside.office_unpacks", most=f"{_MOST_PART:,}")
    return root_of(xml_text(body, "application/xml"))


def _about(packed: zipfile.ZipFile) -> Mapping[str, str]:
    try:
        root = _part(packed, "docProps/core.xml")
    except OutsideFailure:
        return {}  # the text can be read all the same
    nodes = root.iter() if root is not None else ()
    return {local(node): (node.text or "").strip() for node in nodes}


def _document(packed: zipfile.ZipFile) -> str:
    """Join paragraphs line by line, and the cells of a table's row in one line."""
    root = _part(packed, "word/document.xml")
    if root is None:
        raise Unreadable("outside.office_empty")
    words: list[str] = []
    before, first = "\n", True
    for node in root.iter():
        match local(node):
            case "tr":
                first = True
            case "tc":
                before, first = ("\n" if first else " | "), False
            case "p":
                words.append(before)
                before = "\n"
            case "t":
                words.append(node.text or "")
            case "tab":
                words.append("\t")
            case "br" | "cr":
                words.append("\n")
            case _:
                pass
    return "".join(words)


def _workbook(packed: zipfile.ZipFile) -> str:
    """List each sheet under its name, a row a line."""
    strings = _part(packed, "xl/sharedStrings.xml")
    listed = () if strings is None else strings
    shared = [_words(each) for each in listed if local(each) == "si"]
    lines: list[str] = []
    cells = 0
    for name, place in _sheets(packed):
        root = _part(packed, place)
        if root is None:
            continue
        lines += ["", name]
        for node in root.iter():
            if local(node) != "row":
                continue
            values = [value for cell in node if (value := _value(cell, shared))]
            cells += len(values)
            if cells > _MOST_CELLS:
                raise TooLarge("outside.office_cells", most=f"{_MOST_CELLS:,}")
            if values:
                lines.append(" | ".join(values))
    return "\n".join(lines)


def _sheets(packed: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    book = _part(packed, "xl/workbook.xml")
    links = _part(packed, "xl/_rels/workbook.xml.rels")
    if book is None or links is None:
        raise Unreadable("outside.office_empty")
    places = {each.get("Id") or "": each.get("Target") or "" for each in links.iter()}
    sheets = [node for node in book.iter() if local(node) == "sheet"]
    for node in sheets[:_MOST_SHEETS]:
        link = next((v for k, v in node.items() if k.rpartition("}")[2] == "id"), "")
        place = places.get(link, "")
        yield node.get("name") or "", place.lstrip("/") if place[:1] == "/" else f"xl/{place}"


def _words(node: Node) -> str:
    """Return a string's text, without its phonetic readings."""
    found = [child for child in node if local(child) in ("t", "r")]
    return "".join(
        each.text or "" for child in found for each in child.iter() if local(each) == "t"
    )


def _value(cell: Node, shared: list[str]) -> str:
    kind = cell.get("t") or "n"
    if kind == "inlineStr":
        return " ".join("".join(_words(each) for each in cell).split())
    written = next((each.text or "" for each in cell if local(each) == "v"), "")
    if kind == "s":
        number = int(written or 0)
        written = shared[number] if 0 <= number < len(shared) else ""
    return " ".join(written.split())
