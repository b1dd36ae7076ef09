"""Errors as problem+json (RFC 9457): one sentence, the next thing to do, never a traceback."""

from __future__ import annotations

import math
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from groundwire.errors import (
    BudgetReached,
    Conflict,
    DiskFull,
    Forbidden,
    GroundwireError,
    IllegalState,
    NotFoundHere,
    OutsideFailure,
    SignInNeeded,
    StoreError,
    TooBig,
    TooMany,
    Unsigned,
    UserError,
)
from groundwire.log import get_logger
from groundwire.model.base import Noun

log = get_logger("groundwire.api")
TYPE = "application/problem+json"


class Problem(Noun):
    """What went wrong."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    hint: str = ""


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
    problem = Problem(title=HTTPStatus(status).phrase, status=status, detail=detail, hint=hint)
    return JSONResponse(problem.model_dump(), status, headers, media_type=TYPE)


def said(error: GroundwireError) -> JSONResponse:
    status = status_of(error)
    headers: dict[str, str] = {}
    if isinstance(error, SignInNeeded):
        headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, TooMany):
        headers["Retry-After"] = str(math.ceil(error.retry_after))
    if status == 503:
        headers["Retry-After"] = "2"
    detail = "Something went wrong here." if isinstance(error, IllegalState) else error.message
    return response(status, detail, error.hint, headers)


def install(api: FastAPI) -> None:
    """Every error leaves in this form."""

    @api.exception_handler(GroundwireError)
    async def ours(request: Request, error: GroundwireError) -> JSONResponse:
        if status_of(error) >= 500:
            log.error("request failed", path=request.url.path, error=error.message)
        return said(error)

    @api.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
        fault = error.errors()[0]
        where = ".".join(str(part) for part in fault["loc"])
        return response(422, f"{where}: {fault['msg']}")

    @api.exception_handler(HTTPException)
    async def plain(_request: Request, error: HTTPException) -> JSONResponse:
        headers = dict(error.headers or {})
        return response(error.status_code, str(error.detail), headers=headers)

    @api.exception_handler(Exception)
    async def unforeseen(request: Request, _error: Exception) -> JSONResponse:
        log.exception("request", path=request.url.path)
        return response(500, "Something went wrong here.", "the log of the desk says what")

    _ = ours, invalid, plain, unforeseen
