"""A submitted run, followed on the screen to its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

from groundwire.doors.cli import confirming
from groundwire.doors.cli.card import show_end
from groundwire.doors.cli.session import Invocation
from groundwire.doors.cli.story import LiveStory, Screen, language_of
from groundwire.jobs import about
from groundwire.model.run import FINISHED, Run

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.model.event import Event

_GLANCE = 0.3  # seconds between looks at the engine and the spending
_PATIENCE = 100  # glances after which a missing store ends the wait


async def follow_to_end(app: App, run: Run, *, as_json: bool, yes: bool = False) -> int:
    """Follow a run to its end, or until it waits for somebody who is not here; then show it."""

    title = about(run)
    language = run.input.get("language")
    language = app.settings.language if language in (None, "auto") else language
    story = LiveStory(title, run.kind, language_of(title, language), unasked=yes)

    async def follow(run: Run) -> Run:
        live = run.state not in FINISHED
        if live:
            await app.engine.ensure_executed(run.id)
        with Screen(story, quiet=as_json) as screen:
            screen.began(run.id)
            return await show_events(app, run.id, screen, live=live)

    run = await confirming.settle(app, await follow(run), follow, yes=yes, quiet=as_json)
    return await show_end(app, run, as_json=as_json)


async def show_events(app: App, run_id: str, screen: Screen, *, live: bool = True) -> Run:
    """Show every event of a run and return it finished; `live`: it was not over before."""
    Invocation.run_id = run_id if live else None

    def announce_handover() -> None:
        if live and not screen.story.elsewhere and app.engine.handed_over():
            screen.story.elsewhere = True
            desk = app.engine.works_at()
            say = screen.story.say
            screen.note(say("cli.desk_runs", url=desk) if desk else say("cli.other_runs"))

    async for event in _events(app, run_id, screen, announce_handover):
        screen.take(event)
        announce_handover()
    Invocation.run_id = None
    return await app.runs.find(run_id)


async def _events(
    app: App, run_id: str, screen: Screen, look: Callable[[], None]
) -> AsyncIterator[Event]:
    """Yield the stored events that the story has not told yet; trouble of the engine ends the wait instead of prolonging it."""
    stream = app.follow(run_id, after=screen.story.seq).__aiter__()
    while True:
        step = asyncio.ensure_future(anext(stream, None))
        try:
            glances = 0
            while not (await asyncio.wait({step}, timeout=_GLANCE))[0]:
                glances += 1
                # Permanent trouble is raised at once, passing trouble when it has lasted too long.
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
