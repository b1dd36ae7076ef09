"""What economic statistics say: the series of the St. Louis Fed that a message speaks of."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from groundwire.context import Context
from groundwire.data.providers import fred
from groundwire.errors import OutsideFailure
from groundwire.evidence.markets.economy import WantedSeries, chosen
from groundwire.model.base import Instant, JsonObject, Value
from groundwire.model.call import CallError
from groundwire.model.measure import MeasuredBearing, Observation, Series
from groundwire.model.tool import ToolFailure, ToolResult

_NEWEST = 16  # values: more than a year of months, three weeks of days


class Input(Value):
    """The claim in its own words, and when it was said."""

    text: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=20_000, pattern=r"\S"),
    ]
    at: Instant | None = None  # None: now


class Result(Value):
    """The series that is meant with its newest values; none where the text speaks of none."""

    at: Instant
    series: Series | None = None
    latest: Observation | None = None
    previous: Observation | None = None
    note: str = ""  # a code
    params: JsonObject = Field(default_factory=dict)  # of the note


async def run(context: Context, given: Input) -> Result:
    """The values up to the day of the message; raises the failure of the source."""
    wanted = chosen(given.text)
    if wanted is None:
        return Result(at=context.now(), note="outside.no_such_series")
    until = (given.at or context.now()).date()
    stored = await context.data(fred.observations(wanted.id, wanted.units, _NEWEST, until))
    values = fred.Observations.model_validate(stored or {}).values
    return Result(
        at=context.now(),
        series=_series(wanted, values),
        latest=values[0] if values else None,
        previous=values[1] if len(values) > 1 else None,
        note="" if values else "outside.no_values",
        params={} if values else {"series": wanted.id, "day": str(until)},
    )


def failure(_found: Result) -> CallError | None:
    """A series that could not be read is raised, never returned."""
    return None


def tool_result(
    found: Result | OutsideFailure, at: datetime, finding: MeasuredBearing | None = None
) -> ToolResult:
    """The outcome under the contract; a failure never has a bearing."""
    if isinstance(found, OutsideFailure):
        return ToolResult(
            tool="macro",
            source="fred",
            timestamp=at,
            success=False,
            error=ToolFailure.of(found),
        )
    finding = finding or MeasuredBearing()
    return ToolResult(
        tool="macro",
        source="fred",
        timestamp=found.at,
        success=True,
        data=found.model_dump(mode="json", exclude={"at"}),
        triggered=finding.bearing != "silent",
        confidence=0.95 if found.latest else 0.0,
        bearing=finding.bearing,
        why=finding.why or found.note,
        params=finding.params if finding.why else found.params,
    )


def _series(wanted: WantedSeries, values: tuple[Observation, ...]) -> Series:
    return Series(
        id=wanted.id,
        name=wanted.english,
        unit=wanted.unit,
        period=wanted.period,
        values=values,
    )
