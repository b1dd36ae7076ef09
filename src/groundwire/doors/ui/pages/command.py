"""The command bar: a guess while one types, and a start without a script."""

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
    """The job that a text looks meant for; `page`: it is an address, which is read first."""
    found = guessing.guess(text)
    page = {"page": True} if is_address(text[found.skip :]) else {}
    return {"kind": found.kind, "skip": found.skip, **page}


@router.post("/command")
async def start(visit: VisitHere, form: OwnForm) -> Response:
    """Start what was typed and go to its page; what is wrong stands under the bar."""
    text, kind = form.get("text", ""), form.get("kind", "")
    try:
        run_id = await _start(visit, text, kind, form.get("as_of", ""))
    except UserError as error:
        told = error.told(visit.say.language)
        said = f"{told[:1].upper()}{told[1:]}"
        return await show(visit, status=422, typed=text, chosen=kind, command_error=said, here="/")
    return RedirectResponse(f"/runs/{run_id}", 303)


@router.post("/command/offer")
async def take_offer(visit: VisitHere, form: OwnForm) -> Response:
    """Start what was offered for the page that a run has read."""
    visit.check("run")
    app, kind = visit.app, form.get("kind", "")
    read = await app.runs.own(visit.who, form.get("run", ""))
    page = report_of(read).page(read)
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
    # What says the kind outright is no part of the text.
    given = text[guessed.skip :] if guessed.said and guessed.kind == command.kind else text
    app = visit.app
    if is_address(given) and command.pages:
        run = await app.call("read", {"url": given.strip()}, exact=True, owner=visit.who)
        return run.id
    asked: JsonObject = {command.field: given}
    if as_of and command.until:
        asked[command.until] = as_of
    run = await app.submit(command.kind, asked, door=DOOR, exact=True, owner=visit.who)
    return run.id
