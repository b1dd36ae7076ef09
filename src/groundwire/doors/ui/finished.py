"""Runs as lists of pages show them: what they are about, what came of them, where they are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from groundwire.app import App
from groundwire.doors.ui.run_view import masked
from groundwire.doors.ui.visits import Visit
from groundwire.jobs import about
from groundwire.model.run import FINISHED, Run, RunFilter, RunState
from groundwire.report.tokens import SHAPES
from groundwire.runs.lock import state_of

N = TypeVar("N", bound=BaseModel)
_LIVE: tuple[RunState, ...] = ("running", "waiting", "queued")
_MOST_LIVE = 12
_LOOKED_AT = 3  # pages of runs, in search of finished ones


class FinishedLine(NamedTuple):
    """A run in one line."""

    run: Run
    about: str
    state: str  # the run's, or `interrupted`
    step: str = ""  # of a live one: the step that it has reached

    @property
    def verdict(self) -> str:
        """What the run says, when its result says one thing."""
        found = (self.run.result or {}).get("verdict")
        return found if isinstance(found, str) and found in SHAPES else ""

    @property
    def confidence(self) -> float | None:
        found = (self.run.result or {}).get("confidence")
        return float(found) if isinstance(found, int | float) else None

    @property
    def took(self) -> timedelta | None:
        return None if self.run.finished_at is None else self.run.finished_at - self.run.created_at


def line(visit: Visit, run: Run, step: str = "") -> FinishedLine:
    shown = masked(run, visit)
    return FinishedLine(shown, about(shown), state_of(run, visit.app.clock()), step)


async def latest(visit: Visit, kind: str, count: int = 8) -> Sequence[Run]:
    """The newest runs of a job that have a result, newest first."""
    found: list[Run] = []
    wanted = RunFilter(owner=visit.owner, kind=kind)
    after: str | None = None
    for _ in range(_LOOKED_AT):
        page = await visit.app.runs.page(wanted, after, count)
        found += [run for run in page.runs if run.state in FINISHED and run.result is not None]
        after = page.next
        if len(found) >= count or after is None:
            break
    return [masked(run, visit) for run in found[:count]]


def read(noun: type[N], run: Run) -> N | None:
    """The result as what it is; None: another version has stored another shape."""
    try:
        return noun.model_validate(run.result)
    except ValidationError:
        return None


async def live(visit: Visit) -> list[FinishedLine]:
    """The runs that go on or wait, each with the step that it has reached, newest first."""
    runs: list[Run] = []
    for state in _LIVE:
        wanted = RunFilter(owner=visit.owner, state=state)
        runs += (await visit.app.runs.page(wanted, None, _MOST_LIVE)).runs
    return [line(visit, run, await _step(visit.app, run)) for run in runs[:_MOST_LIVE]]


async def mark(visit: Visit) -> str:
    """Changes when a run was begun or has ended since one looked."""
    page = await visit.app.runs.page(RunFilter(owner=visit.owner), None, 1)
    return " ".join(f"{run.id} {run.state}" for run in page.runs)


async def _step(app: App, run: Run) -> str:
    newest = await app.runs.events(run.id, after=max(0, run.last_seq - 1), limit=1)
    return str(newest[-1].payload.get("phase") or newest[-1].step) if newest else ""


def elapsed(run: Run, now: datetime) -> float:
    """Seconds since it was asked for."""
    return max(0.0, ((run.finished_at or now) - run.created_at).total_seconds())
