"""Errors as problem+json (RFC 9457): one sentence, the next thing to do, never a traceback."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from typing import Any, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import Field
from pydantic_core import ErrorDetails
from starlette.exceptions import HTTPException
from starlette.routing import Match

from groundwire import errors
from groundwire.doors.language import language_of
from groundwire.log import get_logger
from groundwire.model.base import JsonObject, Value
from groundwire.model.refusals import found_fault
from groundwire.words import words

log = get_logger("groundwire.doors.api")
TYPE = "application/problem+json"
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_LONGEST = 500  # characters of a detail: it may repeat what was sent
_OURS = {  # sentences of the framework, by our codes
    "Not Found": "error.no_page_here",
    "Method Not Allowed": "error.no_method",
    "There was an error parsing the body": "error.body_unreadable",
}


class Problem(Value):
    """An error in one sentence, and what to do next."""

    type: str = "about:blank"
    title: str = Field(description="the status in words")
    status: int
    detail: str = Field(description="one sentence, in the language of Accept-Language")
    hint: str = Field(default="", description="the next thing to do")
    code: str = Field(default="", description="the code of the sentence, in every language")
    params: JsonObject = Field(default_factory=dict, description="what is put into it")


# Makes a page of a problem for browsers; `state.error_page` of the application.
ErrorPage = Callable[[Request, Problem, Mapping[str, str]], Response | None]


# For every operation; `application` adds the schema of the body.
RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {
        "description": about,
        "content": {TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for status, about in (
        ("4XX", "The request cannot be done as given."),
        ("5XX", "The desk, or something behind it, cannot do it now."),
    )
}


# The first class that matches decides; any other error is ours.
_STATUSES: tuple[tuple[type[errors.GroundwireError], int], ...] = (
    (errors.SignInNeeded, 401),
    (errors.Unsigned, 401),
    (errors.Forbidden, 403),
    (errors.NotFoundHere, 404),
    (errors.Conflict, 409),
    (errors.TooBig, 413),
    (errors.TooMany, 429),
    (errors.SettingsError, 503),  # the desk's own, not the caller's
    (errors.UserError, 422),
    (errors.BudgetReached, 402),
    (errors.DiskFull, 507),
    (errors.StoreError, 503),
    (errors.OutsideFailure, 502),
)


def status_of(error: errors.GroundwireError) -> int:
    """Return the HTTP status of an error."""
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), 500)


def response(
    status: int,
    detail: str,
    hint: str = "",
    headers: dict[str, str] | None = None,
    *,
    language: str = "en",
    params: Mapping[str, object] | None = None,
) -> JSONResponse:
    """Build a problem; `detail` and `hint` are codes, put into the reader's language."""
    say, values = words(language), params or {}
    sentence = say(detail, **values)
    shown = sentence if len(sentence) <= _LONGEST else f"{sentence[: _LONGEST - 1]}…"
    # The hint of an error that brings none.
    usual = say("hint.status") if status < 500 else ""
    advice = say(hint, **values) if hint else say.maybe(f"hint.status.{status}", usual)
    problem = Problem(
        title=HTTPStatus(status).phrase,
        status=status,
        detail=_encodable(shown),
        hint=_encodable(advice),
        code=detail if say.has(detail) else "",
        # Encodable, and no longer than a sentence.
        params={
            name: _encodable(value[:_LONGEST]) if isinstance(value, str) else value
            for name, value in values.items()
        },
    )
    return JSONResponse(problem.model_dump(), status, headers, media_type=TYPE)


def _encodable(text: str) -> str:
    """Replace lone surrogates, which a request may hold and no answer can."""
    return text.encode("utf-8", "replace").decode()


def error_response(error: errors.GroundwireError, language: str = "en") -> JSONResponse:
    """Return an error as a problem, in the reader's language."""
    status = status_of(error)
    headers: dict[str, str] = {}
    if isinstance(error, errors.SignInNeeded):
        headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, errors.TooMany):
        headers["Retry-After"] = str(math.ceil(error.retry_after))
    if status == 503:
        headers["Retry-After"] = "2"
    public = public_error(error)
    return response(
        status, public.says, error.hints, headers, language=language, params=public.params
    )


def public_error(error: errors.GroundwireError) -> errors.GroundwireError:
    """Return what callers may know of an error; the log has all of it."""
    if isinstance(error, errors.IllegalState):
        return errors.GroundwireError("error.went_wrong")
    return error.without_details() if isinstance(error, errors.StoreError) else error


def install(api: FastAPI) -> None:
    """Make every error leave in this form."""

    @api.exception_handler(errors.GroundwireError)
    async def ours(request: Request, error: errors.GroundwireError) -> Response:
        if status_of(error) >= 500:
            log.error("request failed", path=request.url.path, error=error.message)
        return _as_page(request, error_response(error, language_of(request)))

    @api.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        fault = error.errors()[0]
        where = ".".join(str(part) for part in fault["loc"])
        refusal = found_fault(cast("ErrorDetails", fault))
        if fault["type"] == "json_invalid":
            refusal = errors.InputError("error.body_no_json")
        hint, language = _label_hint(request, where), language_of(request)
        answer = response(422, refusal.says, hint, language=language, params=refusal.params)
        return _as_page(request, answer)

    @api.exception_handler(HTTPException)
    async def plain(request: Request, error: HTTPException) -> Response:
        if isinstance(error.__cause__, errors.GroundwireError):  # raised while the body was read
            return _as_page(request, error_response(error.__cause__, language_of(request)))
        headers = dict(error.headers or {})
        if error.status_code == 405:
            headers["Allow"] = ", ".join(_allowed_methods(request))
        detail = _OURS.get(str(error.detail), str(error.detail))
        answer = response(error.status_code, detail, headers=headers, language=language_of(request))
        return _as_page(request, answer)

    @api.exception_handler(Exception)
    async def unforeseen(request: Request, _error: Exception) -> Response:
        log.exception("request", path=request.url.path)
        return _as_page(request, response(500, "error.went_wrong", language=language_of(request)))

    _ = ours, invalid, plain, unforeseen


def _label_hint(request: Request, where: str) -> str:
    """Return the hint for a body not labelled JSON: by default curl sends a form."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    labelled = kind == "application/json" or kind.endswith("+json")
    return "" if labelled or where != "body" else "hint.label_json"


def _as_page(request: Request, answer: JSONResponse) -> Response:
    page: ErrorPage | None = getattr(request.app.state, "error_page", None)
    if page is None:
        return answer
    return page(request, Problem.model_validate_json(bytes(answer.body)), answer.headers) or answer


def _allowed_methods(request: Request) -> Iterator[str]:
    """Yield every method that an address knows; a router names only those of its first route."""
    for method in _METHODS:
        scope = {**request.scope, "method": method}
        if any(route.matches(scope)[0] is Match.FULL for route in request.app.router.routes):
            yield from ("GET", "HEAD") if method == "GET" else (method,)
