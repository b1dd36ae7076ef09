"""What a tool found, whether it answers a claim, and how it failed."""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import Field

from groundwire.errors import OutsideFailure
from groundwire.model.base import Instant, JsonObject, Value
from groundwire.model.phrase import Phrase, phrase_of

ToolName = Literal["search", "price", "macro", "onchain"]
TOOL_CALLS = "tools"  # the scope under which tool calls of a day are counted
SWITCHED: tuple[ToolName, ...] = ("search", "price", "onchain", "macro")  # each by a setting
ToolErrorCode = Literal[
    "timeout", "rate_limit", "auth", "plan_limit", "server", "malformed", "network", "quota"
]
Bearing = Literal["confirms", "contradicts", "silent"]
# The contract's nearest code for failures that have none of their own there.
_CODES: dict[str, ToolErrorCode] = {
    **{code: code for code in get_args(ToolErrorCode)},
    "breaker_open": "server",
    "too_large": "malformed",
    "unreadable": "malformed",
    "refused": "malformed",
    "captcha": "malformed",
    "bad_request": "malformed",
    "not_found": "malformed",
    "offline": "network",
    "address": "network",
    "robots": "network",
}


class ToolFailure(Value):
    """Why a tool gave nothing; one of the codes of the contract."""

    code: ToolErrorCode
    message: str  # a code of the catalogue
    params: JsonObject = Field(default_factory=dict)

    @classmethod
    def of(cls, error: OutsideFailure) -> ToolFailure:
        """Map an outside failure to the contract's codes, with its own words."""
        return cls.under(error.code, phrase_of(error))

    @classmethod
    def under(cls, code: str, why: Phrase) -> ToolFailure:
        """Map any code of ours to the contract's."""
        return cls(code=_CODES.get(code, "server"), message=why.code, params=why.params)

    @property
    def phrase(self) -> Phrase:
        return Phrase(code=self.message, params=self.params)


class Grant(Value):
    """Whether a tool call may be made, by the limit of the day."""

    granted: bool
    used: int = 0  # of the day, with this one
    limit: int
    reason: str = ""  # a code
    params: JsonObject = Field(default_factory=dict)

    @property
    def phrase(self) -> Phrase:
        """Why it is not granted."""
        return Phrase(code=self.reason, params=self.params)

    @property
    def left(self) -> int:
        return max(0, self.limit - self.used)


class ToolCall(Value):
    """One outside call of a tool, as the ledger has it. It is no part of a digest."""

    tool: str  # search, read, price, onchain, macro
    provider: str
    request: str  # in short
    response: str  # in short: a code
    params: JsonObject = Field(default_factory=dict)
    latency_ms: int = 0
    usd: float = 0.0
    # Sent and answered, failed, without an answer yet; or answered without being sent.
    outcome: Literal["ok", "failed", "intent", "cache", "joined"]
    code: str = ""  # of the failure


class ToolResult(Value):
    """One tool call's outcome, as results and the tool-call log show it.

    `bearing` is what the tool's numbers say of the claim: only price, macro and onchain have one.
    """

    tool: ToolName
    source: str  # who answered: tavily, coingecko, defillama, fred…
    timestamp: Instant
    success: bool
    data: JsonObject = Field(default_factory=dict)
    triggered: bool = False
    confidence: float = Field(default=0.0, ge=0, le=1)
    bearing: Bearing = "silent"
    why: str = ""  # a code on the bearing: "USDC trades at $0.9998, 0.02 % from its peg"
    params: JsonObject = Field(default_factory=dict)  # of `why`
    error: ToolFailure | None = None

    @property
    def phrase(self) -> Phrase:
        """What the tool's numbers say of the claim."""
        return Phrase(code=self.why, params=self.params)
