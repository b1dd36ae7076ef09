"""`gw <job>`: a command made from the job's input, which starts a run and follows it to its end."""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, get_args, get_origin

import typer
from pydantic.fields import FieldInfo

from groundwire import jobs
from groundwire.doors.cli import render, session
from groundwire.doors.cli.help import Command
from groundwire.doors.cli.inputs import plain_type, read_moments, read_stdin, subject_of, text_of
from groundwire.doors.cli.reader import say
from groundwire.doors.cli.root import Json
from groundwire.doors.cli.story import LiveStory, Screen, language_of
from groundwire.errors import InputError, NotFoundHere
from groundwire.evidence.sources.urls import is_address

if TYPE_CHECKING:
    from groundwire.jobs import Job
    from groundwire.model.run import Run

DOOR = "cli"
_TITLE = 300  # characters of what was typed, over the story
_LISTED = typer.Option("--from", metavar="FILE")
_PLACE = typer.Option("--from", metavar="PLACE|FILE")
_AT_ONCE = typer.Option("--concurrency", min=1, max=32, metavar="N")
_BUDGET = typer.Option("--budget", metavar="USD", min=0)
_YES = typer.Option("--yes")


def command_of(kind: str, about: str) -> Any:
    """Make the command of a job: its subject as the argument, described fields as options."""
    job = jobs.find(kind)

    def run(**chosen: Any) -> None:
        options = RunOptions(chosen.pop("budget"), chosen.pop("yes", False), chosen.pop("as_json"))
        listed, at_once = chosen.pop("listed"), chosen.pop("at_once")
        subject = chosen.pop(job.subject)
        given = {name: value for name, value in chosen.items() if value is not None}
        session.finish(lambda: start(job, subject, given, listed, at_once, options))

    parameters = [
        argument_of(job),
        *options_of(job),
        _parameter("listed", Annotated[Path | None, _LISTED if job.confined is None else _PLACE]),
        _parameter("at_once", Annotated[int, _AT_ONCE], 8),
        _parameter("budget", Annotated[float | None, _BUDGET]),
        _parameter("as_json", Json, False),
    ]
    if job.proposals:
        parameters.append(_parameter("yes", Annotated[bool, _YES], False))
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    app = typer.Typer(add_completion=False, rich_markup_mode="rich")
    names = {"help_option_names": ["-h", "--help"]}
    more = say("cli.help.standing", kind=kind) if job.standing else None
    app.command(kind, cls=Command, help=about, epilog=more, context_settings=names)(run)
    return typer.main.get_command(app)


def _parameter(name: str, annotation: Any, default: Any = None) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, annotation=annotation, default=default)


def options_of(job: Job) -> list[inspect.Parameter]:
    """Make the options of a job's input: of the fields that a person may set, which are described.

    Those that `--from PLACE` sets are for scripts: help lists the one way.
    """
    hidden = () if job.confined is None else job.confined.fields
    return [
        _option(name, each, hidden=name in hidden)
        for name, each in job.input.model_fields.items()
        if each.description and name != job.subject
    ]


def argument_of(job: Job) -> inspect.Parameter:
    """Make the argument for the subject of a job."""
    about = _sentence(job.input.model_fields[job.subject].description or "")
    declared = typer.Argument(help=f"{about} - reads stdin.".strip(), metavar="TEXT|-")
    return _parameter(job.subject, Annotated[str | None, declared])


def _option(name: str, field: FieldInfo, *, hidden: bool) -> inspect.Parameter:
    """Make the option of a field; unset, the desk's preference or the field's default holds."""
    value_type = plain_type(field.annotation)
    flag = f"--{name.replace('_', '-')}"
    about = _sentence(field.description or "")
    if value_type is bool:
        flags = f"{flag}/--no-{flag.removeprefix('--')}" if field.default else flag
        return _parameter(name, Annotated[bool | None, typer.Option(flags, help=about)])
    if value_type in (int, float):
        least, most = (_bound(field, each) for each in ("ge", "le"))
        declared = typer.Option(flag, help=about, min=least, max=most, metavar="N")
        return _parameter(name, Annotated[value_type | None, declared])
    metavar = "WHEN" if value_type is datetime else "TEXT"
    if get_origin(value_type) is Literal:
        metavar = "|".join(map(str, get_args(value_type)))
    declared = typer.Option(flag, help=about, metavar=metavar, hidden=hidden)
    return _parameter(name, Annotated[str | None, declared])


