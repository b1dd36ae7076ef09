"""Runs in lists: what they are about, what came of them, and how far they are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from groundwire.app import App
from groundwire.doors.ui.run_view import mask_run
from groundwire.doors.ui.visits import Visit
from groundwire.jobs import about
from groundwire.model.run import FINISHED, Run, RunFilter, RunState
from groundwire.report.tokens import SHAPES
from groundwire.runs.lock import state_of

_LIVE: tuple[RunState, ...] = ("running", "waiting", "queued")
_MOST_LIVE = 12
_LOOKED_AT = 3  # pages of runs searched for finished ones


class ListedRun(NamedTuple):
    """A run in one line."""

    run: Run
    about: str
    state: str  # the run's, or `interrupted`
    step: str = ""  # of a live one: the step that it has reached

    @property
    def verdict(self) -> str:
        """The verdict of the run, if its result has one."""
        found = (self.run.result or {}).get("verdict")
        return found if isinstance(found, str) and found in SHAPES else ""

    @property
    def confidence(self) -> float | None:
        found = (self.run.result or {}).get("confidence")
        return float(found) if isinstance(found, int | float) else None

    @property
    def took(self) -> timedelta | None:
        return None if self.run.finished_at is None else self.run.finished_at - self.run.created_at


def line(visit: Visit, run: Run, step: str = "") -> ListedRun:
    shown = mask_run(run, visit)
    return ListedRun(shown, about(shown), state_of(run, visit.app.clock()), step)


async def latest(visit: Visit, kind: str, count: int = 8) -> Sequence[Run]:
    """List the newest runs of a job that have a result, newest first."""
    found: list[Run] = []
    wanted = RunFilter(owner=visit.who.sees, kind=kind)
    after: str | None = None
    for _ in range(_LOOKED_AT):
        page = await visit.app.runs.page(wanted, after, count)
        found += [run for run in page.runs if run.state in FINISHED and run.result is not None]
        after = page.next
        if len(found) >= count or after is None:
            break
    return [mask_run(run, visit) for run in found[:count]]


async def live(visit: Visit) -> list[ListedRun]:
    """List the runs that go on or wait, each with the step it has reached, newest first."""
    runs: list[Run] = []
    for state in _LIVE:
        wanted = RunFilter(owner=visit.who.sees, state=state)
        runs += (await visit.app.runs.page(wanted, None, _MOST_LIVE)).runs
    return [line(visit, run, await _step(visit.app, run)) for run in runs[:_MOST_LIVE]]


async def mark(visit: Visit) -> str:
    """Return a text that changes when a run begins or ends."""
    page = await visit.app.runs.page(RunFilter(owner=visit.who.sees), None, 1)
    return " ".join(f"{run.id} {run.state}" for run in page.runs)


async def _step(app: App, run: Run) -> str:
    newest = await app.runs.events(run.id, after=max(0, run.last_seq - 1), limit=1)
    return str(newest[-1].payload.get("phase") or newest[-1].step) if newest else ""


def elapsed(run: Run, now: datetime) -> float:
    """Count the seconds since it was submitted."""
    return max(0.0, ((run.finished_at or now) - run.created_at).total_seconds())
