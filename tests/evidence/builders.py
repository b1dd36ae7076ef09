"""Evidence built by hand for tests, without reading a page."""

from __future__ import annotations

import hashlib
import itertools
from datetime import UTC, datetime

from groundwire.evidence.sources.urls import canonical_url, registrable_domain
from groundwire.language.text.characters import detect_language
from groundwire.model.base import short_id
from groundwire.model.source import Document, Evidence, EvidenceKind, Passage, Tier

NOW = datetime(2023, 3, 20, tzinfo=UTC)


def document(
    text: str,
    *,
    url: str = "https://news.example/a",
    title: str = "",
    published: str | None = None,
    publisher: str | None = None,
    tier: Tier | None = None,
) -> Document:
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return Document(
        id=short_id("doc", [url, sha256]),
        url=url,
        canonical_url=canonical_url(url) if "://" in url else url,
        publisher=publisher or (registrable_domain(url) if "://" in url else url),
        title=title,
        published_at=datetime.fromisoformat(published).replace(tzinfo=UTC) if published else None,
        language=detect_language(text),
        text=text,
        sha256=sha256,
        fetched_at=NOW,
        tier=tier,
    )


def passage(doc: Document, start: int, end: int) -> Passage:
    return Passage(
        id=short_id("ps", [doc.id, start, end]),
        document_id=doc.id,
        start=start,
        end=end,
        text=doc.text[start:end],
    )


def evidence(
    text: str,
    *,
    url: str = "https://news.example/a",
    title: str = "",
    published: str | None = None,
    publisher: str | None = None,
    kind: EvidenceKind = "page",
    tier: Tier = "unknown",
    flags: tuple[str, ...] = (),
    cuts: tuple[int, ...] = (),
) -> Evidence:
    """Build evidence of one passage, or of several when `cuts` says where they part."""
    doc = document(text, url=url, title=title, published=published, publisher=publisher)
    edges = [0, *cuts, len(text)]
    return Evidence(
        id=short_id("ev", [kind, doc.canonical_url, doc.sha256]),
        kind=kind,
        document=doc,
        passages=tuple(passage(doc, a, b) for a, b in itertools.pairwise(edges)),
        tier=tier,
        flags=flags,
    )
