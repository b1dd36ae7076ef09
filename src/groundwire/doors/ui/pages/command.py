"""The command bar: a guess while somebody types, and a start without a script."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import RedirectResponse, Response

from groundwire.app.submission import DOOR
from groundwire.doors.ui import guessing
from groundwire.doors.ui.forms import refusal
from groundwire.doors.ui.pages.desk import show
from groundwire.doors.ui.visits import OwnForm, VisitHere
from groundwire.errors import Conflict, InputError, UserError
from groundwire.evidence.sources.urls import is_address
from groundwire.jobs import report_of
from groundwire.jobs.pages import offers
from groundwire.model.base import JsonObject
from groundwire.words import words

router = APIRouter(include_in_schema=False)
_AHEAD = timedelta(days=1)  # clocks differ, but not by more


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
        moments = form.get("as_of", ""), form.get("said_at", "")
        run_id = await _start(visit, text, kind, *moments)
    except UserError as error:
        kept = {"typed": text, "chosen": kind, "said_at": form.get("said_at", "")}
        return await show(
            visit, status=422, **kept, command_error=refusal(error, visit.say), here="/"
        )
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


async def _start(visit: VisitHere, text: str, kind: str, as_of: str, said_at: str) -> str:
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
    if said_at and command.bar.said:
        job_input[command.bar.said] = _said_at(said_at, app.clock()).isoformat()
    run = await app.submit(command.kind, job_input, door=DOOR, exact=True, owner=visit.who)
    return run.id


def _said_at(written: str, now: datetime) -> datetime:
    """Return when a message was said, as a form without a script sends it: in UTC, like all pages."""
    try:
        found = datetime.fromisoformat(written)
    except ValueError:
        raise InputError(
            "error.no_publication_time", text=written[:40], hint="hint.publication_time"
        ) from None
    found = found.replace(tzinfo=found.tzinfo or UTC)
    if found > now + _AHEAD:
        raise InputError("error.published_later", day=f"{found:%Y-%m-%d}")
    return found
