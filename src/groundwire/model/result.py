"""The parts that results of all jobs share, by the same names; `Ask` is the smallest result."""

from __future__ import annotations

from typing import Literal

from groundwire.model.base import Instant, Value
from groundwire.model.claim import CitationView, Verdict
from groundwire.model.source import EvidenceKind, Tier

ResultStatus = Literal["complete", "degraded", "failed", "cancelled"]


class Sentence(Value):
    """A checked sentence."""

    text: str
    verdict: Verdict
    citations: tuple[CitationView, ...]


class Unsupported(Value):
    """A sentence that failed its check, shown apart with the reason; left out with --strict."""

    text: str
    problems: tuple[str, ...]


class Contested(Value):
    """A point on which the sources differ: the sides stand next to each other."""

    point: str
    sides: tuple[Sentence, ...]


class Gap(Value):
    """What is missing, and why."""

    what: str
    why: str


class Degraded(Value):
    """Something configured that failed, and what was done instead."""

    part: str
    code: str  # the failure's code: timeout, rate_limit, auth, quota, bad_output, …
    reason: str
    instead: str


class EvidenceView(Value):
    """Evidence as results list it."""

    id: str
    document_id: str
    kind: EvidenceKind
    url: str
    title: str
    publisher: str
    published_at: Instant | None
    language: str
    origin_id: str
    tier: Tier
    flags: tuple[str, ...]
    credibility: float = 0.0  # in [0, 1], from tier and flags alone: no claim is weighed by it


class Origin(Value):
    """One independent origin and what descends from it."""

    id: str
    lead: str  # evidence id
    members: tuple[str, ...]
    lineage: tuple[Lineage, ...] = ()


class Lineage(Value):
    """How one piece of evidence descends from another."""

    evidence_id: str
    of: str
    how: Literal[
        "wire copy of", "translation of", "cites", "same source as", "same owner as", "same site as"
    ]


class Checks(Value):
    """The citation report of a run."""

    supported: int = 0
    qualified: int = 0
    contested: int = 0
    unsupported: int = 0
    dropped: int = 0


class Cost(Value):
    """What a run cost; derived from the ledger, so not part of the digest."""

    usd: float = 0.0
    calls: int = 0
    cached: int = 0
    repeated: int = 0


class WaterfallRow(Value):
    """One step of a confidence: the rows' deltas sum to the score."""

    rule: str
    delta: float
    reason: str
    evidence_ids: tuple[str, ...] = ()
