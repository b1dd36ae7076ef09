"""Searching for several things side by side, and what is tried where nothing is found."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from groundwire.context import Context
from groundwire.language.text.wording import is_han
from groundwire.model.call import Recovery
from groundwire.model.query import EMPTY, Query, SearchReport
from groundwire.reasoning.plan_queries import in_both_languages, query_key
from groundwire.search.phrasing import keywords

_USUAL = 8  # results that a job takes from a search where nobody says how many
_FEW = 3  # words of a simpler query


def most_results(context: Context, job_setting: int | None) -> int:
    """Choose how many results a search takes: the job's own setting, else the shared one."""
    return job_setting or context.parts.results or _USUAL


async def search_all(
    context: Context, queries: Sequence[Query], occasion: str, *, further: int = 0
) -> list[SearchReport]:
    """Run all queries at once; a failed search and an empty one stay different.

    Where they are all for one thing and not one of them has a hit, up to `further` more searches
    are made for it, one after the other, until one has. They need somebody who sees the whole web
    and has answered: of a failed search nobody knows whether other words are needed.
    """
    reports = await asyncio.gather(
        *(
            _search(context.step(str(number)), query, occasion)
            for number, query in enumerate(queries)
        )
    )
    empty = next((number for number, report in enumerate(reports) if report.empty), None)
    if further and empty is not None and not any(report.hits for report in reports):
        asked = {query_key(query.text) for query in queries}
        ways = islice(_ways(queries[empty], asked), further)
        reports[empty] = await _retrieve(context.step(str(empty)), reports[empty], ways, occasion)
    return reports


async def _search(context: Context, query: Query, occasion: str) -> SearchReport:
    """Search, and announce what came of it."""
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


def _ways(query: Query, asked: Collection[str]) -> Iterator[tuple[str, Query]]:
    """Yield what to search for instead, in order; nothing that was searched for already."""
    simple = " ".join(keywords(query.text, _FEW))
    foreign = in_both_languages(simple)[1]
    language = "en" if is_han(query.text) else "zh"
    if simple and query_key(simple) not in asked:
        yield "simpler", query.model_copy(update={"text": simple})
    if foreign and query_key(foreign) not in {*asked, query_key(simple)}:
        yield "language", query.model_copy(update={"text": foreign, "language": language})
    if simple and (query.platform or query.include_domains):
        anywhere = {"text": simple, "platform": "", "include_domains": ()}
        yield "place", query.model_copy(update=anywhere)


async def _retrieve(
    context: Context, empty: SearchReport, ways: Iterator[tuple[str, Query]], occasion: str
) -> SearchReport:
    """Search in these ways until one finds something; the report stays that of the first query."""
    recoveries = empty.recoveries
    for way, query in ways:
        report = await _search(context.step(way), query, f"{occasion}/{way}")
        tried = Recovery.of(EMPTY, way, worked=bool(report.hits))
        recoveries = (*recoveries, tried, *report.recoveries)
        if report.hits:
            failures = (*empty.failures, *report.failures)
            found = {"query": empty.query, "failures": failures, "recoveries": recoveries}
            return report.model_copy(update=found)
    return empty.model_copy(update={"recoveries": recoveries})
