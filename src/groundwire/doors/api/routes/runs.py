"""Runs: start one, list them, look at one, stop it, try it again, judge it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import ValidationError

from groundwire import jobs, plugins
from groundwire.app import exports
from groundwire.app.confirmation import confirm as confirm_run
from groundwire.app.judgements import Labelling
from groundwire.app.submission import DOOR, options_of
from groundwire.doors.api import schemas
from groundwire.doors.api import schemas_runs as shapes
from groundwire.doors.api.door import DeskHere, Reader, Runner
from groundwire.doors.language import language_of
from groundwire.errors import Conflict, InputError
from groundwire.model.base import JsonObject
from groundwire.model.phrase import phrase
from groundwire.model.run import FINISHED, Run, RunFilter, RunState
from groundwire.words import words

router = APIRouter(prefix="/api/runs", tags=["runs"])


def _named_kinds(schema: JsonObject) -> None:
    schema["enum"] = list(jobs.kinds())


Kind = Annotated[str | None, Query(description="of this job only", json_schema_extra=_named_kinds)]

_LINKED = tuple(
    f"runs_{name}"
    for name in (
        "show", "events", "calls", "export", "cancel", "resume", "confirm", "replay", "feedback",
    )
)  # fmt: skip


@router.post(
    "",
    status_code=202,
    summary="Start a run",
    response_description="It is stored.",
    responses={
        202: {
            **schemas.leads_to(*_LINKED, run_id="$response.body#/id"),
            "headers": schemas.LOCATION,
        }
    },
)
async def start(
    wanted: shapes.Wanted,
    response: Response,
    desk: DeskHere,
    who: Runner,
    idempotency_key: schemas.IdempotencyKey = None,
) -> shapes.Started:
    """Start a run; it goes on whatever becomes of this connection. Follow it by its events.

    The job that is kept on a schedule takes `{"watch_id": …}` instead of its input, too: a watch is
    run now.
    """
    names = [each.kind for each in jobs.offered()]
    if wanted.kind not in names:
        raise plugins.unknown("noun.job", wanted.kind, names)
    if jobs.find(wanted.kind).standing and wanted.input.keys() == {"watch_id"}:
        kept = await desk.app.schedules.find(str(wanted.input["watch_id"]), who)
        return _accepted(await desk.app.schedules.run(kept), response)
    run = await desk.app.submit(
        wanted.kind,
        wanted.input,
        door=DOOR,
        exact=True,
        owner=who,
        settings=options_of(wanted.options),
        idempotency_key=idempotency_key,
        budget_usd=wanted.budget_usd,
    )
    return _accepted(run, response)


def _accepted(run: Run, response: Response) -> shapes.Started:
    shown = shapes.started(run)
    response.headers["Location"] = shown.links.self
    return shown


@router.get(
    "",
    summary="List runs, newest first",
    responses={200: schemas.leads_to(*_LINKED, run_id="$response.body#/runs/0/id")},
)
async def listing(
    request: Request,
    desk: DeskHere,
    who: Reader,
    kind: Kind = None,
    status: Annotated[RunState | None, Query(description="in this state only")] = None,
    q: Annotated[schemas.Words, Query(description="words that stand in what was typed")] = "",
    cursor: schemas.Cursor = None,
    limit: schemas.Limit = 20,
) -> shapes.RunList:
    """List the caller's own runs; whoever has the scope admin sees all."""
    if kind is not None:
        jobs.find(kind)  # an unknown one is refused with the nearest
    wanted = RunFilter(owner=who.sees, kind=kind, state=status, text=q)
    page = await desk.app.runs.page(wanted, cursor, limit)
    say = words(language_of(request))
    return shapes.RunList(
        runs=tuple(shapes.brief(run, desk.app.known, say) for run in page.runs), next=page.next
    )


@router.get("/{run_id}", response_model=shapes.RunView, summary="A run and its result")
async def show(
    run_id: schemas.RunId, request: Request, desk: DeskHere, who: Reader
) -> JSONResponse:
    """Return a run; once it has ended, with its result in the form of its job."""
    run = await desk.app.runs.get_owned(who, run_id)
    return JSONResponse(shapes.view(run, desk.app.known, words(language_of(request))))


@router.post("/{run_id}/cancel", status_code=202, summary="Stop a run")
async def cancel(run_id: schemas.RunId, desk: DeskHere, who: Runner) -> shapes.Started:
    """Stop a run: one that is queued ends at once, one that runs ends with its next step."""
    return shapes.started(await desk.app.cancel(await desk.app.runs.get_owned(who, run_id)))


@router.post("/{run_id}/resume", status_code=202, summary="Try again what failed")
async def resume(run_id: schemas.RunId, desk: DeskHere, who: Runner) -> shapes.Started:
    """Start a new attempt: calls that were answered are not repeated. A run under way goes on."""
    return shapes.started(await desk.app.resume(await desk.app.runs.get_owned(who, run_id)))


@router.post("/{run_id}/confirm", status_code=202, summary="Let a run that waits go on")
async def confirm(
    run_id: schemas.RunId, desk: DeskHere, who: Runner, word: shapes.Confirming | None = None
) -> shapes.Started:
    """Confirm what a run that waits proposes, as it is or edited."""
    run = await desk.app.runs.get_owned(who, run_id)
    edited, proposal = (word.edited, word.proposal) if word is not None else ({}, "")
    return shapes.started(await confirm_run(desk.app, run, edited, by=who.name, proposal=proposal))


@router.post("/{run_id}/replay", summary="Run it again from its record")
async def replay(
    run_id: schemas.RunId, request: Request, desk: DeskHere, who: Runner
) -> shapes.Replayed:
    """Replay a run without any call: is the result the same, and what differs?"""
    run = _require_end(await desk.app.runs.get_owned(who, run_id))
    try:
        found = await exports.replay_run(desk.app, run)
    except ValidationError:
        raise Conflict("error.older_input") from None
    return shapes.replayed(found, words(language_of(request)))


@router.post("/{run_id}/feedback", summary="Say what came of a signal")
async def feedback(
    run_id: schemas.RunId, judged: shapes.Judged, desk: DeskHere, who: Runner
) -> Labelling:
    """Record what came of a signal; the newest label holds. Confidence is calibrated by it."""
    run = _require_end(await desk.app.runs.get_owned(who, run_id))
    try:
        return await desk.app.judgements.label(
            run.id, judged.outcome, by=who.name, note=judged.note
        )
    except InputError as error:  # it is about the run, not the label
        raise Conflict(error.says, hint=error.hints, **error.params) from error


@router.get("/{run_id}/calls", summary="What a run sent for and read")
async def calls(
    run_id: schemas.RunId,
    desk: DeskHere,
    who: Reader,
    responses: Annotated[schemas.Switch, Query(description="with what was answered")] = False,
) -> shapes.CallList:
    """List the calls of a run, without secrets: who was asked what, how, at what cost."""
    run = await desk.app.runs.get_owned(who, run_id)
    records = await desk.app.runs.calls(run.id)
    left_out = set[str]() if responses else {"response"}
    shown = [
        shapes.CallView.model_validate(
            desk.app.redactor.value(each.model_dump(mode="json", exclude=left_out))
        )
        for each in sorted(records, key=lambda each: (each.started_at, each.key))
    ]
    return shapes.CallList(calls=tuple(shown))


def _require_end(run: Run) -> Run:
    if run.state not in FINISHED:
        raise Conflict(
            "error.run_is", state=phrase(f"state.{run.state}"), run=run.id, hint="hint.follow_api"
        )
    return run
