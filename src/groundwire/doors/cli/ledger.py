"""`gw export`, `replay` and `check`: a run as a file, again, and held to its word."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from groundwire.doors.cli import render, session
from groundwire.doors.cli.reader import say
from groundwire.errors import InputError, NotFoundHere, why
from groundwire.words import coded

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.model.run import Run
    from groundwire.report.bundle import Bundle
    from groundwire.report.checking import Checkup
    from groundwire.runs.replay import Replayed


def export(name: str, form: str | None, output: Path | None) -> NoReturn:
    async def work(app: App) -> int:
        from groundwire.app import exports

        wanted = form or (exports.form_named(output) if output is not None else None) or "md"
        if not exports.find_form(wanted).is_text and output is None and sys.stdout.isatty():
            raise InputError(
                "error.no_terminal_form", form=wanted, name=name, hint="hint.name_file"
            )
        run = await app.runs.find(name)
        made = await exports.export(app, run, wanted)
        if output is None:
            render.raw_bytes(made.data)
        else:
            _save(output, made.data)
            render.note(say("cli.exported", run=run.id, path=output, n=f"{len(made.data):,}"))
        return session.DONE

    session.with_app(work)


def _save(path: Path, data: bytes) -> None:
    """Whole or not at all: written beside, then moved into place."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(data)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise InputError("error.unwritable_file", path=path, why=why(error)) from error


def _load(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise NotFoundHere("error.unreadable_file", path=path, why=why(error)) from error


def replay(source: str, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        from groundwire.app.exports import replay_run

        replayed = await replay_run(app, _bundle(source) or await _run(app, source))
        if as_json:
            render.put_json(replayed.model_dump(mode="json"))
        else:
            _show_replay(replayed)
        return session.DONE if replayed.identical else session.FAILED

    session.with_app(work)


async def _run(app: App, name: str) -> Run:
    from groundwire.model.run import FINISHED

    run = await app.runs.find(name)
    if run.state not in FINISHED:
        raise InputError("error.not_replayable", run=run.id, state=coded(f"state.{run.state}"))
    return run


def _bundle(source: str) -> Bundle | None:
    """A file is a bundle, and must be whole; anything else is the name of a run."""
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
        raise InputError(
            "error.bundle_changed",
            where=first.where,
            what=first.what,
            name=source,
            hint="hint.gw_check",
        )
    return read(data)


def _show_replay(replayed: Replayed) -> None:
    from rich.text import Text

    if replayed.identical:
        render.put(Text.assemble((say("cli.identical"), "supported"), f" · {replayed.run_id}"))
    else:
        render.put(Text.assemble((say("cli.different"), "contradicted"), f" · {replayed.run_id}"))
    rows = [(say("cli.recorded"), replayed.recorded), (say("cli.replayed"), replayed.replayed)]
    render.put(
        render.table(
            ("", ""),
            [
                (render.shown(name, "soft"), render.shown(value or say("cli.no_result")))
                for name, value in rows
            ],
        )
    )
    for each in replayed.differences:
        render.put(render.shown(f"· {each}"))


def check_bundle(path: Path, as_json: bool) -> NoReturn:
    def body() -> int:
        from groundwire.report.checking import check

        checkup = check(_load(path))
        if as_json:
            render.put_json({"ok": checkup.ok, **checkup.model_dump(mode="json")})
        else:
            _show_checkup(checkup)
        return session.DONE if checkup.ok else session.FAILED

    session.finish(body)


def _show_checkup(checkup: Checkup) -> None:
    from rich.text import Text

    counted = say("cli.checked", files=checkup.files, quotes=checkup.quotes)
    if checkup.ok:
        render.put(Text.assemble((say("cli.ok"), "supported"), f" · {checkup.run_id}{counted}"))
        return
    render.put(Text.assemble((say("cli.not_as_exported"), "contradicted")))
    for problem in checkup.problems:
        render.put(
            Text.assemble(
                "· ", render.shown(problem.where, "bold"), ": ", render.shown(problem.what)
            )
        )
