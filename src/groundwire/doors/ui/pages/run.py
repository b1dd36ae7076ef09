"""A run: its story, its result as it grows, and the evidence behind it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Annotated, Literal, NamedTuple, cast

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from groundwire.app.confirmation import schema_of
from groundwire.app.exports import forms_of
from groundwire.doors.ui.render import fragment, page
from groundwire.doors.ui.run_view import RunView, look
from groundwire.doors.ui.visits import Visit, VisitHere
from groundwire.errors import Conflict
from groundwire.jobs import report_of
from groundwire.jobs.pages import Offer, offers
from groundwire.model.base import Json, JsonObject
from groundwire.model.call import MICRO, CallLine
from groundwire.model.run import Run
from groundwire.model.story import called_for
from groundwire.report.blocks import Report, Waterfall, WaterfallStep
from groundwire.report.plain import as_set, one_line
from groundwire.report.story import for_script, label, line, rows
from groundwire.report.waterfall import bars, skyline
from groundwire.words import Words

router = APIRouter(include_in_schema=False)
FieldKind = Literal["text", "integer", "number", "boolean", "list", "json"]
_EXPECTED = 4  # sentences that space is kept for


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
    shared: int  # answered by the cache, or by a call of another run
    failed: int
    usd: float
    seconds: float
    providers: tuple[str, ...]


class FormField(NamedTuple):
    """A field of a proposal as a person edits it."""

    name: str
    label: str
    kind: FieldKind
    value: str  # of a list, its items one on each line
    about: str


class ProposalForm(NamedTuple):
    """A proposal that waits for a person's word."""

    id: str
    fields: tuple[FormField, ...]
    until: datetime | None


@router.get("/runs/{run_id}")
async def run_page(run_id: str, visit: VisitHere) -> HTMLResponse:
    """The whole page, complete for what is stored by now."""
    return page(visit, "run.html", active="runs", status=200, **await _shown(visit, run_id))


@router.get("/runs/{run_id}/parts")
async def parts(
    run_id: str, visit: VisitHere, thoughts: Annotated[bool, Query()] = False
) -> HTMLResponse:
    """What changes while a run goes on; `thoughts`: with their chain."""
    shown = {**await _shown(visit, run_id), "with_lines": thoughts}
    response = HTMLResponse(fragment(visit, "run/parts.html", **shown))
    visit.let_in(response)
    return response


async def _shown(visit: Visit, run_id: str) -> dict[str, object]:
    view = await look(visit, run_id)
    app, run, draft, content = visit.app, view.run, view.draft, view.content
    costs = _spent(await app.runs.call_lines(run.id), partial(called_for, draft.steps))
    stored = 1
    if view.over and content.ledger is None:
        stored = (await app.archive.stats()).documents
    judged = view.judged and run.result is not None
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
        "story_data": for_script(draft.story, run.kind, view.say),
        "lines": _lines(view),
        "with_lines": True,
        "costs": costs,
        "usd_spent": sum(each.usd for each in costs),
        "forms": forms_of(run) if view.over else (),
        "pending_verdict": view.judged and run.result is None,
        "expected": _EXPECTED if _answers(view) and not (view.over or draft.sentences) else 0,
        "proposal": form_for(run, view.say),
        "offers": _offers(view),
        "judged": judged,
        "history": await app.judgements.history(run.id) if judged else (),
        "may_run": visit.who.may("run"),
        "empty_archive": not stored,
        "found_nothing": view.searches and content.ledger is None,
        "why": one_line(_why(run, view.say)),
        "bars": bars,
        "skyline": skyline(_steps(content.report)),
    }


def _offers(view: RunView) -> tuple[Offer, ...]:
    """Return what can be done with the page that the run has read, if that was what it did."""
    page = report_of(view.run).page(view.run) if view.over else None
    return () if page is None else offers(page, view.say)


def _steps(report: Report) -> tuple[WaterfallStep, ...]:
    """Return how its confidence came about, if it has one."""
    return next((each.steps for each in report.blocks if isinstance(each, Waterfall)), ())


def _answers(view: RunView) -> bool:
    """Tell whether the job says sentences one by one."""
    return any("answer" in step.events for step in view.draft.steps if len(view.draft.steps) > 1)


def _why(run: Run, say: Words) -> str:
    """Why it failed: its error, or what its result says is missing."""
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
    """In the order in which the steps first called."""
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
            seconds=sum(call.latency_ms for call in group) / 1000,
            providers=tuple(dict.fromkeys(call.provider for call in group)),
        )
        for step, group in groups.items()
    )


# --- what it proposes, as a form -----------------------------------------------------------------


def form_for(run: Run, say: Words) -> ProposalForm | None:
    """Return the form of what a run waits for; None: it waits for nothing."""
    asked = run.waiting
    if run.state != "waiting" or asked is None:
        return None
    about = _described(run)
    fields = tuple(
        FormField(
            name=name,
            label=say.maybe(f"{run.kind}.field.{name}", say.name("field", name)),
            kind=(kind := _kind(value)),
            value=as_set(_written(value, kind)),
            about=one_line(about.get(name, "")),
        )
        for name, value in asked.fields.items()
    )
    return ProposalForm(id=asked.id, fields=fields, until=asked.until)


def _described(run: Run) -> Mapping[str, str]:
    """Return what the job says of its fields; of a job of another version, nothing."""
    try:
        fields = cast(JsonObject, schema_of(run).get("properties") or {})
    except Conflict:
        return {}
    return {
        name: str(cast(JsonObject, each).get("description") or "")
        for name, each in fields.items()
        if isinstance(each, dict)
    }


def _kind(value: Json) -> FieldKind:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "integer" if isinstance(value, int) else "number"
    if isinstance(value, str):
        return "text"
    plain = isinstance(value, list) and all(
        isinstance(each, str) and "\n" not in each for each in cast("list[Json]", value)
    )
    return "list" if plain else "json"


def _written(value: Json, kind: FieldKind) -> str:
    if kind == "text":
        return str(value)
    if kind == "list":
        return "\n".join(cast("list[str]", value))
    return json.dumps(value, ensure_ascii=False, indent=2 if kind == "json" else None)
