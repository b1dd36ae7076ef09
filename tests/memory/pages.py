"""Pages of the archive, invented."""

from __future__ import annotations

import hashlib
from datetime import datetime

from groundwire.model.base import short_id
from groundwire.model.source import Document

BANK = "https://www.harborlight.example/savings"


def page(url: str, text: str, at: datetime, title: str = "Harbor Light Bank") -> Document:
    """Build a page as it was read at a moment."""
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return Document(
        id=short_id("doc", [url, sha256]),
        url=url,
        canonical_url=url,
        publisher=url.split("/")[2].removeprefix("www."),
        title=title,
        published_at=at,
        published_how="declared",
        language="en",
        text=text,
        sha256=sha256,
        fetched_at=at,
        tier="established",
    )
