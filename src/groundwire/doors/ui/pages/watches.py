"""Watches: what is looked at again and again; one of them, with its claims over time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from groundwire import jobs
from groundwire.app import schedule_views as views
from groundwire.app.schedules import local_day
from groundwire.app.submission import DOOR
from groundwire.doors.ui.forms import refusal
from groundwire.doors.ui.pages.run import show as show_run
from groundwire.doors.ui.render import page
from groundwire.doors.ui.visits import Form, OwnForm, Visit, VisitHere
from groundwire.errors import InputError, UserError
from groundwire.model.change import Belief, Change
from groundwire.model.run import Run
from groundwire.model.schedule import Schedule
from groundwire.model.source import publisher_name
from groundwire.words import Words

router = APIRouter(include_in_schema=False)
_MOST = 200  # in the list
_RUNS, _SENT = 20, 20
_BUDGETS = ("run_usd", "day_usd", "month_usd")
_FIELDS = ("text", "schedule", "zone", "quiet", "to", *_BUDGETS)


class Moment(NamedTuple):
    """A place of the slider: a run that has a result, and its day."""

    run: str
    at: datetime
    day: date


class Source(NamedTuple):
    """A page that a claim rests on, once for each publisher."""

    publisher: str
    href: str
    quote: str


@router.get("/watches")
async def listing(visit: VisitHere) -> HTMLResponse:
    """List the watches, with a form to make one."""
    return await _list(visit, {"schedule": visit.say("watches.rule.1"), "zone": "UTC"})


async def _list(visit: Visit, typed: Form, refused: str = "", status: int = 200) -> HTMLResponse:
    found = await visit.app.schedules.listed(visit.who, _MOST)
    asks = views.asked_for(jobs.standing(), visit.say)
    names = [each.name for each in asks]
    return page(
        visit,
        "watches.html",
        active="watches",
        status=status,
        lines=[
            (each, views.view_of(each.schedule), views.given_of(each.schedule, visit.say))
            for each in found
        ],
        kept=await visit.app.schedules.kept(),
        form={name: typed.get(name, "") for name in (*_FIELDS, *names)},
        asks=asks,
        more_typed=any(typed.get(name) for name in names),
        kind=jobs.standing(),
        refused=refused,
        may_run=visit.who.may("run"),
    )


@router.post("/watches")
async def make(visit: VisitHere, form: OwnForm) -> Response:
    """Make a watch of a text, or of a finished run."""
    visit.check("run")
    run_id = form.get("run", "")
    try:
        made = await _make(visit, form, run_id)
    except UserError as error:
        said = refusal(error, visit.say)
        if error.hints and (advice := error.advice(visit.say.language)):
            said = f"{said} · {advice}"
        if run_id:
            return await show_run(visit, run_id, status=422, keep_refused=said, keep=dict(form))
        return await _list(visit, form, said, 422)
    return RedirectResponse(f"/watches/{made.id}", 303)


async def _make(visit: Visit, form: Form, run_id: str) -> Schedule:
    terms = views.Terms.model_construct(
        schedule=form.get("schedule", ""),
        zone=form.get("zone", ""),
        quiet=form.get("quiet", ""),
        to=tuple(form.get("to", "").split()),
        budgets_usd=views.Spending(
            **{name.removesuffix("_usd"): _usd(form.get(name, "")) for name in _BUDGETS}
        ),
    )
    schedules = visit.app.schedules
    if run_id:
        run = await visit.app.runs.get_owned(visit.who, run_id)
        return await schedules.add_from(run, terms, owner=visit.who)
    kind = jobs.standing()
    given = {jobs.find(kind).subject: form.get("text", "")}
    names = (each.name for each in views.asked_for(kind, visit.say))
    given |= {name: form[name].strip() for name in names if form.get(name, "").strip()}
    return await schedules.add(kind, given, terms, owner=visit.who, door=DOOR, exact=False)


def _usd(text: str) -> float | None:
    if not text.strip():
        return None
    try:
        usd = float(text)
    except ValueError:
        usd = -1.0
    if not 0 <= usd <= 1e6:
        raise InputError("error.no_budget", hint="hint.budget")
    return usd


@router.post("/watches/{watch_id}/act")
async def act(watch_id: str, visit: VisitHere, form: OwnForm) -> Response:
    """Do what the pressed button says."""
    visit.check("run")
    schedules = visit.app.schedules
    found = await schedules.find(watch_id, visit.who)
    match form.get("act"):
        case "run":
            run = await schedules.run(found)
            return RedirectResponse(f"/runs/{run.id}", 303)
        case "pause":
            await schedules.pause(found)
        case "resume":
            await schedules.resume(found)
        case "remove":
            await schedules.remove(found)
            return RedirectResponse("/watches", 303)
        case _:
            raise InputError("error.form_unreadable", hint="hint.load_page_again")
    return RedirectResponse(f"/watches/{found.id}", 303)


@router.get("/watches/{watch_id}")
async def show(
    watch_id: str,
    visit: VisitHere,
    at: Annotated[int | None, Query(ge=0, le=100_000)] = None,
    day: Annotated[str, Query(max_length=20)] = "",
) -> HTMLResponse:
    """Show what is believed and what changed, at the place of the slider or on a day."""
    schedules = visit.app.schedules
    found = await schedules.find(watch_id, visit.who)
    moments = [
        Moment(run_id, moment, local_day(found, moment))
        for run_id, moment in await schedules.moments(found)
    ]
    place = _place(moments, at, _day(day))
    run = None if place is None else await visit.app.runs.get(moments[place].run)
    looked = (await schedules.looked(visit.who)).get(found.id)
    changed = _changes(run, visit.say)
    response = page(
        visit,
        "watches/one.html",
        active="watches",
        schedule=found,
        view=views.view_of(found),
        kept=await schedules.kept(),
        moments=moments,
        place=place,
        shown=None if place is None else moments[place],
        day=day,
        claims=_claims(run, visit.say),
        told=[each for each in changed if each[0][0].alerts],
        noted=[each for each in changed if not each[0][0].alerts],
        asked=views.given_of(found, visit.say),
        can_change=run is not None and jobs.find(found.kind).changes is not None,
        runs=(await schedules.history(found, _RUNS)).runs,
        sent=[views.sent_of(each) for each in await schedules.sent(found, _SENT)],
        spent=await schedules.spent(found),
        looked=looked,
        may_run=visit.who.may("run"),
    )
    await schedules.look(found, visit.who)
    return response


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _place(moments: Sequence[Moment], at: int | None, day: date | None) -> int | None:
    """Return which moment is shown: the one asked for, the last by a day, or the last of all."""
    if not moments:
        return None
    if day is not None:
        by_then = [place for place, each in enumerate(moments) if each.day <= day]
        return by_then[-1] if by_then else None
    return len(moments) - 1 if at is None else min(at, len(moments) - 1)


def _claims(run: Run | None, say: Words) -> Sequence[tuple[Sequence[Belief], Sequence[Source]]]:
    if run is None:
        return ()
    once = views.believed_once(jobs.beliefs_of(run, say.language))
    return [(each, sources_of(each, run, say)) for each in once]


def _changes(run: Run | None, say: Words) -> Sequence[tuple[Sequence[Change], Sequence[Source]]]:
    if run is None:
        return ()
    once = views.told_once(jobs.changes_of(run, say.language))
    sides = ([side for c in each if (side := c.after or c.before)] for each in once)
    return [(each, sources_of(side, run, say)) for each, side in zip(once, sides, strict=True)]


def sources_of(beliefs: Sequence[Belief], run: Run, say: Words) -> Sequence[Source]:
    """List who says so, once for each publisher, as links to the run's evidence."""
    found: dict[str, Source] = {}
    for each in (citation for belief in beliefs for citation in belief.citations):
        name = publisher_name(each.publisher, say) or each.url
        found.setdefault(name, Source(name, f"/runs/{run.id}#evidence", each.quote))
    return tuple(found.values())
