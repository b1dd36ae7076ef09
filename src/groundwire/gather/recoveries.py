"""How failures on the way to evidence were made up for, as results list it."""

from __future__ import annotations

from collections.abc import Iterable

from groundwire.gather.pages import ReadPage
from groundwire.model.query import SearchReport
from groundwire.model.result import Recovered
from groundwire.model.source import Evidence


def recovered_searches(reports: Iterable[SearchReport]) -> tuple[Recovered, ...]:
    """List the recoveries of searches, each under its query."""
    return tuple(
        Recovered(part="search", subject=report.query.text, **each.model_dump())
        for report in reports
        for each in report.recoveries
    )


def recovered_pages(pages: Iterable[Evidence | None]) -> tuple[Recovered, ...]:
    """List the recoveries of pages that were read, each under its evidence."""
    return tuple(
        Recovered(part="page", subject=page.id, **each.model_dump())
        for page in pages
        if page is not None
        for each in page.recoveries
    )


def recovered_reading(pages: Iterable[ReadPage]) -> tuple[Recovered, ...]:
    """List what was tried to have each page; one that could not be had stands under its address."""
    return tuple(
        Recovered(
            part="page",
            subject=page.evidence.id if page.evidence else page.hit.url,
            **each.model_dump(),
        )
        for page in pages
        for each in page.recoveries
    )
