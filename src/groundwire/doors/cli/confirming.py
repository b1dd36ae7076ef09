"""A run that waits for confirmation: its proposal, and the question to the person at the terminal."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.app import confirmation
from groundwire.doors.cli import render, session
from groundwire.doors.cli.reader import reader_words, say
from groundwire.errors import InputError, UserError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from groundwire.app import App
    from groundwire.doors.cli.render import Cell
    from groundwire.doors.proposals import FormField
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
    """Return the lines that show what a run proposes: finished runs, what follows, what may be edited."""
    from groundwire.doors.proposals import form_for

    words = reader_words()
    fields = form_for(run, words)
    if run.waiting is None or fields is None:
        return []
    offers = [
        render.shown(
            say("cli.offered", title=each.title, day=f"{each.at:%Y-%m-%d}", run=each.run_id),
            "accent",
        )
        for each in run.waiting.offers
    ]
    title = words.maybe(f"{run.kind}.proposal.{run.waiting.form}", run.waiting.form)
    told = [(each.label, each.value) for each in fields if each.kind == "told"]
    open_fields = [each for each in fields if each.kind != "told"]
    rows = [row for each in open_fields for row in _rows(each)]
    lines: list[RenderableType] = [
        *offers,
        render.shown(title, "bold"),
        *([render.facts(told)] if told else []),
    ]
    lines.append(render.table((say("noun.field"), "", say("cli.proposed")), rows))
    for each in open_fields:
        if each.kind in ("rows", "json"):
            value = json.dumps(run.waiting.fields[each.name], ensure_ascii=False)
            lines.append(render.shown(say("cli.given_whole", name=each.name, value=value), "soft"))
    return lines


def how_to_confirm(run: Run) -> str:
    """Tell how a waiting run is confirmed, and until when."""
    until = None if run.waiting is None else run.waiting.until
    if until is None:
        return say("cli.waits", run=run.id)
    return say("cli.waits_until", run=run.id, until=f"{until:%Y-%m-%d %H:%M}")


def _rows(field: FormField) -> Iterator[tuple[Cell, ...]]:
    """Yield the lines of a table that show a field: one for each row that it holds."""
    written = [" · ".join(_cell(each) for each in row if each.value) for row in field.rows]
    first, *more = written or [_written(field)]
    yield (field.name, "accent"), (field.label, "soft"), first
    yield from (("", "", each) for each in more)


def _written(field: FormField) -> str:
    if field.kind == "boolean":
        return say(f"cli.switch.{field.value}")
    if field.kind == "choice":
        return next(
            (each.label for each in field.options if each.value == field.value), field.value
        )
    return field.value


def _cell(field: FormField) -> str:
    named = field.kind in ("integer", "number", "boolean")
    return f"{field.label} {_written(field)}" if named else " | ".join(field.value.splitlines())


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
