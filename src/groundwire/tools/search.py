"""Search the web and the archive."""

from __future__ import annotations

from pydantic import Field

from groundwire.context import Context
from groundwire.model.base import Noun
from groundwire.model.query import Query, SearchReport

Result = SearchReport


class Input(Noun):
    """What to look for."""

    query: str = Field(min_length=1, max_length=4000)
    max_results: int = Field(default=8, ge=1, le=50)
    include_domains: tuple[str, ...] = ()
    exclude_domains: tuple[str, ...] = ()
    time_range: str | None = None
    language: str | None = None


async def run(context: Context, given: Input) -> SearchReport:
    """Search the web and the archive; failures are named, never an empty list."""
    query = Query(
        text=given.query,
        max_results=given.max_results,
        include_domains=given.include_domains,
        exclude_domains=given.exclude_domains,
        time_range=given.time_range,
        language=given.language,
    )
    return await context.search(query)
