"""A run as a visitor may see it: the row without secrets, its journal so far, and its report."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from groundwire import jobs
from groundwire.doors.ui.draft import Draft, draft_of, draft_report
from groundwire.doors.ui.visits import Visit
from groundwire.model.run import FINISHED, Run
from groundwire.report.data import PLAIN
from groundwire.report.page import PageContent
from groundwire.report.plain import one_line
from groundwire.runs.lock import state_of
from groundwire.words import Words


class RunView(NamedTuple):
    """A run with everything its page shows."""

    run: Run
    state: str  # the run's, or `interrupted`
    draft: Draft
    content: PageContent
    judged: bool  # people can say what came of it
    searches: bool  # its result rests on evidence
    say: Words

    @property
    def over(self) -> bool:
        return self.run.state in FINISHED


async def view_run(visit: Visit, run_id: str) -> RunView:
    """Return the run; for others than its owner it does not exist."""
    app = visit.app
    run = await app.runs.get_owned(visit.who, run_id)
    draft = await draft_of(app, run.id, jobs.steps(run.kind))
    if draft.story.over and run.state not in FINISHED:
        # It ended while its journal was read: now the row has the result.
        run = await app.runs.get_owned(visit.who, run_id)
    run = mask_run(run, visit)
    say = visit.say
    job = jobs.find(run.kind) if run.kind in jobs.kinds() else None
    return RunView(
        run=run,
        state=state_of(run, app.clock()),
        draft=draft,
        content=await asyncio.to_thread(_content, run, draft, say),
        judged=job is not None and job.leaves is not None,
        searches=job is not None and "evidence" in job.result.model_fields,
        say=say,
    )


def _content(run: Run, draft: Draft, say: Words) -> PageContent:
    """Return the job's report; until there is a result, a draft from the journal."""
    if run.result is None:
        return PageContent(draft_report(run, jobs.about(run), draft, say))
    job_report = jobs.report_of(run)
    report = job_report.report(run, say.language)
    if job_report is PLAIN:  # it does not know which of the data was typed
        report = report.model_copy(update={"title": one_line(jobs.about(run))})
    return PageContent(report)


def mask_run(run: Run, visit: Visit) -> Run:
    """Return a run without known secrets; the text of an error, which may be foreign, loses more."""
    known = visit.app.known
    error = None if run.error is None else visit.app.redactor.text(run.error)
    changes = {"input": known.value(run.input), "result": known.value(run.result)}
    return run.model_copy(update={**changes, "text": known.text(run.text), "error": error})
