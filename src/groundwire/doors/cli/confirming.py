"""A run that waits for confirmation: its proposal, and the question to the person at the terminal."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.app import confirmation
from groundwire.doors.cli import render, session
from groundwire.doors.cli.reader import say
from groundwire.errors import InputError, UserError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from groundwire.app import App
    from groundwire.model.base import JsonObject
    from groundwire.model.run import Run

_LARGEST = 1_000_000  # characters of a file of edits


def read_edits(path: Path) -> JsonObject:
    """Return the edits that a file holds."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("error.file_no_utf8", path=path) from None
    if len(text) > _LARGEST:
        raise InputError("error.file_too_long", path=path, most=_LARGEST)
    return confirmation.edits_of_json(text)


def proposal_lines(run: Run) -> list[RenderableType]:
    """Return the lines that show what a run proposes."""
    if run.waiting is None:
        return []
    rows = [((name, "accent"), _written(value)) for name, value in run.waiting.fields.items()]
    table = render.table((say("noun.field"), say("cli.proposed")), rows)
    offers = [
        render.shown(
            say("cli.offered", title=each.title, day=f"{each.at:%Y-%m-%d}", run=each.run_id),
            "accent",
        )
        for each in run.waiting.offers
    ]
    return [*offers, render.shown(run.waiting.form, "bold"), table]


def how_to_confirm(run: Run) -> str:
    """Tell how a waiting run is confirmed, and until when."""
    until = None if run.waiting is None else run.waiting.until
    if until is None:
        return say("cli.waits", run=run.id)
    return say("cli.waits_until", run=run.id, until=f"{until:%Y-%m-%d %H:%M}")


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


async def settle(
    app: App,
    run: Run,
    follow: Callable[[Run], Awaitable[Run]],
    *,
    yes: bool = False,
    quiet: bool = False,
) -> Run:
    """Ask for each confirmation until the run is over, or nobody is here to answer."""
    while run.state == "waiting":
        after = await _confirm(app, run) if yes else None
        if after is None and not quiet and render.somebody_sits_here():
            after = await _ask(app, run)
        if after is None:
            return run
        run = await follow(after)
    return run


async def _confirm(app: App, run: Run, edits: list[str] | None = None) -> Run:
    edited = confirmation.edits(edits or [])
    return await confirmation.confirm(app, run, edited, by=session.person(""))


async def _ask(app: App, run: Run) -> Run | None:
    """Ask the person at the terminal; None: they leave the run waiting."""
    render.put(*proposal_lines(run))
    edits: list[str] = []
    while True:
        answer = await asyncio.to_thread(render.ask, say("cli.what_next"))
        try:
            match answer:
                case None | "q":
                    return None
                case "c":
                    return await app.engine.cancel(run.id)
                case "":
                    return await _confirm(app, run, edits)
                case _:
                    confirmation.checked(run, confirmation.edits([*edits, answer]))
                    edits.append(answer)
        except UserError as error:
            session.tell(error)
