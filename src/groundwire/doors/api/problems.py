"""Errors as problem+json (RFC 9457): one sentence, the next thing to do, never a traceback."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.routing import Match

from groundwire.errors import (
    BudgetReached,
    Conflict,
    DiskFull,
    Forbidden,
    GroundwireError,
    IllegalState,
    NotFoundHere,
    OutsideFailure,
    SettingsError,
    SignInNeeded,
    StoreError,
    TooBig,
    TooMany,
    Unsigned,
    UserError,
)
from groundwire.log import get_logger
from groundwire.model.base import Value

log = get_logger("groundwire.doors.api")
TYPE = "application/problem+json"
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_LONGEST = 500  # characters of a detail: it may repeat what was sent
_SEE = "see /api/openapi.json"
# What is told where an error itself says no more.
_HINTS = {
    400: _SEE,
    402: "raise the budget, and resume the run",
    403: "ask whoever runs the desk for another token: gw token create NAME --scope …",
    404: _SEE,
    405: _SEE,
    409: "look at it first, then ask for what it allows",
    413: "send less at once",
    421: "add the name to desk.hosts, or use the address that gw serve names",
    422: _SEE,
    429: "come back later; Retry-After says when",
    502: "try again later, or see: gw providers",
    500: "the log of the desk says what",
    503: "try again in a moment, or see: gw doctor",
    507: "free some space on the desk's disk",
}


class Problem(Value):
    """What went wrong, in one sentence, and what to do next."""

    type: str = "about:blank"
    title: str = Field(description="the status in words")
    status: int
    detail: str = Field(description="one sentence")
    hint: str = Field(default="", description="the next thing to do")


# A page in place of a problem, for who looks with a browser; `state.error_page` of the application.
ErrorPage = Callable[[Request, Problem, Mapping[str, str]], Response | None]


# Of every operation; the schema of the body is put in by `contract.describe`.
RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {
        "description": said,
        "content": {TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for status, said in (
        ("4XX", "The request cannot be done as given."),
        ("5XX", "The desk, or something behind it, cannot do it now."),
    )
}


def status_of(error: GroundwireError) -> int:
    """The status that says it."""
    match error:
        case SignInNeeded() | Unsigned():
            return 401
        case Forbidden():
            return 403
        case NotFoundHere():
            return 404
        case Conflict():
            return 409
        case TooBig():
            return 413
        case TooMany():
            return 429
        case SettingsError():
            return 503  # the desk's own, not the caller's
        case UserError():
            return 422
        case BudgetReached():
            return 402
        case DiskFull():
            return 507
        case StoreError():
            return 503
        case OutsideFailure():
            return 502
        case _:
            return 500


def response(
    status: int, detail: str, hint: str = "", headers: dict[str, str] | None = None
) -> JSONResponse:
    shown = detail if len(detail) <= _LONGEST else f"{detail[: _LONGEST - 1]}…"
    problem = Problem(
        title=HTTPStatus(status).phrase,
        status=status,
        detail=_text(shown),
        hint=_text(hint or _HINTS.get(status, "")),
    )
    return JSONResponse(problem.model_dump(), status, headers, media_type=TYPE)


def _text(words: str) -> str:
    """A request may name things in halves of characters, which no answer can hold."""
    return words.encode("utf-8", "replace").decode()


def said(error: GroundwireError) -> JSONResponse:
    status = status_of(error)
    headers: dict[str, str] = {}
    if isinstance(error, SignInNeeded):
        headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, TooMany):
        headers["Retry-After"] = str(math.ceil(error.retry_after))
    if status == 503:
        headers["Retry-After"] = "2"
    return response(status, _told(error), error.hint, headers)


def _told(error: GroundwireError) -> str:
    """The log has all of it."""
    match error:
        case IllegalState():
            return "Something went wrong here."
        case StoreError():
            return error.abroad()
        case _:
            return error.message


def install(api: FastAPI) -> None:
    """Every error leaves in this form."""

    @api.exception_handler(GroundwireError)
    async def ours(request: Request, error: GroundwireError) -> Response:
        if status_of(error) >= 500:
            log.error("request failed", path=request.url.path, error=error.message)
        return _shown(request, said(error))

    @api.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        fault = error.errors()[0]
        where = ".".join(str(part) for part in fault["loc"])
        what = str(fault["msg"]).removeprefix("Value error, ")
        detail = f"{where}: {what[:1].lower()}{what[1:]}"
        if fault["type"] == "json_invalid":
            detail = "the body is no JSON"
        return _shown(request, response(422, detail, _unlabelled(request, where)))

    @api.exception_handler(HTTPException)
    async def plain(request: Request, error: HTTPException) -> Response:
        if isinstance(error.__cause__, GroundwireError):  # raised while the body was read
            return _shown(request, said(error.__cause__))
        headers = dict(error.headers or {})
        if error.status_code == 405:
            headers["Allow"] = ", ".join(_allowed(request))
        answer = response(error.status_code, _sentence(str(error.detail)), headers=headers)
        return _shown(request, answer)

    @api.exception_handler(Exception)
    async def unforeseen(request: Request, _error: Exception) -> Response:
        log.exception("request", path=request.url.path)
        return _shown(request, response(500, "Something went wrong here."))

    _ = ours, invalid, plain, unforeseen


def _unlabelled(request: Request, where: str) -> str:
    """What curl sends is a form to everybody, unless it is said to be JSON."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    labelled = kind == "application/json" or kind.endswith("+json")
    return "" if labelled or where != "body" else "send it with Content-Type: application/json"


def _shown(request: Request, answer: JSONResponse) -> Response:
    page: ErrorPage | None = getattr(request.app.state, "error_page", None)
    if page is None:
        return answer
    return page(request, Problem.model_validate_json(bytes(answer.body)), answer.headers) or answer


def _allowed(request: Request) -> Iterator[str]:
    """Every method that the address knows; a router names those of its first route only."""
    for method in _METHODS:
        scope = {**request.scope, "method": method}
        if any(route.matches(scope)[0] is Match.FULL for route in request.app.router.routes):
            yield from ("GET", "HEAD") if method == "GET" else (method,)


def _sentence(detail: str) -> str:
    """What the framework says, as we would."""
    return {
        "Not Found": "there is nothing at this address",
        "Method Not Allowed": "this address does not take that method",
        "There was an error parsing the body": "the body cannot be read",
    }.get(detail, detail)
