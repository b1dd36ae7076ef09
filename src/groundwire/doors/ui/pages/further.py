"""On from a finished run: a further question, the same but deeper, or one of its sentences."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from groundwire.app.submission import DOOR
from groundwire.doors.ui.forms import refusal
from groundwire.doors.ui.pages.run import show
from groundwire.doors.ui.run_view import view_run
from groundwire.doors.ui.visits import Form, OwnForm, Visit, VisitHere
from groundwire.errors import Conflict, InputError
from groundwire.jobs import further
from groundwire.model.base import JsonObject

router = APIRouter(include_in_schema=False)


@router.post("/command/further")
async def start(visit: VisitHere, form: OwnForm) -> Response:
    """Start what the pressed button names; what is wrong with a question stands under its box."""
    visit.check("run")
    run_id, kind = form.get("run", ""), form.get("follow_up", "")
    try:
        kind, given = await _input(visit, run_id, form)
        started = await visit.app.submit(kind, given, door=DOOR, exact=True, owner=visit.who)
    except InputError as error:
        if not kind:
            raise
        return await show(
            visit, run_id, status=422, asked=form.get("text", ""), refused=refusal(error, visit.say)
        )
    return RedirectResponse(f"/runs/{started.id}", 303)


async def _input(visit: Visit, run_id: str, form: Form) -> tuple[str, JsonObject]:
    """Return the job and its input; only what the run itself offers is started."""
    if "sentence" in form:
        kind, _, name = form["sentence"].partition(":")
        return kind, await _of_sentence(visit, run_id, kind, name)
    run = await visit.app.runs.get_owned(visit.who, run_id)
    if "deeper" in form:
        found = further.deeper(run)
        if found is None:
            raise Conflict("error.nothing_further")
        return found.kind, found.given
    wanted = form.get("follow_up", "")
    offered = next((each for each in further.follow_ups(run) if each.kind == wanted), None)
    if offered is None:
        raise Conflict("error.nothing_further")
    return offered.kind, {offered.subject: form.get("text", ""), **offered.given}


async def _of_sentence(visit: Visit, run_id: str, kind: str, name: str) -> JsonObject:
    """Return the input for a sentence that the run's page shows: its words come from the result."""
    view = await view_run(visit, run_id)
    if kind not in further.for_sentences(view.run):
        raise Conflict("error.nothing_further")
    text = view.content.sentences.get(name)
    given = {} if text is None else further.on_sentence(kind, text, view.run)
    if not given:
        raise Conflict("error.no_such_sentence", hint="hint.load_again")
    return given
