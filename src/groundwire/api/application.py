"""The desk as one ASGI application: routes, errors, the guard around them."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import APIRouter, FastAPI
from starlette.types import ASGIApp

from groundwire import __version__, plugins
from groundwire.api import problems
from groundwire.api.door import Desk
from groundwire.api.guard import Guard

ROUTES = plugins.load("groundwire.api.routes")
_SLACK = 1_000_000  # bytes of a request around an upload


def create(desk: Desk, *, more: Iterable[APIRouter] = ()) -> FastAPI:
    """REST under /api, and `more` routes beside it; wrap it with `guarded`."""
    api = FastAPI(
        title="Groundwire",
        version=__version__,
        summary="An evidence-first intelligence desk.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses={
            status: {"model": problems.Problem, "content": {problems.TYPE: {}}}
            for status in ("4XX", "5XX")
        },
    )
    api.state.desk = desk
    problems.install(api)
    for name in sorted(ROUTES):
        router: APIRouter = ROUTES[name].router
        api.include_router(router)
    for router in more:
        api.include_router(router)
    return api


def guarded(api: ASGIApp, desk: Desk, hosts: Iterable[str]) -> ASGIApp:
    """The application behind its guard."""
    settings = desk.app.settings.desk
    return Guard(
        api, hosts=(*hosts, *settings.hosts), most_bytes=settings.max_upload_bytes + _SLACK
    )
