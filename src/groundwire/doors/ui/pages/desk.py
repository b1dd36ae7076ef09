"""The desk itself: the command bar, live runs, the latest of each job, the state of the installation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from groundwire.app.health import PartState
from groundwire.doors.ui.guessing import commands
from groundwire.doors.ui.render import fragment, page
from groundwire.doors.ui.run_lines import elapsed, latest, live, mark
from groundwire.doors.ui.visits import OwnForm, Visit, VisitHere
from groundwire.errors import GroundwireError
from groundwire.jobs import Job, entry_of, offered
from groundwire.log import get_logger
from groundwire.model.desk import DeskSection, Entry
from groundwire.model.run import Run
from groundwire.report.story import label

router = APIRouter(include_in_schema=False)
log = get_logger("groundwire.doors.ui")
_EXAMPLES = 3


class LatestRuns(NamedTuple):
    """The latest finished runs of a job; None: another version stored another shape."""

    kind: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[Run, Entry | None]]


@router.get("/")
async def desk(visit: VisitHere, text: Annotated[str, Query(max_length=2000)] = "") -> Response:
    """Show the page; `text` is put into the bar, for examples where no script runs."""
    return await show(visit, typed=text)


@router.get("/desk/now")
async def now(visit: VisitHere) -> HTMLResponse:
    """Show the live runs alone, for a script."""
    values = await _now(visit)
    text = fragment(visit, "desk/now.html", **values)
    return HTMLResponse(text, headers={"X-Mark": str(values["mark"])})


@router.get("/desk/parts")
async def parts(visit: VisitHere) -> HTMLResponse:
    """Show what changes when a run has ended."""
    return HTMLResponse(fragment(visit, "desk/parts.html", **await _parts(visit)))


@router.post("/desk/sample")
async def load_sample(visit: VisitHere, _form: OwnForm) -> Response:
    """Add the sample archive, as `gw archive add --sample` does."""
    visit.check("admin")
    await visit.app.archive.add_sample()
    return RedirectResponse("/", 303)


async def show(visit: Visit, *, status: int = 200, **values: object) -> HTMLResponse:
    """Show the whole page, with what was typed or went wrong."""
    examples = [name for each in commands() for name in each.bar.examples][:_EXAMPLES]
    shown = {"examples": examples, **await _now(visit), **await _parts(visit), **values}
    return page(visit, "desk.html", active="desk", status=status, **shown)


async def _now(visit: Visit) -> dict[str, object]:
    lines = await live(visit)
    at = visit.app.clock()
    return {
        "lines": [(each, elapsed(each.run, at)) for each in lines],
        "mark": await mark(visit),
        "step_label": label,
    }


async def _parts(visit: Visit) -> dict[str, object]:
    listed = [(job.section, job) for job in offered() if job.section is not None]
    listed.sort(key=lambda each: each[0].place)
    return {
        "unseen": await visit.app.schedules.unseen(visit.who, language=visit.say.language),
        "sections": [await _latest(visit, job, section) for section, job in listed],
        "archive": await visit.app.archive.stats(),
        "providers": await _providers(visit),
        "offline": visit.app.settings.offline,
    }


async def _latest(visit: Visit, job: Job, section: DeskSection) -> LatestRuns:
    runs = await latest(visit, job.kind, section.most)
    return LatestRuns(job.kind, section.columns, [(run, entry_of(run)) for run in runs])


async def _providers(visit: Visit) -> Sequence[PartState] | None:
    """List the providers that take part or should; None: the settings of one cannot be used."""
    try:
        states = await visit.app.health.providers()
    except GroundwireError as error:
        log.warning("providers cannot be looked at", reason=error.message)
        return None
    return [each for each in states if each.on or each.until or each.refused]
