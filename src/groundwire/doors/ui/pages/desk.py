"""The desk itself: the command bar, what goes on, the latest of each job, how the house stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from groundwire.app.health import PartState, provider_states
from groundwire.doors.ui.finished import elapsed, live, mark
from groundwire.doors.ui.forms import OwnForm
from groundwire.doors.ui.render import fragment, page
from groundwire.doors.ui.section import sections
from groundwire.doors.ui.view import about
from groundwire.doors.ui.visits import Visit, VisitHere
from groundwire.errors import Forbidden, GroundwireError
from groundwire.log import get_logger

router = APIRouter(include_in_schema=False)
log = get_logger("groundwire.doors.ui")
_EXAMPLES = ("desk.example.1", "desk.example.2", "desk.example.3")


@router.get("/")
async def desk(
    request: Request, visit: VisitHere, text: Annotated[str, Query(max_length=2000)] = ""
) -> Response:
    """The page; `text` is put into the bar, for examples where no script runs."""
    return await show(request, visit, typed=text)


@router.get("/desk/now")
async def now(request: Request, visit: VisitHere) -> HTMLResponse:
    """The runs that go on, as the page shows them."""
    values = await _now(visit)
    text = fragment(request, visit, "desk/now.html", **values)
    return HTMLResponse(text, headers={"X-Mark": str(values["mark"])})


@router.get("/desk/parts")
async def parts(request: Request, visit: VisitHere) -> HTMLResponse:
    """What changes when a run has ended."""
    return HTMLResponse(fragment(request, visit, "desk/parts.html", **await _parts(visit)))


@router.post("/desk/sample")
async def load_sample(visit: VisitHere, _form: OwnForm) -> Response:
    """Put the sample archive in, as `gw archive add --sample` does."""
    if not visit.who.may("admin"):
        raise Forbidden(f"this needs the scope admin; the token has {visit.who.scope}")
    await visit.desk.app.add_sample()
    return RedirectResponse("/", 303)


async def show(
    request: Request, visit: Visit, *, status: int = 200, **values: object
) -> HTMLResponse:
    """The whole page, with what was typed or went wrong."""
    shown = {"examples": _EXAMPLES, **await _now(visit), **await _parts(visit), **values}
    return page(request, visit, "desk.html", active="desk", status=status, **shown)


async def _now(visit: Visit) -> dict[str, object]:
    lines = await live(visit)
    at = visit.desk.app.clock()
    return {"lines": [(each, elapsed(each.run, at)) for each in lines], "mark": await mark(visit)}


async def _parts(visit: Visit) -> dict[str, object]:
    loaded: list[tuple[str, str, Mapping[str, object]]] = [
        (each.name, each.template, await each.load(visit)) for each in sections()
    ]
    return {
        "sections": loaded,
        "about": about,
        "archive": await visit.desk.app.store.index.stats(),
        "providers": await _providers(visit),
        "offline": visit.desk.app.settings.offline,
    }


async def _providers(visit: Visit) -> Sequence[PartState] | None:
    """Those that take part or should; None: the settings of one cannot be used."""
    try:
        states = await provider_states(visit.desk.app)
    except GroundwireError as error:
        log.warning("providers cannot be looked at", reason=error.message)
        return None
    return [each for each in states if each.on or each.until or each.refused]
