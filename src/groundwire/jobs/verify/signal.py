"""The signal: what verify makes of a message, with everything that it rests on."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field

from groundwire.evidence.messages.profiles import Direction, Timeframe
from groundwire.model.base import Instant, Value
from groundwire.model.claim import CitationView, Verdict
from groundwire.model.history import PastEvent, Path
from groundwire.model.message import Message, MessageSighting
from groundwire.model.result import (
    Cost,
    Decided,
    Degraded,
    EvidenceView,
    Gap,
    Origin,
    Recovered,
    ResultStatus,
    Sentence,
    WaterfallRow,
)
from groundwire.model.stance import StanceLabel
from groundwire.model.tool import ToolCall, ToolResult

Action = Literal["buy", "sell", "observe"]
Strength = Literal["low", "medium", "high"]
RiskFlag = Literal[
    "not_searched",
    "search_failed",
    "data_incomplete",
    "single_source",
    "snippets_only",
    "no_evidence",
    "stale_event",
    "analysis_not_news",
    "data_conflict",
    "confidence_low",
]


# Why the stance of a page counts for no side: it was not published yet; reports an event after the
# message; reports it after the message without saying when it happened; reports what changed after
# the message; or speaks of another time than those who have the last word.
Aside = Literal[
    "unpublished", "later_event", "later_report", "later_change", "overtaken", "hearsay"
]
LaterKind = Literal["came_true_later", "denied_later", "changed_later", "reported_later"]


class Preliminary(Value):
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


class SignalClaim(Sentence):
    """One claim of the message, what came of it, and the quotes that say so."""

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
    aside: Aside | None = None  # why its stance counts for no side
    read_by: str = ""  # whose stance it is: embedded, or a model; "": of an older run
    read_differently: bool = False  # a model and the rules take opposite sides: it counts for none


class Later(Value):
    """What is known now and was not when the message was said: the day, and who says so."""

    kind: LaterKind
    day: date
    evidence_id: str
    publisher: str
    url: str
    quote: str = ""


class CourseStep(Value):
    """What the verdict was at a moment, by the evidence that was there by then."""

    at: Instant
    verdict: Verdict
    confidence: float = Field(ge=0, le=1)
    supporting_origins: int = 0
    contradicting_origins: int = 0
    evidence_ids: tuple[str, ...] = ()  # there by then, and taking a side


class Signal(Value):
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
    judged_at: Instant | None = None  # the verdict is of this moment: when the message was said
    as_of: Instant | None = None  # evidence counts that was there by then; None: of an older run
    later: tuple[Later, ...] = ()  # what came after the message, in order
    course: tuple[CourseStep, ...] = ()  # how the verdict went as pages appeared, in order
    claims: tuple[SignalClaim, ...] = ()
    claims_by: str = ""  # who found them in the message: embedded, or a model
    findings: tuple[Sentence, ...] = ()  # what the pages report, sentence by sentence, checked
    description: str = ""  # what the message says by itself, where no tool has looked into it
    notes: str = ""
    links: tuple[str, ...] = ()
    waterfall: tuple[WaterfallRow, ...]
    confidence_version: str
    supporting_origins: int = 0
    contradicting_origins: int = 0
    origins: tuple[Origin, ...] = ()
    evidence: tuple[SignalEvidence, ...] = ()
    tools: tuple[ToolResult, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()  # the outside calls behind them, by the ledger
    memory: tuple[PastEvent, ...] = ()
    preliminary: Preliminary
    sightings: tuple[MessageSighting, ...] = ()
    duplicate_of: str | None = None  # the run that has the signal of this event
    degraded: tuple[Degraded, ...] = ()
    recovered: tuple[Recovered, ...] = ()  # failures that were made up for
    gaps: tuple[Gap, ...] = ()
    reasoner: str = "embedded"
    decided: tuple[Decided, ...] = ()  # who answered which question; set as the run ends
    cost: Cost = Field(default_factory=Cost)
    latency_ms: int = 0
    node_latency_ms: dict[str, int] = Field(default_factory=dict[str, int])
