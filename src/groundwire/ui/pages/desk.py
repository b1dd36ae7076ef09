"""The desk itself: the command bar, what goes on, the latest signals."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from groundwire.ui.render import page
from groundwire.ui.visits import VisitHere

router = APIRouter(include_in_schema=False)


@router.get("/")
async def desk(request: Request, visit: VisitHere) -> HTMLResponse:
    return page(request, visit, "desk.html", active="desk")
