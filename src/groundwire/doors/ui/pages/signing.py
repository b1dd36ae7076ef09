"""Signing in with a token, and out again. The token is used once and neither stored nor logged."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from groundwire.doors.api.door import COOKIE, desk_of, is_local
from groundwire.doors.ui.render import NAV, page
from groundwire.doors.ui.visits import FormHere, OwnForm, VisitHere, set_session, way_back
from groundwire.errors import TooMany
from groundwire.model.access import Caller

router = APIRouter(include_in_schema=False)
_A_MINUTE = 10  # attempts from one address


@router.get("/sign-in")
async def ask(request: Request) -> HTMLResponse:
    return _form(request, request.query_params.get("next", ""))


@router.post("/sign-in")
async def sign_in(request: Request, form: FormHere) -> Response:
    """Sign in with a token; the answer is the same whatever is wrong with it."""
    desk = desk_of(request)
    wanted = form.get("next", "")
    address = request.client.host if request.client else ""
    guest = Caller(id=f"sign-in {address}", name="", scope="read", per_minute=_A_MINUTE)
    try:
        desk.pace.take(guest)
    except TooMany as error:
        response = _form(request, wanted, "signing.too_many", 429)
        response.headers["Retry-After"] = f"{error.retry_after:.0f}"
        return response
    who = await desk.app.access.holder(form.get("token", "").strip())
    if who is None or not who.may("read"):
        return _form(request, wanted, "signing.wrong", 401)
    if old_cookie := request.cookies.get(COOKIE):
        await desk.app.access.close_session(old_cookie)
    response = RedirectResponse(_next_page(wanted), 303)
    set_session(desk, response, await desk.app.access.open_session(who.id))
    return response


@router.post("/sign-out")
async def sign_out(visit: VisitHere, _form: OwnForm) -> Response:
    await visit.app.access.close_session(visit.cookie)
    response = RedirectResponse("/sign-in", 303)
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return response


def _next_page(wanted: str) -> str:
    """Return where to go from here; never this page again."""
    path = way_back(wanted)
    return "/" if path.startswith("/sign-in") else path


def _form(request: Request, wanted: str, wrong: str = "", status: int = 200) -> HTMLResponse:
    open_here = is_local(request)
    return page(
        request,
        "sign-in.html",
        status=status,
        nav=NAV if open_here else (),  # nothing else is open yet
        next=_next_page(wanted),
        wrong=wrong,
        open_here=open_here,
    )
