"""Watches: any job's input on a schedule; made, listed, looked at, run by hand, paused, removed."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response
from pydantic import Field

from groundwire import jobs
from groundwire.app import schedule_views as views
from groundwire.app.submission import DOOR, options_of
from groundwire.doors.api import schemas
from groundwire.doors.api import schemas_runs as shapes
from groundwire.doors.api.door import DeskHere, Reader, Runner
from groundwire.errors import InputError
from groundwire.model.base import Instant, JsonObject, Value

router = APIRouter(prefix="/api/watches", tags=["watches"])
WatchId = Annotated[
    str, Path(pattern=r"^st-[0-9a-f]{10}$", examples=["st-1f3a5c7e90"], description="a watch's id")
]

_LINKED = tuple(
    f"watches_{name}"
    for name in ("show", "remove", "pause", "resume", "run", "diff", "history", "claims", "alerts")
)


class WatchWanted(views.Terms):
    """A watch to make: of a job's input, or of a finished run."""

    kind: str = Field(default="", max_length=40, description="the job; empty: the one for it")
    input: JsonObject = Field(default_factory=dict, description="as for a run of that job")
    run_id: str = Field(default="", max_length=80, description="a finished run to be kept instead")
    options: JsonObject = Field(default_factory=dict, description="settings of its runs alone")


class Look(Value):
    """How it is run by hand."""

    at: Instant | None = Field(default=None, description="the run's clock; null: now")


@router.post(
    "",
    status_code=201,
    summary="Make a watch",
    responses={201: schemas.leads_to(*_LINKED, watch_id="$response.body#/id")},
)
async def make(wanted: WatchWanted, desk: DeskHere, who: Runner) -> views.ScheduleView:
    """Keep something to be looked at again and again; what cannot be used is refused at once."""
    terms = views.Terms(**wanted.model_dump(include=set(views.Terms.model_fields)))
    settings, schedules = options_of(wanted.options), desk.app.schedules
    if wanted.run_id:
        if wanted.kind or wanted.input:
            raise InputError("schedule.run_or_text")
        run = await desk.app.runs.get_owned(who, wanted.run_id)
        made = await schedules.add_from(run, terms, owner=who, settings=settings)
    else:
        kind = wanted.kind or jobs.standing()
        made = await schedules.add(
            kind, wanted.input, terms, owner=who, settings=settings, door=DOOR, exact=True
        )
    return views.view_of(made)


@router.get(
    "",
    summary="List watches, newest first",
    responses={200: schemas.leads_to(*_LINKED, watch_id="$response.body#/watches/0/id")},
)
async def listing(desk: DeskHere, who: Reader) -> views.ScheduleList:
    """List the caller's own watches; whoever has the scope admin sees all."""
    found = await desk.app.schedules.listed(who)
    kept = await desk.app.schedules.kept()
    return views.ScheduleList(watches=tuple(map(views.row_of, found)), kept=kept)


@router.get("/{watch_id}", summary="A watch")
async def show(watch_id: WatchId, desk: DeskHere, who: Reader) -> views.ScheduleView:
    """Return a watch: what it looks at, how often, who is told and what it may spend."""
    return views.view_of(await desk.app.schedules.find(watch_id, who))


@router.delete("/{watch_id}", status_code=204, summary="Remove a watch")
async def remove(watch_id: WatchId, desk: DeskHere, who: Runner) -> Response:
    """Remove a watch; its runs stay, and one under way goes on."""
    await desk.app.schedules.remove(await desk.app.schedules.find(watch_id, who))
    return Response(status_code=204)


@router.post("/{watch_id}/pause", summary="Let a watch rest")
async def pause(watch_id: WatchId, desk: DeskHere, who: Runner) -> views.ScheduleView:
    """Let a watch rest until it is resumed; a run under way goes on."""
    found = await desk.app.schedules.find(watch_id, who)
    return views.view_of(await desk.app.schedules.pause(found))


@router.post("/{watch_id}/resume", summary="Let a watch go on")
async def resume(watch_id: WatchId, desk: DeskHere, who: Runner) -> views.ScheduleView:
    """Let a watch go on, from the next time that it is due."""
    found = await desk.app.schedules.find(watch_id, who)
    return views.view_of(await desk.app.schedules.resume(found))


@router.post("/{watch_id}/run", status_code=202, summary="Look now")
async def run(
    watch_id: WatchId, desk: DeskHere, who: Runner, look: Look | None = None
) -> shapes.Started:
    """Run a watch by hand; while a run of it goes on, another is a conflict."""
    found = await desk.app.schedules.find(watch_id, who)
    return shapes.started(await desk.app.schedules.run(found, at=look.at if look else None))


@router.get("/{watch_id}/diff", summary="What a run found changed")
async def diff(
    watch_id: WatchId,
    desk: DeskHere,
    who: Reader,
    run_id: Annotated[
        str, Query(max_length=80, description="one of its runs; empty: the last")
    ] = "",
) -> views.Diff:
    """Return each claim that a run found changed: before, after, and who says so."""
    found = await desk.app.schedules.find(watch_id, who)
    if run_id:
        await desk.app.runs.get_owned(who, run_id)
    return await desk.app.schedules.diff(found, run_id)


@router.get("/{watch_id}/history", summary="The runs of a watch")
async def history(
    watch_id: WatchId, desk: DeskHere, who: Reader, limit: schemas.Limit = 20
) -> views.History:
    """List the runs of a watch, those of the latest moment first."""
    found = await desk.app.schedules.find(watch_id, who)
    return await desk.app.schedules.history(found, limit)


@router.get("/{watch_id}/claims", summary="What was believed on a day")
async def claims(
    watch_id: WatchId,
    desk: DeskHere,
    who: Reader,
    day: Annotated[schemas.Day | None, Query(description="in its zone; unset: now")] = None,
) -> views.Believed:
    """Return what was believed when a day ended, claim by claim."""
    found = await desk.app.schedules.find(watch_id, who)
    return await desk.app.schedules.believed(found, day)


@router.get("/{watch_id}/alerts", summary="What was told to whom")
async def alerts(
    watch_id: WatchId, desk: DeskHere, who: Reader, limit: schemas.Limit = 20
) -> tuple[views.Sent, ...]:
    """List what was, or will be, told to whom, the newest first."""
    found = await desk.app.schedules.find(watch_id, who)
    return tuple(views.sent_of(each) for each in await desk.app.schedules.sent(found, limit))
