"""How evidence is weighed: whose it is, how far it is believed, how results list it; pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, TypeVar

from groundwire.evidence.pages.presence import was_there
from groundwire.evidence.sources.credibility import credibility
from groundwire.evidence.sources.origins import origins
from groundwire.model.claim import Checked, CitationView, Verdict
from groundwire.model.result import EvidenceView, Origin, Sentence
from groundwire.model.source import Evidence

View = TypeVar("View", bound=EvidenceView)


def trace_origins(
    evidence: Sequence[Evidence],
) -> tuple[tuple[Origin, ...], tuple[Evidence, ...]]:
    """Return the independent origins, and the evidence with the origin of each."""
    clusters = origins(evidence)
    origin_of = {member: cluster.id for cluster in clusters for member in cluster.members}
    return clusters, tuple(
        each.model_copy(update={"origin_id": origin_of.get(each.id, each.id)}) for each in evidence
    )


def view_of(
    kind: type[View], evidence: Evidence, as_of: datetime | None = None, **more: Any
) -> View:
    """Return evidence as results list it, as of a moment; `more` is what a job's own list adds."""
    document = evidence.document
    return kind(
        id=evidence.id,
        document_id=document.id,
        kind=evidence.kind,
        url=document.canonical_url,
        title=document.title,
        publisher=document.publisher,
        published_at=document.published_at,
        language=document.language,
        origin_id=evidence.origin_id,
        tier=evidence.tier,
        flags=evidence.flags,
        credibility=credibility(evidence),
        by_then=was_there(document, as_of),
        **more,
    )


def sentence_of(checked: Checked, holders: Iterable[Evidence], verdict: Verdict | None) -> Sentence:
    """Return a sentence that passed its check with its citations; None: the verdict of the check."""
    by_id = {each.id: each for each in holders}
    return Sentence(
        text=checked.text,
        verdict=verdict or ("qualified" if checked.result == "qualified" else "supported"),
        citations=tuple(
            cited(by_id[each.evidence_id], each.quote, each.start, each.end)
            for each in checked.citations
        ),
    )


def cited(evidence: Evidence, quote: str, start: int, end: int) -> CitationView:
    """Return a citation as results show it: code fills every link (law 1)."""
    document = evidence.document
    return CitationView(
        evidence_id=evidence.id,
        url=document.canonical_url,
        title=document.title,
        publisher=document.publisher,
        published_at=document.published_at,
        quote=quote,
        start=start,
        end=end,
    )
