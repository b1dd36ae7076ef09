"""From a document to evidence: passages, tier and flags; pure."""

from __future__ import annotations

import hashlib
from datetime import datetime

from groundwire.evidence.pages.flags import text_flags
from groundwire.evidence.pages.injection import injected_instructions
from groundwire.evidence.pages.own_exports import is_own_report
from groundwire.evidence.pages.passages import split
from groundwire.evidence.sources.tiers import tier_of
from groundwire.evidence.sources.urls import canonical_url, registrable_domain
from groundwire.language.text.characters import detect_language
from groundwire.model.base import JsonObject, short_id
from groundwire.model.query import Hit
from groundwire.model.source import SNIPPET_TYPE, Document, Evidence, EvidenceKind


def page_evidence(document: Document, hit: Hit) -> Evidence:
    """Build the evidence of a stored page; a snippet found again in the archive stays a snippet."""
    kind: EvidenceKind = "snippet" if document.media_type == SNIPPET_TYPE else "page"
    return _evidence(kind, document, hit)


def snippet_id(url: str, content: str) -> str:
    """Return the id of the document made of what a search showed of a page.

    It differs from the page's own id: a page as short as its snippet is still a page.
    """
    sha256 = hashlib.sha256(content.strip().encode()).hexdigest()
    return short_id("doc", [canonical_url(url), sha256, SNIPPET_TYPE])


def snippet_evidence(hit: Hit, now: datetime) -> Evidence:
    """Build the evidence of what a search showed of a page that was not read."""
    url = canonical_url(hit.url)
    text = hit.content.strip()
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    document = Document(
        id=snippet_id(url, text),
        url=url,
        canonical_url=url,
        publisher=registrable_domain(url),
        title=hit.title,
        published_at=hit.published_at,
        published_how="metadata" if hit.published_at else "unknown",
        language=detect_language(text),
        text=text,
        sha256=sha256,
        media_type=SNIPPET_TYPE,
        fetched_at=now,
    )
    return _evidence("snippet", document, hit)


def announcement(evidence: Evidence) -> JsonObject:
    """Describe new evidence for a run's stream: enough to show it and to open it."""
    document = evidence.document
    at = document.published_at
    return {
        "id": evidence.id,
        "document_id": document.id,
        "kind": evidence.kind,
        "url": document.canonical_url,
        "title": document.title,
        "publisher": document.publisher,
        "published_at": None if at is None else at.isoformat(),
        "language": document.language,
        "tier": evidence.tier,
        "flags": list(evidence.flags),
    }


def _evidence(kind: EvidenceKind, document: Document, hit: Hit) -> Evidence:
    signs = {
        "snippet": kind == "snippet",
        "sample": document.sample,
        "own_report": is_own_report(document.text),
        "injection": bool(injected_instructions(f"{document.title}\n{document.text}")),
    }
    flags = (*text_flags(document), *(flag for flag, present in signs.items() if present))
    return Evidence(
        id=short_id("ev", [kind, document.canonical_url, document.sha256]),
        kind=kind,
        document=document,
        passages=split(document),
        tier=tier_of(document),
        flags=tuple(sorted(set(flags))),
        provider=hit.provider,
        relevance=round(hit.relevance, 6),
    )
