"""Documents cut into passages at sentence boundaries; every offset is exact."""

from __future__ import annotations

from groundwire.language.text.sentences import sentences
from groundwire.model.base import short_id
from groundwire.model.source import Document, Passage

LEAST = 300  # shorter paragraphs are read together with the next
MOST = 900  # longer ones are cut between sentences
_HARD = 1800  # a single sentence longer than this is cut at a space


def split(document: Document) -> tuple[Passage, ...]:
    """Split a document into passages that cover every character that is not white space."""
    return tuple(
        Passage(
            id=short_id("ps", [document.id, start, end]),
            document_id=document.id,
            start=start,
            end=end,
            text=document.text[start:end],
        )
        for start, end in spans(document.text)
    )


def spans(text: str) -> list[tuple[int, int]]:
    """Find where the passages of a text begin and end."""
    passages: list[tuple[int, int]] = []
    start = end = -1
    for first, last in _pieces(text):
        if start >= 0 and (
            last - start > MOST or (end - start >= LEAST and "\n" in text[end:first])
        ):
            passages.append((start, end))
            start = -1
        if start < 0:
            start = first
        end = last
    if start >= 0:
        # A short rest belongs to what it follows.
        if passages and end - start < LEAST // 3 and end - passages[-1][0] <= MOST:
            passages[-1] = (passages[-1][0], end)
        else:
            passages.append((start, end))
    return passages


def _pieces(text: str) -> list[tuple[int, int]]:
    """Split into sentences, and very long ones into several parts."""
    pieces: list[tuple[int, int]] = []
    for start, end in sentences(text):
        while end - start > _HARD:
            cut = text.rfind(" ", start + LEAST, start + MOST)
            cut = cut if cut > 0 else start + MOST
            pieces.append((start, start + len(text[start:cut].rstrip())))
            start = cut
            while start < end and text[start].isspace():
                start += 1
        pieces.append((start, end))
    return pieces
