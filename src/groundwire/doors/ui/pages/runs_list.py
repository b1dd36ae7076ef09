"""All runs as a list: by job, by state, by words."""

from __future__ import annotations

from typing import Annotated, get_args
from urllib.parse import urlencode

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from groundwire.doors.ui.render import page
from groundwire.doors.ui.run_lines import line
from groundwire.doors.ui.visits import VisitHere
from groundwire.jobs import kinds
from groundwire.model.run import RunFilter, RunState

router = APIRouter(include_in_schema=False)
_STATES: tuple[RunState, ...] = get_args(RunState)
_SHOWN = 30
Word = Annotated[str, Query(max_length=200)]


@router.get("/runs")
async def runs(
    visit: VisitHere,
    kind: Word = "",
    state: Word = "",
    q: Word = "",
    cursor: Annotated[str, Query(max_length=400)] = "",
) -> HTMLResponse:
    """Show a stretch of the list, newest first."""
    wanted = RunFilter(
        owner=visit.who.sees,
        kind=kind if kind in kinds() else None,
        state=next((each for each in _STATES if each == state), None),
        text=q,
    )
    stretch = await visit.app.runs.page(wanted, cursor or None, _SHOWN)
    filters = {"kind": wanted.kind or "", "state": wanted.state or "", "q": q}
    return page(
        visit,
        "runs.html",
        active="runs",
        lines=[line(visit, run) for run in stretch.runs],
        kinds=kinds(),
        states=_STATES,
        asked=filters,
        filtered=any(filters.values()),
        beginning=_address(filters) if cursor else "",
        following=_address({**filters, "cursor": stretch.next}) if stretch.next else "",
    )


def _address(values: dict[str, str]) -> str:
    query = urlencode({name: value for name, value in values.items() if value})
    return f"/runs?{query}" if query else "/runs"
