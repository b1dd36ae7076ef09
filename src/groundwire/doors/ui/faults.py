"""Errors as pages, for who looks with a browser: what happened, and the next thing to do."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from groundwire.doors.api.problems import Problem
from groundwire.doors.ui.render import page
from groundwire.doors.ui.visits import here, sign_in

# Programs ask here, whatever they say they accept.
_PROGRAMS = ("/api", "/healthz", "/readyz", "/metrics", "/static/", "/mcp")
_OWN_WORDS = frozenset({403, 404, 429, 500, 503})


def error_page(request: Request, problem: Problem, headers: Mapping[str, str]) -> Response | None:
    """The page that says it; None: a program asks."""
    wants_html = "text/html" in request.headers.get("accept", "")
    if request.url.path.startswith(_PROGRAMS) or not wants_html:
        return None
    status = problem.status
    if "location" in headers:
        return RedirectResponse(headers["location"], status)
    if status == 401:
        return RedirectResponse(sign_in(request), 303)
    # Whether the sentence says no more than the status, to who reads the API's contract.
    for_programs = "/api" in problem.hint
    word = str(status) if status in _OWN_WORDS else "5xx" if status >= 500 else "4xx"
    shown = page(
        request,
        "fault.html",
        status=status,
        code=status,
        word=word,
        detail="" if status >= 500 or for_programs else problem.detail,
        hint=problem.hint,
        here=here(request) if request.method == "GET" else "/",
    )
    for name in ("retry-after", "allow"):
        if name in headers:
            shown.headers[name] = headers[name]
    return shown
