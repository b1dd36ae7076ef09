"""Stretches of a text by their offsets: overlapping, merged, or blanked out."""

from __future__ import annotations

from collections.abc import Iterable

Span = tuple[int, int]


def overlaps(span: Span, others: Iterable[Span]) -> bool:
    """Tell whether a stretch shares a character with any of the others."""
    return any(start < span[1] and span[0] < end for start, end in others)


def merged(spans: Iterable[Span]) -> list[Span]:
    """Merge overlapping stretches; return them in order."""
    result: list[Span] = []
    for start, end in sorted(spans):
        if result and start < result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        else:
            result.append((start, end))
    return result


def without_overlaps(spans: Iterable[Span]) -> list[Span]:
    """Drop stretches that begin inside another, the longer first; return them in order."""
    kept: list[Span] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


def blanked(text: str, spans: Iterable[Span]) -> str:
    """Replace these stretches with commas: spaces would join the Chinese on either side."""
    for start, end in spans:
        text = text[:start] + "," * (end - start) + text[end:]
    return text
