"""What economic statistics say: the series of the St. Louis Fed that a message speaks of."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

from groundwire.context import Context
from groundwire.data.providers import fred
from groundwire.evidence.markets.economy import series_in
from groundwire.model import measure
from groundwire.model.base import Instant, Value
from groundwire.model.measure import Measured, MeasuredBearing, Observation, Series
from groundwire.model.tool import ToolResult

_NEWEST = 16  # values: more than a year of months, three weeks of days


class Input(Value):
    """The claim in its own words, and when it was said."""

    text: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=20_000, pattern=r"\S"),
    ]
    at: Instant | None = None  # None: now


class Result(Measured):
    """The series that is meant with its newest values; none where the text speaks of none."""

    series: Series | None = None
    latest: Observation | None = None
    previous: Observation | None = None


async def run(context: Context, given: Input) -> Result:
    """Read the values up to the day of the message; raises the failure of the source."""
    wanted = series_in(given.text)
    if wanted is None:
        return Result(at=context.now(), note="outside.no_such_series")
    until = (given.at or context.now()).date()
    stored = await context.data(fred.observations(wanted.id, wanted.units, _NEWEST, until))
    values = fred.Observations.model_validate(stored or {}).values
    about = {"id": wanted.id, "name": wanted.english, "unit": wanted.unit, "period": wanted.period}
    return Result(
        at=context.now(),
        series=Series(**about, values=values),
        latest=values[0] if values else None,
        previous=values[1] if len(values) > 1 else None,
        note="" if values else "outside.no_values",
        params={} if values else {"series": wanted.id, "day": str(until)},
    )


def tool_result(found: Result, finding: MeasuredBearing | None = None) -> ToolResult:
    """Return the outcome under the contract of tools."""
    bears = finding is not None and finding.bearing != "silent"
    confidence = 0.95 if found.latest else 0.0
    return measure.tool_result(
        "macro", "fred", found, finding, confidence=confidence, triggered=bears
    )
