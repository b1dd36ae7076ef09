"""The end of a text that its marks are glued to: a mark never stands alone on a line."""

from __future__ import annotations

import re

# The last word, or the last character of a script without blanks, with what punctuation follows.
# Never long: what is glued cannot be broken where there is little room.
_LATIN = r"A-Za-z0-9\u00c0-\u024f$\u20ac%"
_END = re.compile(rf"(?:[{_LATIN}][{_LATIN}.,'\u2019+/-]{{0,15}}|\w)?[^\w\s]{{0,3}}$")


def glued(text: str) -> tuple[str, str]:
    """The text, and its end."""
    found = _END.search(text)
    at = len(text) if found is None else found.start()
    return text[:at], text[at:]
