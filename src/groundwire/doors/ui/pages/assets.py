"""Style sheets, scripts and pictures of the pages; nothing comes from another host."""

from __future__ import annotations

import mimetypes
from functools import cache
from importlib.resources import files

from fastapi import APIRouter
from fastapi.responses import Response

from groundwire.doors.ui.render import stamp
from groundwire.errors import NotFoundHere

router = APIRouter(include_in_schema=False)
_KEPT = "public, max-age=31536000, immutable"
_NAMES = frozenset(each.name for each in files("groundwire.doors.ui").joinpath("static").iterdir())


@router.get("/static/{given}/{name}")
async def asset(given: str, name: str) -> Response:
    """A file of the folder `static`; the stamp makes its address change with its content."""
    if name not in _NAMES:
        raise NotFoundHere("error.no_such_file")
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    # A page of the version before asks under its own stamp: it gets ours, but does not keep it.
    kept = {"Cache-Control": _KEPT} if given == stamp() else {}
    return Response(_data(name), media_type=kind, headers=kept)


@router.get("/favicon.ico")
async def favicon() -> Response:
    return Response(_data("mark.svg"), media_type="image/svg+xml")


@cache
def _data(name: str) -> bytes:
    return files("groundwire.doors.ui").joinpath("static", name).read_bytes()
