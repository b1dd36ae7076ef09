"""From a submitted run to its end on the screen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

from groundwire.doors.cli import confirming
from groundwire.doors.cli.card import show_end
from groundwire.doors.cli.reader import say
from groundwire.doors.cli.session import Given
from groundwire.doors.cli.story import LiveStory, Screen, language_of
from groundwire.jobs import about
from groundwire.model.run import FINISHED, Run

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.model.event import Event

_GLANCE = 0.3  # how often the engine and the spending are looked at while nothing happens
_PATIENCE = 100  # glances after which a store that stays away ends the wait


async def to_its_end(app: App, run: Run, *, as_json: bool, yes: bool = False) -> int:
    """Follow a run to its end, or until it waits for somebody who is not here; then show it."""

    async def follow(run: Run) -> Run:
        live = run.state not in FINISHED
        if live:
            await app.engine.ensure_executed(run.id)
        title = about(run)
        asked = run.input.get("language")
        asked = app.settings.language if asked in (None, "auto") else asked
        story = LiveStory(title, run.kind, language_of(title, asked))
        with Screen(story, quiet=as_json) as screen:
            screen.began(run.id)
            return await followed(app, run.id, screen, live=live)

    run = await confirming.settled(app, await follow(run), follow, yes=yes, quiet=as_json)
    return await show_end(app, run, as_json=as_json)


async def followed(app: App, run_id: str, screen: Screen, *, live: bool = True) -> Run:
    """Show every event of a run and give it back finished; `live`: it was not over before."""
    Given.run_id = run_id if live else None
    told = False

    def look() -> None:
        nonlocal told
        if live and not told and app.engine.handed_over():
            told = True
            desk = app.engine.works_at()
            screen.note(say("cli.desk_runs", url=desk) if desk else say("cli.other_runs"))

    async for event in _events(app, run_id, screen, look):
        screen.take(event)
        look()
    Given.run_id = None
    return await app.runs.find(run_id)


async def _events(
    app: App, run_id: str, screen: Screen, look: Callable[[], None]
) -> AsyncIterator[Event]:
    """Return the stored events; trouble of the engine ends the wait instead of prolonging it."""
    stream = app.follow(run_id).__aiter__()
    while True:
        step = asyncio.ensure_future(anext(stream, None))
        try:
            glances = 0
            while not (await asyncio.wait({step}, timeout=_GLANCE))[0]:
                glances += 1
                # What will not mend itself is raised at once, and what should have by now.
                app.engine.raise_trouble()
                if app.engine.trouble is not None and glances > _PATIENCE:
                    raise app.engine.trouble
                look()
                screen.story.spent = await app.costs.of_run(run_id)
        except BaseException:
            step.cancel()
            await asyncio.gather(step, return_exceptions=True)
            raise
        event = step.result()
        if event is None:
            return
        yield event
