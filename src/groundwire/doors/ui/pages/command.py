"""The command bar: a guess while somebody types, and a start without a script."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import RedirectResponse, Response

from groundwire.app.submission import DOOR
from groundwire.doors.ui import guessing
from groundwire.doors.ui.pages.desk import show
from groundwire.doors.ui.visits import OwnForm, VisitHere
from groundwire.errors import Conflict, InputError, UserError
from groundwire.evidence.sources.urls import is_address
from groundwire.jobs import report_of
from groundwire.jobs.pages import offers
from groundwire.model.base import JsonObject
from groundwire.words import words

router = APIRouter(include_in_schema=False)


@router.get("/command/guess")
async def guess(
    _visit: VisitHere, text: Annotated[str, Query(max_length=guessing.LOOKED_AT)] = ""
) -> JsonObject:
    """Guess the job that a text is meant for; `page`: it is an address, which is read first."""
    found = guessing.guess(text)
    page = {"page": True} if is_address(text[found.skip :]) else {}
    return {"kind": found.kind, "skip": found.skip, **page}


@router.post("/command")
async def start(visit: VisitHere, form: OwnForm) -> Response:
    """Start what was typed and go to its page; errors are shown under the bar."""
    text, kind = form.get("text", ""), form.get("kind", "")
    try:
        run_id = await _start(visit, text, kind, form.get("as_of", ""))
    except UserError as error:
        message = error.describe(visit.say.language)
        shown = f"{message[:1].upper()}{message[1:]}"
        return await show(visit, status=422, typed=text, chosen=kind, command_error=shown, here="/")
    return RedirectResponse(f"/runs/{run_id}", 303)


@router.post("/command/offer")
async def take_offer(visit: VisitHere, form: OwnForm) -> Response:
    """Start what was offered for the page that a run has read."""
    visit.check("run")
    app, kind = visit.app, form.get("kind", "")
    reading = await app.runs.get_owned(visit.who, form.get("run", ""))
    page = report_of(reading).page(reading)
    if page is None:
        raise Conflict("error.no_page_read")
    say = words(page.language)
    offer = next((each for each in offers(page, say) if each.kind == kind), None)
    if offer is None:
        raise InputError("error.no_such_kind", kind=kind[:40])
    run = await app.submit(kind, offer.given, door=DOOR, exact=True, owner=visit.who)
    return RedirectResponse(f"/runs/{run.id}", 303)


async def _start(visit: VisitHere, text: str, kind: str, as_of: str) -> str:
    visit.check("run")
    guessed = guessing.guess(text)
    command = guessing.command(kind or guessed.kind)
    if command is None:
        raise InputError("error.no_such_kind", kind=kind[:40])
    # A word that names the job is no part of the text.
    subject = text[guessed.skip :] if guessed.named and guessed.kind == command.kind else text
    app = visit.app
    if is_address(subject) and command.pages:
        run = await app.call("read", {"url": subject.strip()}, exact=True, owner=visit.who)
        return run.id
    job_input: JsonObject = {command.field: subject}
    if as_of and command.until:
        job_input[command.until] = as_of
    run = await app.submit(command.kind, job_input, door=DOOR, exact=True, owner=visit.who)
    return run.id
