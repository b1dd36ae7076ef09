"""A run: its story, its result as it grows, and the evidence behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, NamedTuple, cast

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from groundwire.app.exports import forms_of
from groundwire.doors.proposals import form_for
from groundwire.doors.ui.phase_graph import phase_graph
from groundwire.doors.ui.render import fragment, page
from groundwire.doors.ui.run_view import RunView, view_run
from groundwire.doors.ui.visits import Visit, VisitHere
from groundwire.jobs import further, report_of
from groundwire.jobs.pages import offers
from groundwire.model.base import JsonObject
from groundwire.model.call import MICRO, CallLine
from groundwire.model.run import Run
from groundwire.model.story import step_of_call
from groundwire.report.blocks import Waterfall
from groundwire.report.plain import one_line
from groundwire.report.story import for_script, label, line, rows
from groundwire.report.waterfall import bars, skyline
from groundwire.words import Words

router = APIRouter(include_in_schema=False)
_EXPECTED = 4  # sentences that space is reserved for


class Line(NamedTuple):
    """A line of the chain of thoughts."""

    seq: int
    after: float  # seconds since the run began
    type: str
    text: str


class Spent(NamedTuple):
    """The outside calls of one step."""

    step: str  # "": of none in particular
    calls: int  # that were sent
    shared: int  # answered by the cache or by another run's call
    failed: int
    usd: float
    providers: tuple[str, ...]


@router.get("/runs/{run_id}")
async def run_page(run_id: str, visit: VisitHere) -> HTMLResponse:
    """Show the whole page, complete for what is stored by now."""
    return await show(visit, run_id)


async def show(visit: Visit, run_id: str, *, status: int = 200, **more: object) -> HTMLResponse:
    """Show the page of a run, with what was typed on it or went wrong."""
    shown = {**await _values(visit, run_id), **more}
    return page(visit, "run.html", active="runs", status=status, **shown)


@router.get("/runs/{run_id}/parts")
async def parts(
    run_id: str, visit: VisitHere, thoughts: Annotated[bool, Query()] = False
) -> HTMLResponse:
    """Show what changes while a run goes on; `thoughts`: with the chain of thoughts."""
    shown = {**await _values(visit, run_id), "with_lines": thoughts}
    response = HTMLResponse(fragment(visit, "run/parts.html", **shown))
    visit.let_in(response)
    return response


async def _values(visit: Visit, run_id: str) -> dict[str, object]:
    view = await view_run(visit, run_id)
    app, run, draft, content = visit.app, view.run, view.draft, view.content
    costs = _spent(await app.runs.call_lines(run.id), partial(step_of_call, draft.steps))
    stored = 1
    if view.over and content.ledger is None:
        stored = (await app.archive.stats()).documents
    judged = view.judged and run.result is not None
    page = report_of(run).page(run) if view.over else None
    # Its sentences come one by one.
    answers = any("answer" in step.events for step in draft.steps if len(draft.steps) > 1)
    falls = (each.steps for each in content.report.blocks if isinstance(each, Waterfall))
    return {
        "run": run,
        "state": view.state,
        "over": view.over,
        "draft": draft,
        "content": content,
        "report": content.report,
        "ledger": content.ledger,
        "kind": run.kind,
        "steps": rows(draft.story, run.kind, view.say),
        "step_label": partial(label, run.kind, say=view.say),
        "phases": phase_graph(run.kind, draft.story, view.say),
        "story_data": for_script(draft.story, run.kind, view.say),
        "lines": _lines(view),
        "with_lines": True,
        "costs": costs,
        "usd_spent": sum(each.usd for each in costs),
        "forms": forms_of(run) if view.over else (),
        "pending_verdict": view.judged and run.result is None,
        "expected": _EXPECTED if answers and not (view.over or draft.sentences) else 0,
        "form_fields": form_for(run, view.say),
        "offers": () if page is None else offers(page, view.say),
        "follow_ups": further.follow_ups(run),
        "asked": "",  # in a follow-up that was refused
        "refused": "",
        "keep": {},  # what was typed to turn it into a watch
        "keep_refused": "",
        "deeper": further.deeper(run) is not None,
        "sentence_kinds": further.for_sentences(run) if visit.who.may("run") else (),
        "judged": judged,
        "history": await app.judgements.history(run.id) if judged else (),
        "may_run": visit.who.may("run"),
        "empty_archive": not stored,
        "found_nothing": view.searches and content.ledger is None,
        "why": one_line(_why(run, view.say)),
        "bars": bars,
        "skyline": skyline(next(falls, ())),
    }


def _why(run: Run, say: Words) -> str:
    """Tell why it failed: its error, or what its result says is missing."""
    gaps = (run.result or {}).get("gaps")
    if run.state == "cancelled" or run.error or not isinstance(gaps, list) or not gaps:
        return say.stored(run.error) if run.state == "failed" else ""
    first = cast("list[object]", gaps)[0]
    if not isinstance(first, dict):
        return ""
    gap = cast(JsonObject, first)
    return say(str(gap.get("why") or ""), **cast(JsonObject, gap.get("params") or {}))


def _lines(view: RunView) -> list[Line]:
    found: list[Line] = []
    for event in view.draft.lines:
        if text := line(event, view.draft.steps, view.say):
            after = (event.at - (view.draft.began or event.at)).total_seconds()
            found.append(Line(event.seq, max(0.0, after), event.type, text))
    return found


def _spent(lines: Sequence[CallLine], step_of: Callable[[CallLine], str]) -> tuple[Spent, ...]:
    """Sum up the calls of each step, in the order in which the steps first called."""
    groups: dict[str, list[CallLine]] = {}
    for each in lines:
        groups.setdefault(step_of(each), []).append(each)
    return tuple(
        Spent(
            step=step,
            calls=sum(1 for call in group if call.via == "sent"),
            shared=sum(1 for call in group if call.via in ("cache", "joined")),
            failed=sum(1 for call in group if call.outcome == "failed"),
            usd=sum(call.micro for call in group) / MICRO,
            providers=tuple(dict.fromkeys(call.provider for call in group)),
        )
        for step, group in groups.items()
    )
