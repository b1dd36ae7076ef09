"""How the pages look to a visitor: language and theme, kept in cookies; no sign-in is needed."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from groundwire.doors.api.door import desk_of
from groundwire.doors.language import COOKIE
from groundwire.doors.ui.render import THEME_COOKIE
from groundwire.doors.ui.visits import FormHere, set_cookie, way_back
from groundwire.errors import InputError
from groundwire.words import LANGUAGES

router = APIRouter(include_in_schema=False)
_THEMES = ("auto", "light", "dark")


@router.post("/look/language")
async def language(request: Request, form: FormHere) -> Response:
    return _kept(request, COOKIE, _one_of(form.get("language", ""), LANGUAGES), form)


@router.post("/look/theme")
async def theme(request: Request, form: FormHere) -> Response:
    return _kept(request, THEME_COOKIE, _one_of(form.get("theme", ""), _THEMES), form)


def _one_of(given: str, known: tuple[str, ...]) -> str:
    if given not in known:
        raise InputError("error.none_of_these", name=given[:20], known=known, hint="hint.one_of")
    return given


def _kept(request: Request, name: str, value: str, form: FormHere) -> Response:
    """Back to the page, with the choice in a cookie."""
    response = RedirectResponse(way_back(form.get("next", "")), 303)
    set_cookie(desk_of(request), response, name, value, days=365)
    return response
