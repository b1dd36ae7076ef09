"""Search for several things side by side; each search is told of as soon as it is over."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from groundwire.context import Context
from groundwire.model.query import Query, SearchReport

_USUAL = 8  # results that a job takes from a search where nobody says how many


def most_results(context: Context, own: int | None) -> int:
    """How many results a search of a job takes: as its own setting says, else that of all."""
    return own or context.parts.results or _USUAL


async def search_all(
    context: Context, queries: Sequence[Query], occasion: str
) -> list[SearchReport]:
    """All queries at once. A failed search and an empty one stay different, and both are told."""
    return await asyncio.gather(
        *(
            _search(context.step(str(number)), query, occasion)
            for number, query in enumerate(queries)
        )
    )


async def _search(context: Context, query: Query, occasion: str) -> SearchReport:
    report = await context.search(query, occasion)
    await context.emit(
        "progress",
        {
            "phase": "search",
            "query": query.text,
            "hits": len(report.hits),
            "failures": [failure.model_dump() for failure in report.failures],
        },
    )
    return report
