"""The parts that results of all jobs share, by the same names; `Ask` is the smallest result."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field

from groundwire.model.base import JsonObject, Published, Value
from groundwire.model.call import Recovery
from groundwire.model.claim import CitationView, Verdict
from groundwire.model.phrase import Phrase
from groundwire.model.source import EvidenceKind, Tier

ResultStatus = Literal["complete", "degraded", "failed", "cancelled"]
Descent = Literal[
    "wire copy of", "translation of", "cites", "same source as", "same owner as", "same site as"
]


class Sentence(Value):
    """A checked sentence."""

    text: str
    verdict: Verdict
    citations: tuple[CitationView, ...]


class Unsupported(Value):
    """A sentence that failed its check, shown apart with the reason; left out with --strict."""

    text: str
    problems: tuple[Phrase, ...]


class Contested(Value):
    """A point on which the sources differ: the sides stand next to each other."""

    point: str  # a code, or the words of a model
    sides: tuple[Sentence, ...]
    params: JsonObject = Field(default_factory=dict)


class Gap(Value):
    """What is missing, and why: codes with their parameters, or words of a person or a model."""

    what: str
    why: str
    params: JsonObject = Field(default_factory=dict)

    @classmethod
    def of(cls, what: Phrase | str, why: Phrase) -> Self:
        """Build a gap; `what` may be the words of the question."""
        if isinstance(what, str):
            return cls(what=what, why=why.code, params=why.params)
        return cls(what=what.code, why=why.code, params={**what.params, **why.params})


class Degraded(Value):
    """Something configured that failed, and what was done instead."""

    part: str
    code: str  # the failure's code: timeout, rate_limit, auth, quota, bad_output, …
    reason: str  # a code, as is `instead`
    instead: str
    params: JsonObject = Field(default_factory=dict)

    @classmethod
    def of(cls, part: str, code: str, reason: Phrase, instead: Phrase) -> Degraded:
        """Record what failed with which code, why, and what was done instead."""
        params = {**reason.params, **instead.params}
        return cls(part=part, code=code, reason=reason.code, instead=instead.code, params=params)


class Recovered(Recovery):
    """A recovery as results list it: for a query, an evidence id, the address of an
    unread page, or a question that a model was asked."""

    part: Literal["search", "page", "model"]
    subject: str


class EvidenceView(Value):
    """Evidence as results list it."""

    id: str
    document_id: str
    kind: EvidenceKind
    url: str
    title: str
    publisher: str
    published_at: Published | None
    language: str
    origin_id: str
    tier: Tier
    flags: tuple[str, ...]
    by_then: bool = True  # there by the moment that the result is of
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
    how: Descent


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


class Decided(Value):
    """Who answered a question of the run, and what the answer counted for."""

    question: str  # as its prompt is named
    by: str  # a model, or `embedded`
    vote: Literal["decides", "advises"]
    why: tuple[Phrase, ...] = ()  # of each model that could have been asked


class WaterfallRow(Value):
    """One step of a confidence: the rows' deltas sum to the score."""

    rule: str
    delta: float
    reason: str  # a code
    evidence_ids: tuple[str, ...] = ()
    params: JsonObject = Field(default_factory=dict)
