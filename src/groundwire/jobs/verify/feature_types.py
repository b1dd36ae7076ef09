"""What confidence is computed from: typed features, and nothing else (law 6)."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, NamedTuple

from pydantic import Field

from groundwire.jobs.verify.signal import RiskFlag
from groundwire.model.base import Value
from groundwire.model.claim import Verdict
from groundwire.model.outcome import Calibration
from groundwire.model.phrase import Phrase
from groundwire.model.result import WaterfallRow
from groundwire.model.tool import Bearing


class Moment(NamedTuple):
    """When a message is judged, and up to when evidence is known; None: all of it."""

    said: datetime
    as_of: datetime | None = None
    # When what it tells happened, by its own words, else when it was said; None: nobody knows, as
    # it came without a time of its own.
    event: datetime | None = None


class Side(Value):
    """Those who take one stance: independent origins, and the evidence that shows it."""

    origins: tuple[str, ...] = ()  # ids of independent origins, sorted
    evidence_ids: tuple[str, ...] = ()  # sorted
    primary_ids: tuple[str, ...] = ()  # of these: hosted by a party to the event


class Timeliness(Value):
    """How old the event was when the message was sent, and whether the message tells news at all."""

    age_hours: float | None = None  # None: nobody dates the event
    # Between its day and the message's, where either is known no finer; at least so many if coarse.
    days: int | None = None
    coarse: bool = False  # no day is named, only a week, a month or a year
    kind: Literal["news", "retrospective", "opinion"] = "news"
    dated_by: Literal["message", "evidence", "nobody"] = "nobody"
    # The message itself dates the event over a day back, and nobody dates it before that.
    admitted: bool = False
    planned: bool = False  # the event is still to come
    reason: str = ""  # the words, or the day, that date it or show its kind
    evidence_ids: tuple[str, ...] = ()


class Features(Value):
    """Everything that decides verdict and confidence."""

    preliminary: float = Field(ge=0, le=1)
    # `worked`: at least one search answered, with or without hits.
    search: Literal["not_searched", "failed", "worked"]
    search_reason: Phrase | None = None  # why it was not searched, or how it failed
    supports: Side = Side()
    contradicts: Side = Side()
    qualifies: Side = Side()
    snippet_ids: tuple[str, ...] = ()  # evidence of which only a search's snippet was read
    own_ids: tuple[str, ...] = ()  # pages that are the message itself: they corroborate nothing
    multi_source_threshold: int = 3
    mean_relevance: float = Field(default=0.0, ge=0, le=1)  # of the evidence that takes a stance
    numbers: Bearing = "silent"  # of the measuring tools
    numbers_reason: Phrase | None = None
    memory_similarity: float = Field(default=0.0, ge=0, le=1)
    memory_confidence: float | None = Field(default=None, ge=0, le=1)
    memory_reason: str = ""
    timeliness: Timeliness = Timeliness()
    calibration: Calibration | None = None


class Judgement(Value):
    """Verdict, score, flags, and the rows that make the score."""

    verdict: Verdict
    confidence: float = Field(ge=0, le=1)
    risk_flags: tuple[RiskFlag, ...]
    waterfall: tuple[WaterfallRow, ...]
    version: str
