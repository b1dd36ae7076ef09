"""Stretches of a text by their offsets: whether they overlap, joined into one, or taken out."""

from __future__ import annotations

from collections.abc import Iterable

Span = tuple[int, int]


def overlaps(span: Span, others: Iterable[Span]) -> bool:
    """Tell whether a stretch shares a character with any of the others."""
    return any(start < span[1] and span[0] < end for start, end in others)


def merged(spans: Iterable[Span]) -> list[Span]:
    """Return the stretches in order, those that overlap as one."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def apart(spans: Iterable[Span]) -> list[Span]:
    """Return the stretches in order, without those that begin inside another; the longer wins."""
    found: list[Span] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return found


def blanked(text: str, spans: Iterable[Span]) -> str:
    """Return the text with commas for these stretches: between Chinese characters spaces would
    join what they stand between."""
    for start, end in spans:
        text = text[:start] + "," * (end - start) + text[end:]
    return text
