"""Apps whose clock a test sets, with a job that can be kept on a schedule."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from groundwire import jobs
from groundwire.app import App, open_app
from groundwire.jobs.sections import settings_type
from groundwire.model.run import Run
from groundwire.model.schedule import Schedule

JOBS = Path(__file__).parent / "jobs" / "standing"
START = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


def with_jobs() -> None:
    """Put the job among the others, in a process that nothing else is done in."""
    jobs.__path__.append(str(JOBS))


@asynccontextmanager
async def app_at(
    folder: Path, database_url: str, at: datetime = START, **given: Any
) -> AsyncIterator[App]:
    home = folder / "home"
    home.mkdir(exist_ok=True)
    values = {"home": str(home), "database_url": database_url, "search.chain": "archive", **given}
    loaded = settings_type().load(values, cwd=home, env={"HOME": str(home)})
    async with open_app(loaded) as app:
        set_clock(app, at)
        yield app


def set_clock(app: App, at: datetime) -> None:
    """Set the one clock of an app, before anything has asked for the time."""
    app.clock.wind(at - app.clock())


async def tick(app: App) -> None:
    """Look once what is due, and see what was started to its end."""
    await app.services.tick()
    for head in await app.runs.unfinished():
        await app.ended(head.id)


async def runs_of(app: App, schedule: Schedule) -> list[Run]:
    """Return the runs of a standing run, the first one first."""
    return list(await app.schedules.runs(schedule))[::-1]
