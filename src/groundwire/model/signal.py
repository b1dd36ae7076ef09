"""The signal: what verify makes of a message, with everything that it rests on."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from groundwire.model.base import Instant, JsonObject, Noun
from groundwire.model.claim import CitationView, Verdict
from groundwire.model.memory import Part
from groundwire.model.message import Message, MessageSighting
from groundwire.model.result import (
    Cost,
    Degraded,
    EvidenceView,
    Gap,
    Origin,
    ResultStatus,
    Sentence,
)
from groundwire.model.stance import StanceLabel
from groundwire.model.tool import ToolResult

Action = Literal["buy", "sell", "observe"]
Direction = Literal["long", "short", "neutral"]
Strength = Literal["low", "medium", "high"]
Timeframe = Literal["short", "medium", "long"]
RiskFlag = Literal[
    "not_searched",
    "search_failed",
    "data_incomplete",
    "single_source",
    "no_evidence",
    "stale_event",
    "analysis_not_news",
    "data_conflict",
    "confidence_low",
]
Outcome = Literal["true", "false", "partly"]
Path = Literal["deep", "plain", "duplicate"]


class Preliminary(Noun):
    """The first impression of a message, before anything is looked up."""

    profile: str
    event_type: str
    asset: str = ""  # symbol, or the main entity; "" when there is none
    assets: tuple[str, ...] = ()  # all of them, the main one first
    asset_name: str = ""
    action: Action = "observe"
    direction: Direction = "neutral"
    confidence: float = Field(ge=0, le=1)
    strength: Strength = "low"
    timeframe: Timeframe = "short"
    risk_flags: tuple[str, ...] = ()  # of the text: hedged, anonymous_source, promotional…
    summary: str
    amounts: tuple[str, ...] = ()  # as the message writes them
    keywords: tuple[str, ...] = ()  # what it is about, for searches
    by: str = "embedded"


class WaterfallRow(Noun):
    """One step of a confidence: the rows' deltas sum to the score."""

    rule: str
    delta: float
    reason: str
    evidence_ids: tuple[str, ...] = ()


class PastEvent(Noun):
    """An earlier signal as memory gives it back."""

    run_id: str
    summary: str
    event_type: str
    asset: str
    verdict: Verdict
    confidence: float
    at: Instant
    outcome: Outcome | None = None
    similarity: float = Field(ge=0, le=1)
    parts: tuple[Part, ...] = ()  # what the similarity is the sum of
    differs: str = ""  # what keeps it from being the same event: another figure, a denial…
    age_hours: float = 0.0
    message_id: str = ""


class SignalClaim(Noun):
    """One claim of the message, what came of it, and the quotes that say so."""

    text: str
    verdict: Verdict
    citations: tuple[CitationView, ...] = ()


class SignalEvidence(EvidenceView):
    """Evidence as a signal lists it: with its stance towards the claim and the words that show it."""

    stance: StanceLabel = "unrelated"
    quote: str = ""
    start: int = 0
    end: int = 0
    official: bool = False  # hosted by a party to the event
    round: Literal["preferred", "open", "archive"] = "open"  # the list that it came from
    relevance: float = 0.0


class Signal(Noun):
    """The result of verify; its names are a public contract (`gw schema signal`)."""

    run_id: str
    status: ResultStatus
    path: Path
    rolled_in: bool = True  # False: of high value, but outside the share that may go deep
    message: Message
    language: str
    summary: str
    event_type: str
    asset: str
    asset_name: str
    action: Action
    direction: Direction
    confidence: float = Field(ge=0, le=1)
    verdict: Verdict
    strength: Strength
    timeframe: Timeframe
    risk_flags: tuple[RiskFlag, ...] = ()
    claims: tuple[SignalClaim, ...] = ()
    findings: tuple[Sentence, ...] = ()  # what the pages report, sentence by sentence, checked
    notes: str = ""
    links: tuple[str, ...] = ()
    waterfall: tuple[WaterfallRow, ...]
    confidence_version: str
    supporting_origins: int = 0
    contradicting_origins: int = 0
    origins: tuple[Origin, ...] = ()
    evidence: tuple[SignalEvidence, ...] = ()
    tools: tuple[ToolResult, ...] = ()
    memory: tuple[PastEvent, ...] = ()
    preliminary: Preliminary
    sightings: tuple[MessageSighting, ...] = ()
    duplicate_of: str | None = None  # the run that has the signal of this event
    degraded: tuple[Degraded, ...] = ()
    gaps: tuple[Gap, ...] = ()
    reasoner: str = "embedded"
    cost: Cost = Field(default_factory=Cost)
    latency_ms: int = 0
    node_latency_ms: dict[str, int] = Field(default_factory=dict[str, int])


