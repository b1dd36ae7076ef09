"""A run as somebody may see it: the row without secrets, what its journal told, the words of the page."""

from __future__ import annotations

import asyncio

from fastapi import Request

from groundwire import jobs
from groundwire.app.access import own_run
from groundwire.doors.ui.draft import Draft, drafts_of
from groundwire.doors.ui.language import language_of
from groundwire.doors.ui.view import Seen, View, state_of, view_of
from groundwire.doors.ui.visits import Visit
from groundwire.model.run import FINISHED, Run
from groundwire.report.signal_words import signal_words
from groundwire.words import words as words_of


async def look(request: Request, visit: Visit, run_id: str) -> tuple[Seen, View]:
    """The run and its job's view; to others than its owner it is not there."""
    app = visit.desk.app
    run = await own_run(app, visit.who, run_id)
    steps = jobs.steps(run.kind)
    draft = await drafts_of(app).of(app, run.id, lambda: Draft(steps), visit.desk.known)
    if draft.story.over and run.state not in FINISHED:
        # It ended while its journal was read: the row has the result by now.
        run = await own_run(app, visit.who, run_id)
    run = _masked(run, visit)
    how = await asyncio.to_thread(view_of, run)
    words = words_of(language_of(request))
    signal_say, say = signal_words(words.language)
    seen = Seen(
        run=run,
        draft=draft,
        t=words,
        say=say,
        signal_say=signal_say,
        state=state_of(run, app.clock()),
        more=await how.more(app, run),
    )
    return seen, how


def _masked(run: Run, visit: Visit) -> Run:
    """Without secrets that are known here; an error's text is anybody's, and loses more."""
    known = visit.desk.known
    return run.model_copy(
        update={
            "input": known.value(run.input),
            "result": known.value(run.result),
            "error": None if run.error is None else visit.desk.app.redactor.text(run.error),
        }
    )
