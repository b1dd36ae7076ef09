"""The nouns of verify: its input, its limits, and what its steps hand on."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from groundwire.evidence.messages.profiles import Profile, profile, unfixed
from groundwire.jobs.verify.settings import VerifySettings
from groundwire.jobs.verify.signal import Preliminary, SignalClaim
from groundwire.model.base import Value
from groundwire.model.history import PastEvent
from groundwire.model.message import Message, MessageText, Moment
from groundwire.model.phrase import Phrase
from groundwire.model.query import Hit
from groundwire.model.result import Degraded, Gap, Origin, Sentence
from groundwire.model.source import Evidence
from groundwire.model.stance import Stance
from groundwire.model.tool import ToolName, ToolResult

List = Literal["preferred", "open", "archive"]
KeywordSource = Literal["model", "embedded", "fallback"]


class VerifyInput(Value):
    """A message, and how it came: `gate` is for intake, a person's message always goes deep."""

    text: MessageText
    id: str = ""  # "": made from its content
    language: str = "auto"  # of the message
    source: str = ""
    author: str = ""
    published_at: Moment = None
    received_at: Moment = None  # None: when the run was submitted
    zone: str = ""
    keywords_hit: tuple[str, ...] = ()
    media_urls: tuple[str, ...] = ()
    desk_language: Literal["auto", "zh", "zh-Hant", "en"] = "auto"
    gate: bool = False  # only what is of high value goes deep
    threshold: float | None = Field(default=None, ge=0, le=1)  # of a priority channel
    tools: bool = True


class Held(Value):
    """Evidence in the hands of verify: the list it came from and its stance towards each claim."""

    evidence: Evidence
    list: List
    stances: tuple[Stance, ...] = ()  # one for each claim, in their order


class State(Value):
    """What the deep graph carries. Steps return the fields they changed."""

    given: VerifyInput
    limits: VerifySettings  # fixed at submit
    message: Message
    language: str  # of the signal
    text: str  # what is verified: the message, or its translation
    preliminary: Preliminary
    claims: tuple[str, ...]  # the main one first
    enabled: tuple[ToolName, ...] = ("search",)
    offline: bool = False
    memory: tuple[PastEvent, ...] = ()
    round: int = 0  # executor rounds made: tool_call_count
    next_tools: tuple[ToolName, ...] = ()
    keywords: str = ""
    keyword_source: KeywordSource = "embedded"
    rolled_in: bool = True  # False: of high value, but outside the share that may go deep
    why_stopped: Phrase | None = None  # why nothing was searched, or no further
    tools: tuple[ToolResult, ...] = ()
    searched: int = 0
    search_failures: int = 0
    hits: tuple[Hit, ...] = ()
    held: tuple[Held, ...] = ()
    origins: tuple[Origin, ...] = ()
    stated: tuple[SignalClaim, ...] = ()  # claims with their verdicts
    sentences: tuple[Sentence, ...] = ()
    reasoner: str = "embedded"
    degraded: tuple[Degraded, ...] = ()
    gaps: tuple[Gap, ...] = ()

    @property
    def profile(self) -> Profile:
        """The field of events that the message is of."""
        return profile(self.preliminary.profile, unfixed(self.limits.profiles or ""))
