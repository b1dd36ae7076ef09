"""The look of the pages for a visitor: language and theme, kept in cookies; no sign-in is needed."""

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
    return _remember(request, form, "language", COOKIE, LANGUAGES)


@router.post("/look/theme")
async def theme(request: Request, form: FormHere) -> Response:
    return _remember(request, form, "theme", THEME_COOKIE, _THEMES)


def _remember(
    request: Request, form: FormHere, field: str, cookie: str, known: tuple[str, ...]
) -> Response:
    """Go back to the page, with the choice in a cookie."""
    value = form.get(field, "")
    if value not in known:
        raise InputError("error.none_of_these", name=value[:20], known=known, hint="hint.one_of")
    response = RedirectResponse(way_back(form.get("next", "")), 303)
    set_cookie(desk_of(request), response, cookie, value, days=365)
    return response
