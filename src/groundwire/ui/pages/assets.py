"""Style sheets, scripts and pictures of the pages; nothing comes from another host."""

from __future__ import annotations

import mimetypes
from importlib.resources import files

from fastapi import APIRouter
from fastapi.responses import Response

from groundwire.errors import NotFoundHere

router = APIRouter(include_in_schema=False)
_KEPT = "public, max-age=31536000, immutable"
_NAMES = frozenset(each.name for each in files("groundwire.ui").joinpath("static").iterdir())


@router.get("/static/{stamp}/{name}")
async def asset(stamp: str, name: str) -> Response:
    """A file of the folder `static`; `stamp` only makes its address change with its content."""
    if name not in _NAMES:
        raise NotFoundHere("there is no such file")
    data = files("groundwire.ui").joinpath("static", name).read_bytes()
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Response(data, media_type=kind, headers={"Cache-Control": _KEPT})
