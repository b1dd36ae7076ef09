"""The sample archive: invented outlets on real events, marked as sample wherever it appears."""

from __future__ import annotations

import hashlib
from datetime import datetime
from importlib import resources
from typing import cast

from groundwire.evidence.sources.urls import canonical_url
from groundwire.model.base import short_id
from groundwire.model.source import Document, Tier


def documents(fetched_at: datetime) -> list[Document]:
    """Return all sample articles as documents, in the order of their files."""
    folder = resources.files("groundwire.sample") / "articles"
    files = sorted((file for file in folder.iterdir()), key=lambda file: file.name)
    return [
        _document(file.read_text(encoding="utf-8"), fetched_at)
        for file in files
        if file.name.endswith(".md")
    ]


def _document(source: str, fetched_at: datetime) -> Document:
    _, header, body = source.split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in header.strip().splitlines())
    text = body.strip()
    url = canonical_url(fields["url"])
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return Document(
        id=short_id("doc", [url, sha256]),
        url=fields["url"],
        canonical_url=url,
        publisher=fields["publisher"],
        title=fields["title"],
        author=fields.get("author"),
        published_at=datetime.fromisoformat(fields["published_at"]),
        published_how="declared",
        language=fields["language"],
        text=text,
        sha256=sha256,
        media_type="text/markdown",
        fetched_at=fetched_at,
        sample=True,
        tier=cast(Tier, fields["tier"]),
        # Its host is invented, so no address can say whose word it is.
        party=fields.get("party"),
    )
