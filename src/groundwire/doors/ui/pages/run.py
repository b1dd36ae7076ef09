"""A run: its story, its result as it grows, and the evidence behind it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, cast

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from groundwire.app.exports import forms_of
from groundwire.doors.ui.language import tag
from groundwire.doors.ui.looking import look
from groundwire.doors.ui.quotes import stored_page
from groundwire.doors.ui.render import fragment, page
from groundwire.doors.ui.spending import spent
from groundwire.doors.ui.view import Seen, name_of
from groundwire.doors.ui.visits import Visit, VisitHere
from groundwire.evidence.sources.publishers import shown_publisher
from groundwire.model.base import JsonObject
from groundwire.model.run import Run
from groundwire.model.story import called_for
from groundwire.report.plain import as_set, lines, one_line
from groundwire.report.story import for_script, label, line, rows

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class Line:
    """A line of the chain of thoughts."""

    seq: int
    after: float  # seconds since the run began
    type: str
    text: str


@router.get("/runs/{run_id}")
async def run_page(run_id: str, request: Request, visit: VisitHere) -> HTMLResponse:
    """The whole page, complete for what is stored by now."""
    shown = await _shown(request, visit, run_id)
    return page(request, visit, "run.html", active="runs", status=200, **shown)


@router.get("/runs/{run_id}/parts")
async def parts(
    run_id: str, request: Request, visit: VisitHere, thoughts: Annotated[bool, Query()] = False
) -> HTMLResponse:
    """What changes while a run goes on; `thoughts`: with their chain."""
    shown = await _shown(request, visit, run_id)
    shown["with_lines"] = thoughts
    response = HTMLResponse(fragment(request, visit, "run/parts.html", **shown))
    visit.let_in(response)
    return response


async def _shown(request: Request, visit: Visit, run_id: str) -> dict[str, object]:
    seen, how = await look(request, visit, run_id)
    app, run, draft = visit.desk.app, seen.run, seen.draft
    paper = how.paper(seen)
    kind = name_of(run.kind)
    costs = spent(await app.store.ledger.lines(run.id), partial(called_for, draft.steps))
    stored = 1
    if seen.over and paper.ledger is not None and not paper.ledger.articles:
        stored = (await app.store.index.stats()).documents
    return {
        "seen": seen,
        "run": run,
        "state": seen.state,
        "over": seen.over,
        "draft": draft,
        "paper": paper,
        "v": paper.values,
        "more": seen.more,
        "ledger": paper.ledger,
        "view_template": how.template,
        "kind": kind,
        "steps": rows(draft.story, kind, seen.t),
        "step_label": partial(label, kind, say=seen.t),
        "story_data": for_script(draft.story, kind, seen.t),
        "lines": _lines(seen),
        "with_lines": True,
        "costs": costs,
        "usd_spent": sum(each.usd for each in costs),
        "forms": forms_of(run) if seen.over else (),
        "buttons": how.buttons(seen),
        "judged": how.feedback and run.result is not None,
        "may_run": visit.who.may("run"),
        "empty_archive": not stored,
        "why": _why(run),
        "counted": lambda word, n: seen.t(word, n=n),
        "clean": one_line,
        "in_lines": lines,
        "as_set": as_set,
        "tag": tag,
        "publisher": shown_publisher,
        "stored_page": stored_page,
    }


def _why(run: Run) -> str:
    """Why it failed: its error, or what its result says is missing."""
    gaps = (run.result or {}).get("gaps")
    if run.state == "cancelled" or run.error or not isinstance(gaps, list) or not gaps:
        return (run.error or "") if run.state == "failed" else ""
    first = cast("list[object]", gaps)[0]
    return str(cast(JsonObject, first).get("why") or "") if isinstance(first, dict) else ""


def _lines(seen: Seen) -> list[Line]:
    began = seen.draft.began
    return [
        Line(
            seq=event.seq,
            after=0.0 if began is None else max(0.0, (event.at - began).total_seconds()),
            type=event.type,
            text=text,
        )
        for event in seen.draft.lines
        if (text := line(event, seen.draft.steps, seen.t))
    ]
