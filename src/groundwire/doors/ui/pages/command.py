"""The command bar: a guess while one types, and a start without a script."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from groundwire.app.submission import DOOR
from groundwire.doors.ui import guessing
from groundwire.doors.ui.forms import OwnForm
from groundwire.doors.ui.pages.desk import show
from groundwire.doors.ui.visits import VisitHere
from groundwire.errors import Forbidden, InputError, UserError
from groundwire.model.base import JsonObject

router = APIRouter(include_in_schema=False)


@router.get("/command/guess")
async def guess(
    _visit: VisitHere, text: Annotated[str, Query(max_length=guessing.LOOKED_AT)] = ""
) -> JsonObject:
    """The job that a text looks meant for."""
    found = guessing.guess(text)
    return {"kind": found.kind, "skip": found.skip}


@router.post("/command")
async def start(request: Request, visit: VisitHere, form: OwnForm) -> Response:
    """Start what was typed and go to its page; what is wrong stands under the bar."""
    text, kind = form.get("text", ""), form.get("kind", "")
    try:
        run_id = await _start(visit, text, kind)
    except UserError as error:
        said = f"{error.message[:1].upper()}{error.message[1:]}"
        return await show(
            request, visit, status=422, typed=text, chosen=kind, command_error=said, here="/"
        )
    return RedirectResponse(f"/runs/{run_id}", 303)


async def _start(visit: VisitHere, text: str, kind: str) -> str:
    if not visit.who.may("run"):
        raise Forbidden(f"this needs the scope run; the token has {visit.who.scope}")
    guessed = guessing.guess(text)
    command = guessing.command(kind or guessed.kind)
    if command is None:
        raise InputError(f"nothing of the kind {kind[:40]!r} can be started here")
    # What says the kind outright is no part of the text.
    given = text[guessed.skip :] if guessed.said and guessed.kind == command.kind else text
    asked: JsonObject = {command.field: given}
    run = await visit.desk.app.submit(command.kind, asked, door=DOOR, exact=True, owner=visit.who)
    return run.id
