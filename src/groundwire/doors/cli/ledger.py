"""`gw export`, `replay` and `check`: a run as a file, run again, and checked."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.doors.cli import render, session
from groundwire.doors.cli.reader import reader_words, say
from groundwire.doors.cli.root import RUNS, Json, RunName, cli, command
from groundwire.errors import InputError, NotFoundHere, os_reason
from groundwire.words import coded, slug

if TYPE_CHECKING:
    from rich.console import RenderableType

    from groundwire.app import App
    from groundwire.model.run import Run
    from groundwire.report.bundle import Bundle
    from groundwire.report.checking import Checkup, Problem
    from groundwire.runs.replay import Replayed


@command(cli, panel=RUNS)
async def export(
    app: App,
    run: RunName,
    form: Annotated[
        str | None, typer.Option("--format", "-f", metavar="md|html|pdf|docx|png|json|csv|bundle")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE")] = None,
) -> None:
    """Export a run as a file: a report, its result, or a bundle that checks and replays anywhere."""
    from groundwire.app import exports

    wanted = form or (exports.form_named(output) if output is not None else None) or "md"
    if not exports.find_form(wanted).is_text and output is None and sys.stdout.isatty():
        raise InputError("error.no_terminal_form", form=wanted, name=run, hint="hint.name_file")
    found = await app.runs.find(run)
    made = await exports.export(app, found, wanted)
    if output is None:
        render.raw_bytes(made.data)
    else:
        _save(output, made.data)
        render.note(say("cli.exported", run=found.id, path=output, n=f"{len(made.data):,}"))


def _save(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: under another name, then moved into place."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise InputError("error.unwritable_file", path=path, why=os_reason(error)) from error


def _load(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise NotFoundHere("error.unreadable_file", path=path, why=os_reason(error)) from error


@command(cli, panel=RUNS)
async def replay(
    app: App,
    source: Annotated[str, typer.Argument(metavar="RUN|BUNDLE")],
    as_json: Json = False,
) -> int | None:
    """Replay a run from its records, without network: is the result identical?"""
    from groundwire.app.exports import replay_run

    replayed = await replay_run(app, _read_bundle(source) or await _finished_run(app, source))
    render.answer(as_json, replayed, *_replay_lines(replayed))
    return None if replayed.identical else session.FAILED


async def _finished_run(app: App, name: str) -> Run:
    from groundwire.model.run import FINISHED

    run = await app.runs.find(name)
    if run.state not in FINISHED:
        raise InputError("error.not_replayable", run=run.id, state=coded(f"state.{run.state}"))
    return run


def _read_bundle(source: str) -> Bundle | None:
    """Read a bundle file, which must be whole; None: the source names a run."""
    from groundwire.report.bundle import read
    from groundwire.report.checking import check

    path = Path(source)
    if not path.is_file():
        if path.suffix or os.sep in source:
            raise NotFoundHere("error.no_bundle", name=source)
        return None
    data = _load(path)
    checkup = check(data)
    if not checkup.ok:
        first = checkup.problems[0]
        found = {"where": _where(first), "what": first.what, "name": source}
        raise InputError("error.bundle_changed", **found, hint="hint.gw_check")
    return read(data)


def _replay_lines(replayed: Replayed) -> Iterator[RenderableType]:
    yield _verdict_line(
        replayed.identical, "identical", "different", f" · {render.clean(replayed.run_id)}"
    )
    digests = ((say("cli.recorded"), replayed.recorded), (say("cli.replayed"), replayed.replayed))
    yield render.facts((name, value or say("cli.no_result")) for name, value in digests)
    yield from (render.shown(f"· {reader_words().phrase(each)}") for each in replayed.differences)


@command(cli, panel=RUNS)
def check(
    bundle: Annotated[Path, typer.Argument(metavar="BUNDLE")], as_json: Json = False
) -> int | None:
    """Check that a bundle's bytes are as exported and that its quotes stand in its pages."""
    from groundwire.report.checking import check as checked

    checkup = checked(_load(bundle))
    value = {"ok": checkup.ok, **checkup.model_dump(mode="json")}
    render.answer(as_json, value, *_checkup_lines(checkup))
    return None if checkup.ok else session.FAILED


def _checkup_lines(checkup: Checkup) -> Iterator[RenderableType]:
    counted = say("cli.checked", files=checkup.files, quotes=checkup.quotes)
    details = f" · {render.clean(checkup.run_id)}{counted}" if checkup.ok else ""
    yield _verdict_line(checkup.ok, "ok", "not_as_exported", details)
    for problem in checkup.problems:
        where = render.shown(_where(problem), "bold")
        what = render.shown(reader_words().phrase(problem.what))
        yield render.line("· ", where, say("list.colon"), what)


def _where(problem: Problem) -> str:
    """Return the name of a member, or the word for the part that holds them."""
    return reader_words().maybe(f"check.where.{slug(problem.where)}", problem.where)


def _verdict_line(good: bool, yes: str, no: str, rest: str) -> RenderableType:
    head = (say(f"cli.{yes}"), "supported") if good else (say(f"cli.{no}"), "contradicted")
    return render.line(head, rest)
