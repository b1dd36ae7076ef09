"""`gw <job>`: a command made from the job's input, which starts a run and follows it to its end."""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn, get_args, get_origin

import typer
from pydantic.fields import FieldInfo

from groundwire import jobs
from groundwire.doors.cli import render, session
from groundwire.doors.cli.given import from_stdin, moments_read, plain_type, subject_of, text_of
from groundwire.doors.cli.story import LiveStory, Screen, language_of
from groundwire.errors import InputError
from groundwire.evidence.sources.urls import is_address

if TYPE_CHECKING:
    from groundwire.jobs import Job
    from groundwire.model.run import Run

DOOR = "cli"
_TITLE = 300  # characters of what was typed, over the story

Json = Annotated[bool, typer.Option("--json", help="The result as JSON; of many, one a line.")]
Budget = Annotated[
    float | None,
    typer.Option(
        "--budget", metavar="USD", min=0, help="What the run may spend.", show_default=False
    ),
]
Yes = Annotated[bool, typer.Option("--yes", help="Go on with what it proposes, unasked.")]
Listed = Annotated[
    Path | None,
    typer.Option(
        "--from", metavar="FILE", help="Many of them, one a line: a text, or a JSON object."
    ),
]
AtOnce = Annotated[
    int, typer.Option("--concurrency", min=1, max=32, metavar="N", help="Of many, so many at once.")
]


def command_of(kind: str, about: str) -> Any:
    """Make the command of a job: its subject as the argument, described fields as options."""
    job = jobs.find(kind)

    def run(**chosen: Any) -> None:
        as_json, budget = chosen.pop("as_json"), chosen.pop("budget")
        listed, at_once = chosen.pop("listed"), chosen.pop("at_once")
        yes = bool(chosen.pop("yes", False))
        subject = chosen.pop(job.subject)
        given = {name: value for name, value in chosen.items() if value is not None}
        start(job, subject, given, listed, at_once, How(budget, yes, as_json))

    parameters = [
        _argument(job),
        # Fields that a person may set: those that say what they mean.
        *(
            _option(name, each)
            for name, each in job.input.model_fields.items()
            if each.description and name != job.subject
        ),
        _parameter("listed", Listed, None),
        _parameter("at_once", AtOnce, 8),
        _parameter("budget", Budget, None),
        _parameter("as_json", Json, False),
    ]
    if job.proposals:
        parameters.append(_parameter("yes", Yes, False))
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    app = typer.Typer(add_completion=False, rich_markup_mode="rich")
    app.command(kind, help=about, context_settings={"help_option_names": ["-h", "--help"]})(run)
    return typer.main.get_command(app)


def _parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, annotation=annotation, default=default)


def _argument(job: Job) -> inspect.Parameter:
    about = job.input.model_fields[job.subject].description or ""
    made = typer.Argument(
        metavar="TEXT|-", help=f"{_sentence(about)} - reads stdin.".strip(), show_default=False
    )
    return _parameter(job.subject, Annotated[str | None, made], None)


def _option(name: str, field: FieldInfo) -> inspect.Parameter:
    """Make an option; where it is not given, the desk's preference or the field's default holds."""
    plain = plain_type(field.annotation)
    dashed = name.replace("_", "-")
    about = _sentence(field.description or "")
    if plain is bool:
        flag = f"--{dashed}/--no-{dashed}" if field.default else f"--{dashed}"
        return _parameter(name, Annotated[bool | None, typer.Option(flag, help=about)], None)
    least, most = (_bound(field, each) for each in ("ge", "le"))
    metavar = _metavar(field.annotation)
    if plain in (int, float):
        made = typer.Option(f"--{dashed}", min=least, max=most, metavar=metavar, help=about)
        return _parameter(name, Annotated[plain | None, made], None)
    made = typer.Option(f"--{dashed}", metavar=metavar, help=about, show_default=False)
    return _parameter(name, Annotated[str | None, made], None)


def _metavar(annotation: Any) -> str:
    plain = plain_type(annotation)
    if get_origin(plain) is Literal:
        return "|".join(map(str, get_args(plain)))
    return "N" if plain in (int, float) else "WHEN" if plain is datetime else "TEXT"


def _bound(field: FieldInfo, name: str) -> Any:
    return next((getattr(each, name) for each in field.metadata if hasattr(each, name)), None)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text and not text.endswith(".") else text


@dataclass(frozen=True)
class How:
    """What holds for a run beside its input."""

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
    how: How,
) -> NoReturn:
    """Run a job on what was typed, or on each line of a file or of stdin."""

    def body() -> int:
        if listed is not None and subject:
            raise InputError("error.one_or_many", kind=job.kind, hint="hint.from_file")
        if listed is None and subject is None and sys.stdin.isatty():
            raise InputError("error.nothing_to_start", kind=job.kind, hint="hint.start_job")
        many = listed is not None or (subject in (None, "-") and job.intake is not None)
        if many:
            from groundwire.doors.cli.batch import run_many

            return run_many(job, listed, given, at_once, how)
        text = text_of(job, from_stdin(subject_of(job)) if subject in (None, "-") else subject)
        if is_address(text) and job.on_page is not jobs.nothing_on_pages and not how.as_json:
            from groundwire.doors.cli.pasting import read_and_offer

            return read_and_offer(text)
        return run_one(job, {job.subject: text, **given}, how)

    session.finish(body)


def run_one(job: Job, given: Mapping[str, object], how: How) -> int:
    """Run a job on what a person wrote, and return its exit code."""
    from groundwire.model.clock import utc_now

    # What cannot be read is refused before anything is opened.
    read = moments_read(job, given, utc_now())
    title = render.clean(given[job.subject])[:_TITLE]
    story = LiveStory(title, job.kind, language_of(title, read.get("language")))
    with Screen(story, quiet=how.as_json) as screen:
        return asyncio.run(_followed(screen, job, read, how))


async def _followed(screen: Screen, job: Job, given: Mapping[str, object], how: How) -> int:
    loaded = session.settings()
    if given.get("language") in (None, "auto") and loaded.settings.language != "auto":
        screen.story.language = loaded.settings.language
    from groundwire.app import open_app
    from groundwire.app.submission import checked

    # What the job refuses leaves nothing behind, not even a data folder.
    checked(job, {**job.prepare(loaded.settings, DOOR), **given})
    async with open_app(loaded) as app:
        run = await app.submit(job.kind, given, door=DOOR, budget_usd=how.budget)
        screen.began(run.id)
        from groundwire.doors.cli import confirming
        from groundwire.doors.cli.card import show_end
        from groundwire.doors.cli.following import followed

        async def follow(again: Run) -> Run:
            return await followed(app, again.id, screen)

        run = await follow(run)
        if run.state == "waiting":
            screen.close()
            run = await confirming.settled(app, run, follow, yes=how.yes, quiet=how.as_json)
        screen.close()
        return await show_end(app, run, as_json=how.as_json)
