"""The memory of judged events: what a finished run leaves in it, and queries of it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from groundwire.model.base import Instant, JsonObject, Value
from groundwire.model.claim import Verdict
from groundwire.model.memory import SimilarityPart
from groundwire.model.message import MessageSighting
from groundwire.model.outcome import Outcome
from groundwire.model.stance import StanceLabel

Path = Literal["deep", "plain", "duplicate"]


class PastEvent(Value):
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
    parts: tuple[SimilarityPart, ...] = ()  # what the similarity is the sum of
    differs: str = ""  # what keeps it from being the same event: another figure, a denial…
    age_hours: float = 0.0
    message_id: str = ""


class Witness(Value):
    """A piece of a signal's evidence, as the history of its publisher needs it."""

    evidence_id: str
    document_id: str
    domain: str  # registrable; "" for a file of the user's own
    stance: StanceLabel


class JudgedEvent(Value):
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


class EventQuery(Value):
    """What is asked of the memory of events."""

    text: str = ""
    asset: str = ""
    event_type: str = ""
    keywords: tuple[str, ...] = ()
    limit: int = Field(default=5, ge=1, le=50)


class PastEvents(Value):
    """What the memory of events gave. None because it is off, or away, is not none found."""

    state: Literal["ok", "off", "unavailable"]
    events: tuple[PastEvent, ...] = ()
    reason: str = ""  # a code
    params: JsonObject = Field(default_factory=dict)


class Repeats(Value):
    """What else tells of a message's event: an earlier signal, and messages that repeat this one."""

    twin: PastEvent | None = None
    sightings: tuple[MessageSighting, ...] = ()


class JudgedEventRow(JudgedEvent):
    """A signal as it is kept, with what is known of how it ended."""

    run_id: str
    at: Instant  # the run's clock
    outcome: Outcome | None = None
    labelled_at: Instant | None = None
    labelled_by: str = ""
    note: str = ""
