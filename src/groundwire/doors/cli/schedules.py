"""`gw JOB add`, `list`, `run`, `diff`, `history`, `pause`, `resume`, `rm`: standing runs.

A job that is meant to be kept on a schedule has these commands beside its own; `add --run` keeps the
run of any other.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundwire.doors.cli import render, session
from groundwire.doors.cli.group import Group
from groundwire.doors.cli.help import Command
from groundwire.doors.cli.inputs import read_moments, text_of
from groundwire.doors.cli.reader import columns, reader_words, say
from groundwire.doors.cli.root import Json, command
from groundwire.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from rich.console import RenderableType

    from groundwire.app import App
    from groundwire.app.schedule_views import Terms
    from groundwire.doors.cli.render import Cell
    from groundwire.jobs import Job
    from groundwire.model.base import JsonObject
    from groundwire.model.change import Belief, Change
    from groundwire.model.schedule import Schedule, ScheduleLine

_SHARED = "schedule"  # where their words stand
DOOR = "cli"

Named = Annotated[str, typer.Argument(metavar="ID")]
_KEEPING: dict[str, tuple[Any, Any]] = {
    "every": (Annotated[str, typer.Option("--every", metavar="RULE")], "every 1d"),
    "zone": (Annotated[str, typer.Option("--zone", metavar="ZONE")], "UTC"),
    "quiet": (Annotated[str, typer.Option("--quiet", metavar="HH:MM-HH:MM")], ""),
    "to": (Annotated[list[str] | None, typer.Option("--to", metavar="CHANNEL:ADDRESS")], None),
    "run_usd": (Annotated[float | None, typer.Option("--budget", metavar="USD", min=0)], None),
    "day_usd": (Annotated[float | None, typer.Option("--day-budget", metavar="USD", min=0)], None),
    "month_usd": (
        Annotated[float | None, typer.Option("--month-budget", metavar="USD", min=0)],
        None,
    ),
    "of_run": (Annotated[str, typer.Option("--run", metavar="RUN")], ""),
    "as_json": (Json, False),
}


At = Annotated[str, typer.Option("--at", metavar="ISO")]
OfRun = Annotated[str, typer.Option("--run", metavar="RUN")]
On = Annotated[str, typer.Option("--on", metavar="DAY")]


class _Group(Group):
    shared_path = _SHARED


class _Verb(Command):
    @property
    def shared_path(self) -> str:
        return f"{_SHARED}.{self.name}"


verbs = typer.Typer(cls=_Group)  # all but `add`, whose options are those of the job's input


def group_of(job: Job) -> Any:
    """Make the commands of standing runs for a job."""
    from groundwire.doors.cli.job_command import argument_of, options_of

    made = typer.Typer(
        cls=_Group,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    def add(**chosen: Any) -> None:
        kept = {name: chosen.pop(name) for name in _KEEPING}
        subject = chosen.pop(job.subject)
        given = {name: value for name, value in chosen.items() if value is not None}
        session.finish(lambda: session.with_app(lambda app: _add(app, job, subject, given, **kept)))

    keeping = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default
        )
        for name, (annotation, default) in _KEEPING.items()
    ]
    parameters = [argument_of(job), *options_of(job), *keeping]
    add.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    add.__annotations__ = {each.name: each.annotation for each in parameters}
    add.__doc__ = _add.__doc__
    made.command("add", cls=_Verb)(add)
    made.registered_commands += verbs.registered_commands
    return typer.main.get_command(made)


# --- the work ----------------------------------------------------------------------------------


async def _add(
    app: App, job: Job, subject: str | None, given: JsonObject, **kept: Any
) -> int | None:
    """Keep something to be looked at again and again."""
    from groundwire.app.schedule_views import view_of

    as_json, of_run = kept.pop("as_json"), kept.pop("of_run")
    terms = _terms(**kept)
    if of_run:
        if subject or given:
            raise InputError("schedule.run_or_text")
        run = await app.runs.find(of_run)
        made = await app.schedules.add_from(run, terms)
    elif subject is None:
        raise InputError("error.nothing_to_start", kind=job.kind, hint="hint.keep_job")
    else:
        parsed = read_moments(job, {job.subject: text_of(job, subject), **given}, app.clock())
        made = await app.schedules.add(job.kind, parsed, terms, door=DOOR)
    text = say("schedule.added", id=made.id, at=_moment(made, made.next_at), rule=made.said)
    render.answer(as_json, view_of(made), render.shown(text))
    if not await app.schedules.kept():
        render.note(say("schedule.nobody"), "interrupted")
    return None


def _terms(
    every: str,
    zone: str,
    quiet: str,
    to: Sequence[str] | None,
    **usd: float | None,
) -> Terms:
    from groundwire.app.schedule_views import Spending, Terms

    spending = Spending(**{name.removesuffix("_usd"): most for name, most in usd.items()})
    return Terms.model_construct(
        schedule=every, zone=zone, quiet=quiet, to=tuple(to or ()), budgets_usd=spending
    )


@command(verbs, "list", cls=_Verb)
async def listing(app: App, as_json: Json = False) -> None:
    """List what is kept, when each is due, and when it last had something to tell."""
    from groundwire.app.schedule_views import row_of

    found, kept = await app.schedules.listed(), await app.schedules.kept()
    if as_json:
        rows = (row_of(each).model_dump(mode="json") for each in found)
        render.put_json([{**row, "kept": kept} for row in rows])
    elif found:
        head = columns("schedule", "rule", "due", "last", "told", "about")
        render.put(render.table(head, [_row(each) for each in found]))
    else:
        render.note(say("schedule.none"))
    if not kept and (found or not as_json):
        render.note(say("schedule.nobody"), "interrupted")


@command(verbs, "run", cls=_Verb)
async def run(app: App, name: Named, at: At = "", as_json: Json = False) -> int:
    """Look now, or by the clock of another moment, and follow the run to its end."""
    from groundwire.app.schedules import moment_of
    from groundwire.doors.cli.following import follow_to_end

    schedule = await app.schedules.find(name)
    run = await app.schedules.run(schedule, at=moment_of(at) if at else None)
    return await follow_to_end(app, run, as_json=as_json)


@command(verbs, "diff", cls=_Verb)
async def diff(app: App, name: Named, of_run: OfRun = "", as_json: Json = False) -> None:
    """Show what its last run, or another, found changed."""
    from groundwire.app.schedule_views import told_once

    schedule = await app.schedules.find(name)
    found = await app.schedules.diff(schedule, of_run, reader_words().language)
    if as_json:
        render.put_json(found)
    elif found.run is None or found.at is None:
        render.note(say("schedule.no_runs", id=schedule.id))
    elif not found.changes:
        at = _moment(schedule, found.at)
        render.note(say("schedule.nothing_changed", run=found.run, at=at))
    else:
        once = told_once(found.changes)
        told = [each for each in once if each[0].alerts]
        noted = [each for each in once if not each[0].alerts]
        render.put(*(part for each in told for part in _change(each)))
        if noted:
            render.put(render.shown(say("watches.noted", n=len(noted)), "accent"))
            render.put(*(part for each in noted for part in _change(each)))


@command(verbs, "history", cls=_Verb)
async def history(app: App, name: Named, on: On = "", as_json: Json = False) -> None:
    """List its runs, or what was believed on a day."""
    schedule = await app.schedules.find(name)
    if on:
        await _show_day(app, schedule, on, as_json)
        return
    found = await app.schedules.history(schedule)
    if as_json:
        render.put_json(found)
    elif not found.runs:
        render.note(say("schedule.no_runs", id=schedule.id))
    else:
        head = columns("run", "time", "state", "changes")
        rows = [
            (
                each.run,
                _moment(schedule, each.at),
                (reader_words().name("state", each.state), each.state),
                (each.changes or "–", "accent" if each.told else "soft"),
            )
            for each in found.runs
        ]
        render.put(render.table(head, rows))


async def _show_day(app: App, schedule: Schedule, on: str, as_json: bool) -> None:
    from groundwire.app.schedule_views import believed_once
    from groundwire.app.schedules import day_of

    day = day_of(on, schedule, app.clock())
    found = await app.schedules.believed(schedule, day, reader_words().language)
    if as_json:
        render.put_json(found)
    elif not found.claims:
        render.note(say("schedule.nothing_believed", day=f"{day}"))
    else:
        head = columns("sentence", "value", "verdict")
        render.put(render.table(head, map(_belief, believed_once(found.claims))))


@command(verbs, "pause", cls=_Verb)
async def pause(app: App, name: Named, as_json: Json = False) -> None:
    """Let it rest until it is resumed."""
    from groundwire.app.schedule_views import view_of

    found = await app.schedules.pause(await app.schedules.find(name))
    render.answer(as_json, view_of(found), render.shown(say("schedule.paused", id=found.id)))


@command(verbs, "resume", cls=_Verb)
async def resume(app: App, name: Named, as_json: Json = False) -> None:
    """Let it go on."""
    from groundwire.app.schedule_views import view_of

    found = await app.schedules.resume(await app.schedules.find(name))
    text = say("schedule.resumed", id=found.id, at=_moment(found, found.next_at))
    render.answer(as_json, view_of(found), render.shown(text))


@command(verbs, "rm", cls=_Verb)
async def remove(app: App, name: Named, as_json: Json = False) -> None:
    """Remove it; its runs stay."""
    found = await app.schedules.find(name)
    await app.schedules.remove(found)
    text = say("schedule.removed", id=found.id)
    render.answer(as_json, {"id": found.id, "removed": True}, render.shown(text))


# --- what is shown -----------------------------------------------------------------------------


def _moment(schedule: Schedule, at: datetime) -> str:
    """Write a moment as the clocks of a standing run show it."""
    from zoneinfo import ZoneInfo

    return f"{at.astimezone(ZoneInfo(schedule.zone)):%Y-%m-%d %H:%M %Z}"


def _row(line: ScheduleLine) -> tuple[Cell, ...]:
    from groundwire.app.schedule_views import given_of

    each = line.schedule
    due: Cell = (say("schedule.rests"), "soft") if each.paused else _moment(each, each.next_at)
    given = (
        f"{say(label)}{say('list.colon')}{value}" for label, value in given_of(each, reader_words())
    )
    trouble = reader_words().stored(each.trouble) if each.trouble else ""
    about = " · ".join(filter(None, (each.text, *given, trouble)))
    return (
        (each.id, "bold"),
        each.said,
        due,
        ("–" if line.last_at is None else _moment(each, line.last_at), "soft"),
        ("–" if each.told_at is None else _moment(each, each.told_at), "accent"),
        about[:200],
    )


def _change(changes: Sequence[Change]) -> Iterator[RenderableType]:
    """Show what changed: its kind and values, both sentences, who says so, and what was edited."""
    change, colon = changes[0], say("list.colon")
    before, after = change.before, change.after
    values = (
        f"{each.called}{colon}{' → '.join(filter(None, each.moved))}"
        for each in changes
        if each.moved[1]
    )
    head = (reader_words().name("change", change.kind), *dict.fromkeys(values))
    yield render.shown(" · ".join(head), "bold")
    if before and change.kind != "confirmed":
        yield render.indented(f"− {before.text}", 2, "soft")
    if after:
        yield render.indented(f"{'=' if change.kind == 'confirmed' else '+'} {after.text}", 2)
    yield render.indented(" · ".join(_about(change)), 2, "soft")
    edits = dict.fromkeys(edit for each in changes for edit in each.edits)
    for edit in edits:
        yield render.indented(say("watches.edited", publisher=edit.publisher), 2, "accent")
        for stood, stands in edit.parts:
            lines = (
                (f"− {stood}", "soft") if stood else None,
                (f"+ {stands}", "") if stands else None,
            )
            yield from (render.indented(text, 4, style) for text, style in filter(None, lines))


def _about(change: Change) -> Iterator[str]:
    """Say why, which conditions it met, and who says so."""
    if change.why:
        yield say(change.why)
    if change.met:
        yield f"{say('watches.met')}{say('list.colon')}{reader_words().listed(change.met)}"
    side = change.after if change.after and change.after.citations else change.before
    if side is not None and side.citations:
        yield say("n.origins", n=side.origins or 1)
        if side.copies:
            yield say("watches.copies", n=side.copies)
        said = (
            f"{each.publisher or each.url} {each.published_at:%Y-%m-%d}"
            if each.published_at
            else each.publisher or each.url
            for each in side.citations
        )
        yield from dict.fromkeys(said)


def _belief(beliefs: Sequence[Belief]) -> Sequence[Cell]:
    verdict = reader_words().name("verdict", beliefs[0].verdict)
    values = " · ".join(dict.fromkeys(each for one in beliefs if (each := _values(one))))
    return beliefs[0].text, values or "–", (verdict, beliefs[0].verdict)


def _values(belief: Belief) -> str:
    """Say what it is a value of, and each that it had, with its day."""
    if not belief.told:
        return ""
    now = f"{belief.told} ({belief.as_of})" if belief.past else belief.told
    past = (f"{each.told or each.value} ({each.as_of})" for each in belief.past)
    return f"{belief.called}{say('list.colon')}{' → '.join((*past, now))}"
