"""Style sheets, scripts and pictures of the pages; nothing comes from another host."""

from __future__ import annotations

import mimetypes

from fastapi import APIRouter
from fastapi.responses import Response

from groundwire.doors.ui.render import assets, stamp
from groundwire.errors import NotFoundHere

router = APIRouter(include_in_schema=False)
_KEPT = "public, max-age=31536000, immutable"


@router.get("/static/{given}/{name}")
async def asset(given: str, name: str) -> Response:
    """Serve a file of the folder `static`; its address changes with its content."""
    if name not in assets():
        raise NotFoundHere("error.no_such_file")
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    # A page of an older version asks under its own stamp: it gets our file, uncached.
    headers = {"Cache-Control": _KEPT} if given == stamp() else {}
    return Response(assets()[name], media_type=kind, headers=headers)


@router.get("/favicon.ico")
async def favicon() -> Response:
    return Response(assets()["mark.svg"], media_type="image/svg+xml")
