"""Years and centuries before our era, which no calendar here reaches: they are found, so that nothing else is read into them."""

from __future__ import annotations

import re
from collections.abc import Iterator

_NUMBER_ZH = r"[0-9〇零一二三四五六七八九十百千]+"
_ANCIENT = re.compile(
    rf"(?:公元前|西元前|[纪紀]元前)\s*{_NUMBER_ZH}(?:年代?|世[纪紀])?"
    r"|\b\d{1,5}(?:st|nd|rd|th)?(?: century| centuries)? ?(?:BCE?\b|B\.C\.(?:E\.)?)"
)


def ancient(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a text names years or centuries before our era."""
    if "前" in text or "B" in text:
        yield from (match.span() for match in _ANCIENT.finditer(text))
