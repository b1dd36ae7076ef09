"""The check that a stored quote stands at its offsets."""

from __future__ import annotations


def stands(text: str, quote: str, start: int, end: int) -> bool:
    """Tell whether a quote stands at its offsets in a page's text."""
    return 0 <= start < end <= len(text) and text[start:end] == quote
