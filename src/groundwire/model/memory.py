"""What is remembered: claims with two times, who saw them, what they rest on, why they fell."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from groundwire.model.base import Instant, JsonObject, Value
from groundwire.model.claim import Verdict

ClaimKind = Literal["fact", "figure", "date", "statement", "opinion"]
SpanPrecision = Literal["", "day", "month", "quarter", "year", "decade"]


class TrueSpan(Value):
    """When something was true in the world, both ends included; an open end is None."""

    true_from: Instant | None = None
    true_to: Instant | None = None
    precision: SpanPrecision = ""  # of the dates that it was read from; "" without any

    @property
    def dated(self) -> bool:
        return self.true_from is not None or self.true_to is not None

    def meets(self, other: TrueSpan) -> bool:
        """Tell whether both can be true at one moment; an undated span may be of any time."""
        apart = (
            self.true_to is not None
            and other.true_from is not None
            and self.true_to < other.true_from
        ) or (
            other.true_to is not None
            and self.true_from is not None
            and other.true_to < self.true_from
        )
        return not apart


class Ground(Value):
    """A verbatim quote that a claim rests on, and the stored page that has it."""

    evidence_id: str
    document_id: str
    url: str
    title: str
    publisher: str
    published_at: Instant | None = None
    quote: str
    start: int
    end: int


class Belief(Value):
    """A claim as it is remembered, once, however often it is learned."""

    id: str  # short_id("cl", content)
    text: str
    language: str
    kind: ClaimKind = "fact"
    subject: str = ""
    subject_key: str = ""  # one key for all ways to write the subject
    predicate: str = ""
    value: str = ""
    time: str = ""  # the dates of the claim: 2026-11-10, 2026-Q4, 2023/2025
    span: TrueSpan = TrueSpan()


class Lesson(Value):
    """What a finished run teaches: a belief, how sure the run was, and on what grounds."""

    belief: Belief
    verdict: Verdict
    confidence: float | None = Field(default=None, ge=0, le=1)
    grounds: tuple[Ground, ...] = ()


class Sighting(Value):
    """One run that learned a belief; `learned_at` is the end of that run."""

    run_id: str
    attempt: int
    job: str
    learned_at: Instant
    said_at: Instant | None = None  # when the newest of its sources was published
    verdict: Verdict
    confidence: float | None = None
    grounds: tuple[Ground, ...] = ()


class Rivalry(Value):
    """Why two beliefs cannot both be current: another figure, day, name, value or polarity."""

    belief_id: str
    other_id: str
    kind: Literal["figure", "date", "name", "value", "polarity"]
    mine: str = ""  # what this belief says, as written
    theirs: str = ""


class Withdrawal(Value):
    """A person takes a belief back; it stays in its history."""

    at: Instant
    who: str
    why: str


class ForgottenRival(Value):
    """A belief fell to a claim that was forgotten since: it does not come back by that."""

    at: Instant


class Remembered(Value):
    """A belief with all that was written down about it."""

    belief: Belief
    sightings: tuple[Sighting, ...] = ()  # by time
    rivalries: tuple[Rivalry, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()
    losses: tuple[ForgottenRival, ...] = ()


class Moment(Value):
    """One entry of a belief's history."""

    at: Instant
    kind: Literal["learned", "seen again", "superseded", "withdrawn"]
    claim_id: str
    who: str  # the run that learned it, or the person who withdrew it
    why: str = ""
    successor: str | None = None


class Standing(Value):
    """Whether a belief is held at a moment, and since when it is or is no longer."""

    state: Literal["unknown", "believed", "superseded", "withdrawn"]
    verdict: Verdict = "unverified"
    confidence: float | None = None
    learned_at: Instant | None = None  # the first time
    seen_at: Instant | None = None  # the last time
    until: Instant | None = None  # when it fell
    successor: str | None = None
    why: str = ""


class SimilarityPart(Value):
    """One part of a similarity: its value in [0, 1] and the share that it has in the whole."""

    name: Literal["text", "embedding", "subject", "event", "keywords", "recency"]
    value: float = Field(ge=0, le=1)
    weight: float = Field(ge=0, le=1)


class Similarity(Value):
    """How near a claim is to what was asked: the sum of value times weight of its parts."""

    total: float = Field(ge=0, le=1)
    parts: tuple[SimilarityPart, ...]


class Replaced(Value):
    """What a belief took the place of, or what took its place."""

    claim_id: str
    text: str
    learned_at: Instant
    until: Instant
    why: str


class Held(Value):
    """A remembered claim, how it stands, and how it came to that."""

    claim: Belief
    standing: Standing
    sightings: int
    sources: tuple[Ground, ...] = ()  # of the newest sighting
    history: tuple[Moment, ...] = ()
    replaced: tuple[Replaced, ...] = ()


class RecalledClaim(Held):
    """A remembered claim as recall gives it."""

    similarity: Similarity


class ClaimHistory(Value):
    """A claim with those that it replaced and those that replaced it, and all that happened."""

    claims: tuple[Held, ...]
    moments: tuple[Moment, ...]


class MemoryQuery(Value):
    """What is asked of memory. `as_of` is a moment of ours, `about` one of the world."""

    text: str = ""
    subject: str | None = None
    since: Instant | None = None  # learned, or seen again, since then
    limit: int = Field(default=8, ge=1, le=100)
    min_confidence: float | None = Field(default=None, ge=0, le=1)
    as_of: Instant | None = None
    about: Instant | None = None
    past: bool = False  # also what is no longer believed


class Recollection(Value):
    """What memory gave. No entries because it is off, or away, is not the same as none found."""

    state: Literal["ok", "off", "unavailable"]
    entries: tuple[RecalledClaim, ...] = ()
    reason: str = ""  # a code
    params: JsonObject = Field(default_factory=dict)
