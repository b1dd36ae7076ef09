"""Whether a stored quote stands where it says: asked of every bundle, and of every law."""

from __future__ import annotations


def stands(text: str, quote: str, start: int, end: int) -> bool:
    """Tell whether a quote stands at its offsets in a page's text."""
    return 0 <= start < end <= len(text) and text[start:end] == quote
