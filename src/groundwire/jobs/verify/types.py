"""The nouns of verify: its input, its limits, and what its steps hand on."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from groundwire.errors import Unfit
from groundwire.evidence.messages.profiles import Profile, load_profiles, profile
from groundwire.evidence.pages.presence import until
from groundwire.gather.as_of import AsOf
from groundwire.jobs.verify.feature_types import Moment as JudgedAt
from groundwire.jobs.verify.settings import VerifySettings
from groundwire.jobs.verify.signal import Preliminary, SignalClaim
from groundwire.model.base import Instant, Value
from groundwire.model.history import PastEvent
from groundwire.model.message import Message, MessageText, Moment
from groundwire.model.phrase import Phrase
from groundwire.model.result import Degraded, Gap, Origin, Recovered, Sentence
from groundwire.model.source import Evidence
from groundwire.model.stance import Stance
from groundwire.model.tool import ToolName, ToolResult
from groundwire.reasoning.question import EMBEDDED

List = Literal["preferred", "open", "archive"]
KeywordSource = Literal["model", "embedded", "fallback"]


def _language_code(code: str) -> str:
    """Refuse what is no language code: zh, zh-Hant, en, pt-BR; "" and auto are detected."""
    if code and not all(
        each.isascii() and each.isalnum() and len(each) <= 8 for each in code.split("-")
    ):
        raise Unfit("verify.error.language", code=code[:40])
    return code or "auto"


class VerifyInput(Value):
    """A message, and how it came: `gate` is for intake, a person's message always goes deep."""

    text: MessageText = Field(description="a rumour, post or headline")
    id: str = ""  # "": made from its content
    language: Annotated[str, AfterValidator(_language_code)] = Field(
        default="auto", description="of the message: zh, zh-Hant, en, …"
    )
    source: str = Field(default="", max_length=200, description="where it came from")
    author: str = Field(default="", max_length=200, description="who wrote it")
    published_at: Moment = Field(
        default=None, description="2026-11-10T09:30Z, 2026-11-10 or “3 hours ago”"
    )
    as_of: AsOf = Field(
        default=None,
        description="count only what was published by then: 2026-11-10, 2026-11-10T09:30Z",
    )
    received_at: Moment = None  # None: when the run was submitted
    zone: str = Field(
        default="", description="where its “yesterday” is read, such as Asia/Shanghai"
    )
    keywords_hit: tuple[str, ...] = ()
    media_urls: tuple[str, ...] = ()
    desk_language: Literal["auto", "zh", "zh-Hant", "en"] = "auto"
    gate: bool = Field(default=False, description="look only into what is of high value")
    threshold: float | None = Field(default=None, ge=0, le=1)  # of a priority channel
    tools: bool = Field(
        default=True, description="look into it with tools; without, only a first impression"
    )


class Held(Value):
    """Evidence in the hands of verify: the list it came from and its stance towards each claim."""

    evidence: Evidence
    list: List
    stances: tuple[Stance, ...] = ()  # one for each claim, in their order
    read_by: str = EMBEDDED  # whose stances they are
    read_differently: bool = (
        False  # a model and the rules took opposite sides, also when read again
    )


class State(Value):
    """What the deep graph carries. Steps return the fields they changed."""

    given: VerifyInput
    limits: VerifySettings  # fixed at submit
    message: Message
    language: str  # of the signal
    text: str  # what is verified: the message, or its translation
    preliminary: Preliminary
    claims: tuple[str, ...]  # the main one first
    claims_by: str = EMBEDDED
    as_of: Instant  # evidence counts up to then
    enabled: tuple[ToolName, ...] = ("search",)
    offline: bool = False
    memory: tuple[PastEvent, ...] = ()
    round: int = 0  # executor rounds made: tool_call_count
    next_tools: tuple[ToolName, ...] = ()
    calls_left: int = 0  # of the day's, when the planner looked
    keywords: str = ""
    keyword_source: KeywordSource = "embedded"
    rolled_in: bool = True  # False: of high value, but outside the share that may go deep
    why_stopped: Phrase | None = None  # why nothing was searched, or no further
    tools: tuple[ToolResult, ...] = ()
    search_failures: int = 0
    held: tuple[Held, ...] = ()
    origins: tuple[Origin, ...] = ()
    stated: tuple[SignalClaim, ...] = ()  # claims with their verdicts
    sentences: tuple[Sentence, ...] = ()
    description: str = ""  # where no tool was used: what the message says by itself
    reasoner: str = EMBEDDED
    degraded: tuple[Degraded, ...] = ()
    recovered: tuple[Recovered, ...] = ()
    gaps: tuple[Gap, ...] = ()

    @property
    def moment(self) -> JudgedAt:
        """The moment of judgement: when the message was said, or earlier if requested.

        Of a message that gives its day only, any page and event of that day is of its time.
        """
        return JudgedAt(min(until(self.message.at), self.as_of), self.given.as_of)

    @property
    def dated(self) -> bool:
        """Whether the message has a time of its own, not only that at which it came."""
        return self.message.published_at is not None or self.given.as_of is not None

    @property
    def profile(self) -> Profile:
        """The profile of events that the message belongs to."""
        return profile(self.preliminary.profile, load_profiles(self.limits.profiles or ""))
