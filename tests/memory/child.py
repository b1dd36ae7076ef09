"""The process that is killed around the moment at which a run is remembered, by a real SIGKILL.

`python -m tests.memory.child` with settings in the environment starts the run; who comes after it
needs no process of its own, since nobody kills it (`go_on`). KILL names the place:
`before finish`, `after finish` (result and claims are committed), `after index` (claims can be
found by their words, but were not compared), `after compare` (everything but the answer).
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

from groundwire.app import App, open_app
from groundwire.model.memory import MemoryQuery
from groundwire.settings import Loaded
from tests.memory.make import RATE_NEW, RATE_OLD, taught, teach
from tests.memory.pages import BANK, page

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
QUESTION = "What is the savings rate of Harbor Light Bank?"
_METHODS = {"finish": "finish", "index": "_index", "compare": "_compare"}


def deadly(real: Callable[..., Awaitable[Any]], when: str) -> Callable[..., Awaitable[Any]]:
    """Wrap a function so that the process dies before it, or after it but before its caller knows."""

    async def dies(*args: Any, **given: Any) -> Any:
        if when == "after":
            await real(*args, **given)
        os.kill(os.getpid(), signal.SIGKILL)

    return dies


def armed(app: App, place: str) -> None:
    when, _, what = place.partition(" ")
    owner = app.store.runs if what == "finish" else app.store.memory
    setattr(owner, _METHODS[what], deadly(getattr(owner, _METHODS[what]), when))


async def main() -> None:
    async with open_app() as app:
        place = os.environ["KILL"]
        await teach(app.store, "earlier", LONG_AGO, taught(RATE_OLD, url=BANK))
        await app.store.memory.recall(MemoryQuery(text=QUESTION), LONG_AGO)
        await app.archive.add([page(BANK, f"{RATE_NEW} The bank is based in Marlow.", LONG_AGO)])
        run = await app.submit("ask", {"question": QUESTION})
        if place.endswith("finish"):
            armed(app, place)
        await app.finished(run.id)
        armed(app, place)
        await memory_state(app)


async def go_on(loaded: Loaded) -> dict[str, Any]:
    """Finish what a killed process left."""
    async with open_app(loaded) as app:
        await app.finished((await app.runs.find("ask-")).id)
        return await memory_state(app)


async def memory_state(app: App) -> dict[str, Any]:
    """Return all that memory holds of the question."""
    entries = await app.store.memory.recall(
        MemoryQuery(text=QUESTION, past=True, limit=50), LONG_AGO
    )
    run = await app.runs.find("ask-")
    return {
        "state": run.state,
        "digest": run.digest,
        "claims": sorted(
            [entry.claim.text, entry.sightings, entry.standing.state, len(entry.sources)]
            for entry in entries
        ),
    }


if __name__ == "__main__":
    asyncio.run(main())