# --- what a signal leaves behind -------------------------------------------------------------


class Witness(Noun):
    """A piece of a signal's evidence, as the history of its publisher needs it."""

    evidence_id: str
    document_id: str
    domain: str  # registrable; "" for a file of the user's own
    stance: StanceLabel


class Landing(Noun):
    """What a finished signal leaves: its row in the memory of events. The result itself goes to
    the outbox in the same transaction."""

    message_id: str
    source: str
    text: str  # of the message
    summary: str
    event_type: str
    asset: str
    assets: tuple[str, ...] = ()
    asset_name: str = ""
    keywords: tuple[str, ...] = ()
    profile: str
    preliminary: float = Field(ge=0, le=1)
    score: float = Field(ge=0, le=1)  # before calibration: what calibration is fitted on
    confidence: float = Field(ge=0, le=1)
    verdict: Verdict
    path: Path
    risk_flags: tuple[str, ...] = ()
    evidence: tuple[Witness, ...] = ()
    rolled_in: bool = True
    tool_calls: int = 0
    duplicate_of: str | None = None  # the run that has the signal of this event


class EventWish(Noun):
    """What is asked of the memory of events."""

    text: str = ""
    asset: str = ""
    event_type: str = ""
    keywords: tuple[str, ...] = ()
    limit: int = Field(default=5, ge=1, le=50)


class PastEvents(Noun):
    """What the memory of events gave. None because it is off, or away, is not none found."""

    state: Literal["ok", "off", "unavailable"]
    events: tuple[PastEvent, ...] = ()
    reason: str = ""


class Repeats(Noun):
    """What else tells of a message's event: an earlier signal, and messages that repeat this one."""

    twin: PastEvent | None = None
    sightings: tuple[MessageSighting, ...] = ()


class Feedback(Noun):
    """What a person or a feed says came true; only ever added, the newest holds."""

    run_id: str
    outcome: Outcome
    by: str
    note: str = ""
    at: Instant


class Said(Feedback):
    """Feedback beside the signal that it is about."""

    summary: str
    verdict: Verdict
    confidence: float


class SignalRow(Landing):
    """A signal as it is kept, with what is known of how it ended."""

    run_id: str
    at: Instant  # the run's clock
    outcome: Outcome | None = None
    labelled_at: Instant | None = None
    labelled_by: str = ""
    note: str = ""


class Labelled(Noun):
    """A score with what came of it: the pairs that calibration is fitted on."""

    run_id: str
    score: float = Field(ge=0, le=1)
    outcome: Outcome
    labelled_at: Instant


class SourceRecord(Noun):
    """How often a source was right, by what is known of the outcomes.

    A channel is right when its message came true; a publisher when it supported what came true or
    contradicted what did not.
    """

    source: str
    kind: Literal["message", "publisher"]
    hits: int = 0
    misses: int = 0
    partly: int = 0

    @property
    def rate(self) -> float | None:
        """The share of hits, a partly true one as half; None without any."""
        count = self.hits + self.misses + self.partly
        return (self.hits + 0.5 * self.partly) / count if count else None


class Grant(Noun):
    """Whether a tool call may be made, by the limit of the day."""

    granted: bool
    used: int = 0  # of the day, with this one
    limit: int
    reason: str = ""

    @property
    def left(self) -> int:
        return max(0, self.limit - self.used)


class Parcel(Noun):
    """A row of the outbox: a result that is to be handed on, once."""

    id: str
    run_id: str
    attempt: int
    kind: Literal["signal", "sighting"]
    payload: JsonObject
    created_at: Instant
    delivered_at: Instant | None = None
    tries: int = 0
    error: str = ""
