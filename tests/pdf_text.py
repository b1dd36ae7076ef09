"""The text of a PDF as a reader would copy it, without running titles and page numbers."""

from __future__ import annotations

import re

import pypdfium2

_MARGIN = 58  # points at the top and the bottom of a page


def pages(data: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(data)
    try:
        found: list[str] = []
        for page in document:
            width, height = page.get_size()
            text = page.get_textpage()
            found.append(text.get_text_bounded(0, _MARGIN, width, height - _MARGIN))
            text.close()
            page.close()
        return found
    finally:
        document.close()


def tight(text: str) -> str:
    """Remove blanks and breaks, which belong to the layout."""
    return re.sub(r"[\s\u200b\u2060\u00ad\ufffe\x02]+", "", text)


def text_of(data: bytes) -> str:
    return tight("".join(pages(data)))
