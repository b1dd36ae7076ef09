"""The desk as one ASGI application: routes, errors, the guard around them."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import APIRouter, FastAPI
from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware
from starlette.types import ASGIApp

from groundwire import __version__, plugins
from groundwire.doors.api import contract, problems
from groundwire.doors.api.door import Desk
from groundwire.doors.api.guard import Ending, Guard, Heads
from groundwire.model.base import JsonObject

ROUTES = plugins.load("groundwire.doors.api.routes")
_SLACK = 1_000_000  # bytes of a request around an upload
_SMALL = 1_024  # bytes that fit into one packet anyway
_LEVEL = 5
_PRESSED = (  # compressed already, or sent as it comes
    *DEFAULT_EXCLUDED_CONTENT_TYPES,
    "application/pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
)


def create(desk: Desk, *, more: Iterable[APIRouter] = ()) -> FastAPI:
    """REST under /api, and `more` routes beside it; wrap it with `guarded`."""
    api = _routed()
    api.state.desk = desk
    for router in more:
        api.include_router(router, include_in_schema=False)
    return api


def document() -> JsonObject:
    """The OpenAPI document, without a desk behind it."""
    return _routed().openapi()


def _routed() -> FastAPI:
    api = FastAPI(
        title="Groundwire",
        version=__version__,
        summary="An evidence-first intelligence desk.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,  # an address has one form
        responses=problems.RESPONSES,
        generate_unique_id_function=contract.operation_id,
    )
    api.openapi = lambda: contract.describe(api)
    problems.install(api)
    for name in sorted(ROUTES):
        router: APIRouter = ROUTES[name].router
        api.include_router(router)
    return api


def guarded(api: ASGIApp, desk: Desk, hosts: Iterable[str]) -> ASGIApp:
    """The application behind its guard; what is text leaves compressed, streams never do."""
    settings = desk.app.settings.desk
    compressed = GZipMiddleware(
        api, minimum_size=_SMALL, compresslevel=_LEVEL, exclude_content_types=_PRESSED
    )
    return Guard(
        Ending(Heads(compressed), desk),
        hosts=(*hosts, *settings.hosts),
        most_bytes=settings.max_upload_bytes + _SLACK,
    )
