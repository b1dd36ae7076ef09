"""seek: searches for one thing, as any job makes them."""

from __future__ import annotations

from groundwire.context import Context
from groundwire.gather.recoveries import recovered_searches
from groundwire.gather.searches import search_all
from groundwire.jobs import Job
from groundwire.model.base import Value
from groundwire.model.query import Query, SearchReport
from groundwire.model.result import Cost, Recovered


class SeekInput(Value):
    queries: tuple[Query, ...]
    further: int = 3


class SeekResult(Value):
    run_id: str
    status: str = "complete"
    reports: tuple[SearchReport, ...]
    recovered: tuple[Recovered, ...]
    cost: Cost = Cost()


async def run(context: Context, given: SeekInput) -> SeekResult:
    reports = await search_all(context, given.queries, "", further=given.further)
    return SeekResult(
        run_id=context.run_id, reports=tuple(reports), recovered=recovered_searches(reports)
    )


JOB = Job(kind="seek", input=SeekInput, result=SeekResult, run=run, draw=lambda: "graph TD;")
