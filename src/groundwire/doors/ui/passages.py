"""A stored text for reading: paragraphs, with the requested or cited passages marked in them.

The text is foreign. Nothing in it is ever markup, and characters that would move, hide or reorder what
stands around them are shown by name instead.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from markupsafe import Markup

from groundwire.report.plain import UNSEEN, unheaped

_LONGEST = 4_000  # characters of a paragraph, so that text without line breaks is laid out quickly
_STRETCH = 12_000  # characters that a browser lays out, or leaves for later, together
_BEGINS = Markup('<p dir="auto">{}</p>')
_GOES_ON = Markup('<p class="goes-on" dir="auto">{}</p>')
# Left out without a word: common, and harmless.
_QUIET = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff\r")


# Requested, cited by the run, or an order to a model; where they overlap, the first counts.
Kind = Literal["asked", "cited", "order"]
_KINDS: tuple[Kind, ...] = ("asked", "cited", "order")


class Span(NamedTuple):
    """A passage of the text; the requested one stands out."""

    start: int
    end: int
    kind: Kind = "cited"
    sentences: tuple[str, ...] = ()  # ids of those that quote it


class Piece(NamedTuple):
    """Text of a paragraph in one style."""

    text: str
    mark: Kind | None = None
    first: bool = False  # of a passage
    sentences: tuple[str, ...] = ()  # on the last piece of a passage: those that quote it
    odd: bool = False  # the name of an invisible character


class Paragraph(NamedTuple):
    pieces: tuple[Piece, ...]
    goes_on: bool = False  # from the one before: the text has no line break there


class Stretch(NamedTuple):
    """Paragraphs that are laid out together; `words` where none has marks."""

    paragraphs: tuple[Paragraph, ...]
    words: Markup | None


def stretches(text: str, spans: Sequence[Span]) -> list[Stretch]:
    """Divide the whole text into stretches of paragraphs, in order."""
    merged = _merge(spans, len(text))
    found: list[Stretch] = []
    paragraphs: list[Paragraph] = []
    size = 0
    for start, end, goes_on in _lines(text):
        if size > _STRETCH:
            found.append(_stretch(paragraphs))
            paragraphs, size = [], 0
        paragraphs.append(Paragraph(tuple(_pieces(text, start, end, merged)), goes_on))
        size += end - start + 80
    return [*found, _stretch(paragraphs)] if paragraphs else found


def _stretch(paragraphs: Sequence[Paragraph]) -> Stretch:
    """Build a stretch; plain words are rendered here, as a template takes a second for a book."""
    if any(piece.mark or piece.odd for each in paragraphs for piece in each.pieces):
        return Stretch(tuple(paragraphs), None)
    words = (
        (_GOES_ON if each.goes_on else _BEGINS).format("".join(p.text for p in each.pieces))
        for each in paragraphs
    )
    return Stretch(tuple(paragraphs), Markup("\n").join(words))


def _lines(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield the places of the lines that are not empty; a very long one in parts."""
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        goes_on = False
        while end - start > _LONGEST:
            cut = text.rfind(" ", start + _LONGEST // 2, start + _LONGEST)
            cut = cut + 1 if cut > 0 else start + _LONGEST
            yield start, cut, goes_on
            start, goes_on = cut, True
        if goes_on or text[start:end].strip():
            yield start, end, goes_on
        start = end + 1


def _merge(spans: Sequence[Span], length: int) -> list[Span]:
    """Merge passages into order without overlap: the requested one is cut out of the others."""
    valid = [each for each in spans if 0 <= each.start < each.end <= length]
    edges = sorted({edge for each in valid for edge in (each.start, each.end)})
    found: list[Span] = []
    for start, end in pairwise(edges):
        covering = [each for each in valid if each.start <= start and each.end >= end]
        if not covering:
            continue
        kind: Kind = next(kind for kind in _KINDS if any(each.kind == kind for each in covering))
        ending = [each for each in covering if each.end == end]
        sentences = tuple(dict.fromkeys(name for each in ending for name in each.sentences))
        before = found[-1] if found else None
        if before is not None and before.end == start and before.kind == kind:
            names = tuple(dict.fromkeys((*before.sentences, *sentences)))
            found[-1] = Span(before.start, end, kind, names)
        else:
            found.append(Span(start, end, kind, sentences))
    return found


def _pieces(text: str, start: int, end: int, spans: Sequence[Span]) -> Iterator[Piece]:
    first = bisect_right(spans, start, key=lambda span: span.end)
    last = bisect_left(spans, end, key=lambda span: span.start)
    at = start
    for span in spans[first:last]:
        low, high = max(span.start, start), min(span.end, end)
        yield from _plain(text[at:low])
        parts = list(_plain(text[low:high]))
        for place, part in enumerate(parts):
            yield Piece(
                text=part.text,
                mark=span.kind,
                first=place == 0 and low == span.start,
                sentences=span.sentences if place == len(parts) - 1 and high == span.end else (),
                odd=part.odd,
            )
        at = high
    yield from _plain(text[at:end])


def _plain(words: str) -> Iterator[Piece]:
    """Yield words as they may be shown; an invisible character by its name."""
    for part in re.split(f"({UNSEEN.pattern})", words):
        if not part or part in _QUIET:
            continue
        if UNSEEN.fullmatch(part):
            yield Piece(_name(part), odd=True)
        else:
            yield Piece(unheaped(part))


def _name(char: str) -> str:
    """Return `U+202E` and the character's name, where it has one."""
    return f"U+{ord(char):04X} {unicodedata.name(char, '')}".strip()