def _bound(field: FieldInfo, name: str) -> Any:
    return next((getattr(each, name) for each in field.metadata if hasattr(each, name)), None)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text and not text.endswith(".") else text


class RunOptions(NamedTuple):
    """The options of a run beside its input."""

    budget: float | None = None
    yes: bool = False
    as_json: bool = False


# --- running -----------------------------------------------------------------------------------


def start(
    job: Job,
    subject: str | None,
    given: Mapping[str, object],
    listed: Path | None,
    at_once: int,
    options: RunOptions,
) -> int:
    """Run a job on what was typed, or on each line of a file or of stdin."""
    if listed is not None and subject and job.confined is not None:
        given, listed = {**job.confined.of(_place(job, listed)), **given}, None
    if listed is not None and subject:
        raise _one_or_many(job)
    if listed is None and subject is None and sys.stdin.isatty():
        raise InputError("error.nothing_to_start", kind=job.kind, hint="hint.start_job")
    if listed is not None or (subject in (None, "-") and job.intake is not None):
        from groundwire.doors.cli.batch import run_many

        return run_many(job, listed, given, at_once, options)
    text = text_of(job, read_stdin(subject_of(job)) if subject in (None, "-") else subject)
    if is_address(text) and job.on_page is not None and not options.as_json:
        from groundwire.doors.cli.pasting import read_and_offer

        return read_and_offer(text)
    return run_one(job, {job.subject: text, **given}, options)


def _one_or_many(job: Job) -> InputError:
    return InputError("error.one_or_many", kind=job.kind, hint="hint.from_file")


def _place(job: Job, named: Path) -> str:
    """Return what a person means by a place: a folder in full, else a name that stands for one."""
    folder = named.expanduser()
    if folder.is_dir():
        return str(folder.resolve())
    if folder.is_file():
        raise _one_or_many(job)
    if named.name != str(named):  # it has the form of a path
        raise NotFoundHere("error.no_place", path=str(named)[:200], hint="hint.place")
    return str(named)


def run_one(job: Job, given: Mapping[str, object], options: RunOptions) -> int:
    """Run a job on what a person wrote, and return its exit code."""
    from groundwire.model.clock import utc_now

    # Bad input is refused before anything is opened.
    parsed = read_moments(job, given, utc_now())
    title = render.clean(given[job.subject])[:_TITLE]
    language = language_of(title, parsed.get("language"))
    story = LiveStory(title, job.kind, language, unasked=options.yes)
    with Screen(story, quiet=options.as_json) as screen:
        return asyncio.run(_follow(screen, job, parsed, options))


async def _follow(
    screen: Screen, job: Job, given: Mapping[str, object], options: RunOptions
) -> int:
    loaded = session.settings()
    if given.get("language") in (None, "auto") and loaded.settings.language != "auto":
        screen.story.language = loaded.settings.language
    from groundwire.app import open_app
    from groundwire.app.submission import prepared

    # Input that the job refuses leaves nothing behind, not even a data folder.
    prepared(job, loaded.settings, given, door=DOOR)
    async with open_app(loaded) as app:
        run = await app.submit(job.kind, given, door=DOOR, budget_usd=options.budget)
        screen.began(run.id)
        from groundwire.doors.cli import confirming
        from groundwire.doors.cli.card import show_end
        from groundwire.doors.cli.following import show_events

        async def follow(again: Run) -> Run:
            return await show_events(app, again.id, screen)

        run = await follow(run)
        screen.close()
        run = await confirming.settle(app, run, follow, yes=options.yes, quiet=options.as_json)
        return await show_end(app, run, as_json=options.as_json)
