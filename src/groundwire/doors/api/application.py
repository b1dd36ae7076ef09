"""The desk as one ASGI application: routes, errors, the guard around them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import cast

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware
from starlette.types import ASGIApp

from groundwire import __version__, plugins
from groundwire.doors.api import problems
from groundwire.doors.api.door import Desk
from groundwire.doors.api.guard import Guard, answer_head, answer_while_stopping
from groundwire.model.base import JsonObject

_ABOUT = (
    "Every answer carries quotes that really stand in pages that were really read. A run is "
    "started, followed by its events, and kept with everything it read. Errors are problem+json. "
    "Texts are UTF-8; times are RFC 3339."
)
TAGS = (
    ("runs", "Jobs: start one, look at it, stop it, judge it, take it away."),
    ("evidence", "The archive: every page that was read, shared by the whole installation."),
    ("watches", "Runs on a schedule: what changed, what was believed, and who is told."),
    ("memory", "What is believed, what was believed, and how it came about."),
    ("signals", "What became of messages, and what confidence was worth."),
    ("intake", "Messages from programs, signed."),
    ("tools", "One capability at a time, as a small run."),
    ("desk", "What is configured, what it costs, who may come in."),
    ("operations", "For whoever runs it."),
)
_NAMES = {"groundwire__model__tool__ToolResult": "Measured"}
ROUTES = plugins.load("groundwire.doors.api.routes")
_SLACK = 1_000_000  # bytes of a request beside its upload
_SMALL = 1_024  # bytes that fit into one packet anyway
_LEVEL = 5
_UNCOMPRESSED = (  # compressed already, or streamed
    *DEFAULT_EXCLUDED_CONTENT_TYPES,
    "application/pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
)


def create(desk: Desk, *, more: Iterable[APIRouter] = ()) -> FastAPI:
    """Build the application: REST under /api, and `more` routes beside it; wrap it with `guarded`."""
    api = _build()
    api.state.desk = desk
    for router in more:
        api.include_router(router, include_in_schema=False)
    return api


def document() -> JsonObject:
    """Return the OpenAPI document, without a desk behind it."""
    return _build().openapi()


def _build() -> FastAPI:
    api = FastAPI(
        title="Groundwire",
        version=__version__,
        summary="An evidence-first intelligence desk.",
        description=_ABOUT,
        openapi_tags=[{"name": name, "description": about} for name, about in TAGS],
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,  # an address has one form
        responses=problems.RESPONSES,
        generate_unique_id_function=_operation_id,
    )
    api.openapi = lambda: _openapi(api)
    problems.install(api)
    for name in sorted(ROUTES):
        router: APIRouter = ROUTES[name].router
        api.include_router(router)
    return api


def guarded(api: ASGIApp, desk: Desk, hosts: Iterable[str]) -> ASGIApp:
    """Wrap the application in its guard; text leaves compressed, streams never do."""
    settings = desk.app.settings.desk
    compressed = GZipMiddleware(
        api, minimum_size=_SMALL, compresslevel=_LEVEL, exclude_content_types=_UNCOMPRESSED
    )
    return Guard(
        answer_while_stopping(answer_head(compressed), desk),
        hosts=(*hosts, *settings.hosts),
        most_bytes=settings.max_upload_bytes + _SLACK,
    )


def _operation_id(route: APIRoute) -> str:
    """Name an operation briefly for generated clients: `runs_start`."""
    first = str(route.tags[0]) if route.tags else "api"
    return f"{first}_{route.name}"


def _openapi(api: FastAPI) -> JsonObject:
    """Return the OpenAPI document, made once."""
    if api.openapi_schema is None:
        schema = _shorten_names(FastAPI.openapi(api))
        for operations in schema["paths"].values():
            for operation in operations.values():
                for parameter in operation.get("parameters", ()):
                    parameter["schema"] = _without_null(parameter["schema"])
        schemas: JsonObject = schema["components"]["schemas"]
        schemas["Problem"] = problems.Problem.model_json_schema()
        schema["components"]["schemas"] = dict(sorted(schemas.items()))
        api.openapi_schema = schema
    return api.openapi_schema


def _without_null(schema: JsonObject) -> JsonObject:
    """Drop null from a parameter's schema: it can be left out, but not sent as nothing."""
    kinds = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if len(kinds) != 1:
        return schema
    return {**kinds[0], **{name: value for name, value in schema.items() if name != "anyOf"}}


def _shorten_names(schema: JsonObject) -> JsonObject:
    """Prefix schemas that share a name with their module, not with the whole path to it."""
    text = json.dumps(schema)
    for name in re.findall(r'"(groundwire__\w+)": ', text):
        module, _, noun = name.rpartition("__")
        short = f"{module.rpartition('__')[2].title().replace('_', '')}{noun}"
        text = text.replace(name, _NAMES.get(name, short))
    return cast(JsonObject, json.loads(text))
