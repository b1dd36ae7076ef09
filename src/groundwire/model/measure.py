"""Numbers that say something of a claim: quotes, pegs, locked value, recorded thefts, series."""

from __future__ import annotations

from datetime import date, datetime

from pydantic import Field

from groundwire.errors import OutsideFailure
from groundwire.model.base import Instant, JsonObject, Value
from groundwire.model.phrase import error_fields
from groundwire.model.query import SearchFailure
from groundwire.model.tool import Bearing, ToolFailure, ToolName, ToolResult


def data_failure(provider: str, error: OutsideFailure) -> SearchFailure:
    return SearchFailure(provider=provider, code=error.code, **error_fields(error))


class Quote(Value):
    """What an asset costs. Changes and deviations are in percent."""

    asset: str  # its symbol
    name: str = ""
    price: float = Field(gt=0, allow_inf_nan=False)
    currency: str = "USD"
    change_24h: float | None = None
    low_24h: float | None = None
    high_24h: float | None = None
    mean_24h: float | None = None
    peg: str = ""  # the currency that it is meant to equal; "": none
    deviation: float | None = None  # from its peg, or else from the mean of 24 hours
    quoted_at: Instant
    source: str


class Peg(Value):
    """A stablecoin as the chains see it."""

    asset: str
    name: str = ""
    price: float = Field(gt=0, allow_inf_nan=False)
    deviation: float  # percent from its peg
    supply: float | None = None  # in units of the peg
    supply_change: float | None = None  # percent, since a day before


class Locked(Value):
    """What a protocol holds, in dollars, now and a day before."""

    name: str
    now: float = Field(ge=0, allow_inf_nan=False)
    before: float | None = None
    at: Instant | None = None

    @property
    def change(self) -> float | None:
        """Percent; None where the day before is not known or was empty."""
        return None if not self.before else (self.now / self.before - 1) * 100


class Theft(Value):
    """An entry in a public list of hacks."""

    name: str
    day: date
    amount: float | None = None  # dollars
    technique: str = ""
    chains: tuple[str, ...] = ()


class Observation(Value):
    """One value of an economic series; `day` is the first day of its period."""

    day: date
    value: float


class Series(Value):
    """An economic series as a claim would state it, newest value first."""

    id: str
    name: str
    unit: str  # %, k (thousands of persons), USD
    period: str  # month, quarter, week, day
    values: tuple[Observation, ...] = ()


class MeasuredBearing(Value):
    """What measured numbers say of a claim, and why: a code with its parameters."""

    bearing: Bearing = "silent"
    why: str = ""
    params: JsonObject = Field(default_factory=dict)


class Measured(Value):
    """What a tool measured, when; a note where there was nothing to measure."""

    at: Instant
    note: str = ""  # a code
    params: JsonObject = Field(default_factory=dict)  # of the note


def tool_result(
    tool: ToolName,
    source: str,
    found: Measured,
    finding: MeasuredBearing | None,
    *,
    confidence: float,
    triggered: bool,
) -> ToolResult:
    """Put what was measured under the contract of tools."""
    finding = finding or MeasuredBearing()
    return ToolResult(
        tool=tool,
        source=source,
        timestamp=found.at,
        success=True,
        data=found.model_dump(mode="json", exclude={"at", "triggered"}),
        triggered=triggered,
        confidence=confidence,
        bearing=finding.bearing,
        why=finding.why or found.note,
        params=finding.params if finding.why else found.params,
    )


def failed_tool(tool: ToolName, source: str, failure: ToolFailure, at: datetime) -> ToolResult:
    """Put a failure under the contract of tools; it never has a bearing."""
    return ToolResult(tool=tool, source=source, timestamp=at, success=False, error=failure)
