"""Whether a stored quote stands where it says: asked of every bundle, and of every law."""

from __future__ import annotations


def misquoted(text: str, quote: str, start: int, end: int) -> str:
    """Return what is wrong with a quote at its offsets in a page's text; "" when it stands there."""
    if not 0 <= start < end <= len(text):
        return f"offsets {start}–{end} lie outside the page"
    if text[start:end] != quote:
        return f"the page reads differently at {start}–{end}"
    return ""
