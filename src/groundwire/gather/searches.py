"""Searching for several things side by side; each search is announced as it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from groundwire.context import Context
from groundwire.model.query import Query, SearchReport

_USUAL = 8  # results that a job takes from a search where nobody says how many


def most_results(context: Context, job_setting: int | None) -> int:
    """Choose how many results a search takes: the job's own setting, else the shared one."""
    return job_setting or context.parts.results or _USUAL


async def search_all(
    context: Context, queries: Sequence[Query], occasion: str
) -> list[SearchReport]:
    """Run all queries at once; a failed search and an empty one stay different."""
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
