"""A finished run on the screen: its card, or its JSON for programs, and its exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from groundwire.doors.cli import confirming, render
from groundwire.doors.cli.reader import say
from groundwire.doors.cli.session import BUDGET, DEGRADED, DONE, FAILED, WAITING
from groundwire.jobs import report_of
from groundwire.model.run import FINISHED
from groundwire.report.blocks import NextSteps, Prose
from groundwire.report.plain import cut
from groundwire.report.terminal import card
from groundwire.runs.lock import state_of
from groundwire.words import coded, words

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.model.base import JsonObject
    from groundwire.model.run import Run
    from groundwire.report.blocks import NextStep, Report
    from groundwire.report.reporting import JobReport

_BESIDE = 60  # longest command that has room for its reason beside it


async def show_end(app: App, run: Run, *, as_json: bool) -> int:
    """Show a run in whatever state it is, and return its exit code."""
    await show_run(app, run, as_json=as_json)
    return await code_of(app, run)


async def show_run(app: App, run: Run, *, as_json: bool) -> None:
    """Show a run: its card, what it waits for, or how to follow it."""
    if run.state in FINISHED:
        await show(app, run, as_json=as_json)
    elif run.state == "waiting":
        render.answer(as_json, brief(run), *confirming.proposal_lines(run))
        render.note(confirming.how_to_confirm(run), "waiting")
    else:
        state = state_of(run, app.clock())
        render.note(say("cli.follow_it", state=coded(f"state.{state}"), run=run.id), state)
        if as_json:
            render.put_json(brief(run))


def brief(run: Run) -> dict[str, object]:
    """Return a run without its result, for programs."""
    fields = {"id", "kind", "state", "input", "attempt", "error", "digest", "created_at"}
    shown = run.model_dump(mode="json", include=fields | {"finished_at", "waiting"})
    # A run stores the code; programs read English.
    return {**shown, "error": None if run.error is None else words("en").stored(run.error)}


async def show(app: App, run: Run, *, as_json: bool, most: int | None = None) -> None:
    """Put a run's result on stdout, prose cut to `most` characters; failures go to stderr."""
    job = report_of(run)
    if as_json:
        render.put_json(job.result(run))
    else:
        report = job.report(run)
        if most is not None:
            report = _beginning(report, most)
        steps = await _next_steps(app, run, job)
        title = words(report.language)("report.next")
        too_long = any(len(each.command) > _BESIDE for each in steps)
        if steps and not too_long:
            blocks = (*report.blocks, NextSteps(title=title, items=steps))
            report = report.model_copy(update={"blocks": blocks})
        render.put(card(report, links=render.out().is_terminal))
        if too_long:
            _put_whole(title, steps)
    if failure := job.failure(run):
        render.error(failure.message, failure.hint)


async def _next_steps(app: App, run: Run, job: JobReport) -> tuple[NextStep, ...]:
    if job.next_steps is None:
        return ()
    empty = (await app.archive.stats()).documents == 0
    return tuple(job.next_steps(run, archive_empty=empty))


def _beginning(report: Report, most: int) -> Report:
    blocks = [
        each.model_copy(update={"text": cut(each.text, most)}) if isinstance(each, Prose) else each
        for each in report.blocks
    ]
    return report.model_copy(update={"blocks": tuple(blocks)})


def _put_whole(title: str, steps: tuple[NextStep, ...]) -> None:
    """Print commands that are too long for the card below it, unwrapped for copying."""
    console = render.out()
    console.print(render.shown(title, "soft"))
    for each in steps:
        console.print(render.shown(f"· {each.why}", "soft"))
        console.print(render.shown(each.command, "accent"), soft_wrap=True)


async def code_of(app: App, run: Run) -> int:
    """Return the exit code: 0 done, 3 degraded, 4 failed, 5 out of budget, 6 waiting for a person."""
    if run.state == "complete":
        return DONE
    if run.state == "waiting":
        return WAITING
    if run.state not in ("degraded", "failed"):
        return FAILED
    if await _out_of_budget(app, run):
        return BUDGET
    return DEGRADED if run.state == "degraded" else FAILED


async def _out_of_budget(app: App, run: Run) -> bool:
    result = run.result or {}
    codes = [str(each.get("code")) for each in cast("list[JsonObject]", result.get("degraded", []))]
    if error := cast("JsonObject | None", result.get("error")):
        codes.append(str(error.get("code")))
    if run.result is None:
        records = await app.runs.calls(run.id)
        codes += [record.error.code for record in records if record.error is not None]
    return "quota" in codes
