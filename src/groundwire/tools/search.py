"""Search the web and the archive."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from pydantic import Field, field_validator

from groundwire.context import Context
from groundwire.errors import InputError, Unfit
from groundwire.evidence.pages.filters import hosts, time_range
from groundwire.model.base import JsonObject, Value
from groundwire.model.call import CallError
from groundwire.model.query import Query, SearchReport, Topic

Result = SearchReport
_USUAL = 5  # results where nobody says how many


# The preferred spellings, for schemas; other ways of writing them are understood, too.
_LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,40}[A-Za-z0-9])?"
_DAY = "[12][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])"
_SPAN = f"^(|day|week|month|year|({_DAY})?/({_DAY})?)$"
Domain = Annotated[str, Field(json_schema_extra={"pattern": rf"^{_LABEL}(\.{_LABEL}){{0,3}}$"})]
Span = Annotated[str, Field(json_schema_extra={"pattern": _SPAN})]


class Input(Value):
    """What to look for."""

    query: str = Field(min_length=1, max_length=4000)
    max_results: int | None = Field(default=None, ge=1, le=50)  # None: as the settings say
    include_domains: tuple[Domain, ...] = ()
    exclude_domains: tuple[Domain, ...] = ()
    time_range: Span | None = None
    language: str | None = None
    topic: Topic = "general"
    country: str | None = None

    @field_validator("time_range")
    @classmethod
    def _check_time_range(cls, value: str | None) -> str | None:
        try:
            time_range(value, datetime(2000, 1, 1, tzinfo=UTC))  # any moment will do to parse it
        except InputError as error:
            raise Unfit("fault.write", why=error, how={"code": error.hints}) from None
        return value

    @field_validator("include_domains", "exclude_domains")
    @classmethod
    def _check_domains(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        try:
            hosts(value)
        except InputError as error:
            about: JsonObject = dict(error.params)
            raise Unfit(error.says, **about) from None
        return value


def failure(report: SearchReport) -> CallError | None:
    """Return why nothing is known where every search failed, which is not "nothing found"."""
    if not report.failed:
        return None
    return CallError(code=report.failures[0].code, message="gap.every_search_failed")


def degraded(report: SearchReport) -> bool:
    """Tell whether a provider did not answer though others did."""
    return bool(report.failures)


async def run(context: Context, given: Input) -> SearchReport:
    """Search the web and the archive; failures are named, never an empty list."""
    query = Query(
        text=given.query,
        max_results=given.max_results or context.parts.results or _USUAL,
        **given.model_dump(exclude={"query", "max_results"}),
    )
    return await context.search(query)
