"""A finished run on the screen: its card, or the object that programs read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.doors.cli import render

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.model.run import Run
    from groundwire.report.blocks import NextStep
    from groundwire.report.reporting import JobReport


async def show(app: App, run: Run, *, as_json: bool) -> None:
    """Put a run's result on stdout; why there is none, or a poor one, goes to stderr."""
    from groundwire.jobs import report_of

    job = report_of(run)
    if as_json:
        render.put_json(job.result(run))
    else:
        from groundwire.report.blocks import NextSteps
        from groundwire.report.terminal import card
        from groundwire.words import words

        report = job.report(run)
        if steps := await _next_steps(app, run, job):
            title = words(report.language)("report.next")
            blocks = (*report.blocks, NextSteps(title=title, items=steps))
            report = report.model_copy(update={"blocks": blocks})
        render.put(card(report, links=render.out().is_terminal))
    if failure := job.failure(run):
        render.error(failure.message, failure.hint)


async def _next_steps(app: App, run: Run, job: JobReport) -> tuple[NextStep, ...]:
    from groundwire.report.reporting import no_next_steps

    if job.next_steps is no_next_steps:
        return ()
    empty = (await app.archive.stats()).documents == 0
    return tuple(job.next_steps(run, archive_empty=empty))
