"""`gw runs`, `show`, `follow`, `resume`, `confirm`, `cancel`: stored runs and what is behind them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from groundwire.doors.cli import render, session
from groundwire.doors.cli.reader import columns, reader_words, say
from groundwire.doors.cli.root import RUNS, By, Json, RunName, cli, command
from groundwire.words import coded

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.doors.cli.render import Cell
    from groundwire.model.base import JsonObject
    from groundwire.model.call import CallRecord
    from groundwire.model.run import Run


@command(cli, panel=RUNS)
async def runs(
    app: App,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000)] = 20,
    kind: str | None = None,
    text: Annotated[str, typer.Option("-q", metavar="TEXT")] = "",
    as_json: Json = False,
) -> None:
    """List the latest runs; interrupted ones are named."""
    from groundwire.doors.cli.card import brief
    from groundwire.jobs import find as job
    from groundwire.jobs import first
    from groundwire.model.run import RunFilter
    from groundwire.runs.lock import state_of

    if kind is not None:
        job(kind)  # an unknown one is refused with the nearest
    found = (await app.runs.page(RunFilter(kind=kind, text=text), None, limit)).runs
    if as_json:
        render.put_json([brief(run) for run in found])
        return
    if not found:
        render.note(
            say("cli.no_run_with", text=text) if text else say("cli.no_runs", job=first().kind)
        )
        return
    now = app.clock()
    states = {run.id: state_of(run, now) for run in found}
    head = columns("run", "state", "age", "cost", "about")
    render.put(render.table(head, [_row(run, states[run.id], now) for run in found]))
    if interrupted := [name for name, state in states.items() if state == "interrupted"]:
        render.note(
            say("cli.interrupted_runs", n=len(interrupted), run=interrupted[0]), "interrupted"
        )
    if waiting := [name for name, state in states.items() if state == "waiting"]:
        render.note(say("cli.waiting_runs", n=len(waiting), run=waiting[0]), "waiting")


def _row(run: Run, state: str, now: datetime) -> tuple[Cell, ...]:
    from groundwire.doors.cli.board import cost_text
    from groundwire.jobs import about

    return (
        run.id,
        (reader_words().name("state", state), state),
        (reader_words().span((now - run.created_at).total_seconds(), whole=True), "soft"),
        (cost_text(run), "soft"),
        about(run)[:200],
    )


@command(cli, panel=RUNS)
async def show(
    app: App,
    run: RunName,
    events: Annotated[bool, typer.Option("--events")] = False,
    calls: Annotated[bool, typer.Option("--calls")] = False,
    as_json: Json = False,
) -> None:
    """Show the result of a run, its journal or its ledger."""
    from groundwire.doors.cli.card import show_run

    found = await app.runs.find(run)
    if events:
        await _show_events(app, found, as_json)
    elif calls:
        await _show_calls(app, found, as_json)
    else:
        await show_run(app, found, as_json=as_json)


async def _show_events(app: App, run: Run, as_json: bool) -> None:
    found = [
        cast("JsonObject", app.redactor.value(event.model_dump(mode="json")))
        async for event in app.runs.journal(run.id)
    ]
    rows = [
        (
            (event["seq"], "accent"),
            (str(event["at"])[11:23], "soft"),
            str(event["type"]),
            (event["step"], "soft"),
            _short(event["payload"]),
        )
        for event in found
    ]
    table = render.table(columns("seq", "time", "type", "step", "payload"), rows)
    render.answer(as_json, found, table)


async def _show_calls(app: App, run: Run, as_json: bool) -> None:
    records = sorted(await app.runs.calls(run.id), key=lambda r: (r.started_at, r.key))
    if as_json:
        render.put_json([app.redactor.value(each.model_dump(mode="json")) for each in records])
        return
    rows = [
        (
            f"{each.kind} {each.provider}",
            (each.outcome, "failed" if each.outcome == "failed" else ""),
            (each.via, "soft"),
            (f"{each.latency_ms} ms", "soft"),
            (f"${each.cost / 1_000_000:.4f}" if each.cost else "–", "soft"),
            app.redactor.text(_about_call(each)),
        )
        for each in records
    ]
    render.put(render.table(columns("call", "outcome", "via", "time", "cost", "request"), rows))
    if repeated := sum(each.repeated for each in records):
        render.note(say("cli.sent_again", n=repeated))


def _about_call(record: CallRecord) -> str:
    """Return what was requested, or why it failed."""
    if record.error is None:
        return _short(record.request)
    return say(record.error.message, **record.error.params)


def _short(value: object) -> str:
    import json

    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 160 else f"{text[:159]}…"


@command(cli, panel=RUNS)
async def follow(
    app: App,
    run: RunName,
    yes: Annotated[bool, typer.Option("--yes")] = False,
    as_json: Json = False,
) -> int:
    """See a run to its end; one that nobody executes is picked up."""
    from groundwire.doors.cli.following import follow_to_end

    return await follow_to_end(app, await app.runs.find(run), as_json=as_json, yes=yes)


@command(cli, panel=RUNS)
async def resume(app: App, run: RunName, as_json: Json = False) -> int:
    """Try again what failed in a run, and only that."""
    from groundwire.doors.cli.following import follow_to_end

    resumed = await app.resume(await app.runs.find(run))
    return await follow_to_end(app, resumed, as_json=as_json)


@command(cli, panel=RUNS)
async def confirm(
    app: App,
    run: RunName,
    edit: Annotated[list[str] | None, typer.Option("--edit", "-e", metavar="FIELD=VALUE")] = None,
    listed: Annotated[Path | None, typer.Option("--from", metavar="FILE")] = None,
    by: By = "",
    as_json: Json = False,
) -> int:
    """Let a run that waits go on, with what it proposes as it is or edited."""
    from groundwire.app import confirmation
    from groundwire.doors.cli import confirming
    from groundwire.doors.cli.following import follow_to_end

    given = confirming.read_edits(listed) if listed is not None else {}
    edited = {**given, **confirmation.edits(edit or [])}
    found = await app.runs.find(run)
    found = await confirmation.confirm(app, found, edited, by=session.person(by))
    return await follow_to_end(app, found, as_json=as_json)


@command(cli, panel=RUNS)
async def cancel(app: App, run: RunName, as_json: Json = False) -> int | None:
    """Stop a run."""
    from groundwire.doors.cli.card import brief
    from groundwire.model.run import FINISHED

    found = await app.cancel(await app.runs.find(run))
    if found.state not in FINISHED:
        # Whoever runs it will stop it; if nobody does, this waits and sees to it.
        found = await app.finished(found.id)
    text = say("cli.run_is", run=found.id, state=coded(f"state.{found.state}"))
    render.answer(as_json, brief(found), render.shown(text, found.state))
    return None if found.state == "cancelled" else session.FAILED
