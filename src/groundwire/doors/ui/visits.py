"""Visits of pages, the way back to where a visitor came from, and the forms they send.

Pages need a session; where no token is needed, one is opened automatically.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import parse_qsl, urlencode, urlsplit

from fastapi import Depends, HTTPException, Request, Response

from groundwire.app import App, access
from groundwire.app.costs import Against
from groundwire.doors.api.door import COOKIE, Desk, desk_of, is_local
from groundwire.doors.language import language_of
from groundwire.errors import Forbidden, InputError, SignInNeeded, TooBig
from groundwire.model.access import LOCAL, Caller, Scope
from groundwire.words import Words, words

Form = Mapping[str, str]
_MOST = 400_000  # bytes: a message of the longest length, percent-encoded
_FIELDS = 100
# No space, no backslash, nothing beyond ASCII.
_PLAIN = re.compile(r"/(?![/\\])[!-\[\]-~]*", re.ASCII)
_LONGEST = 2000
# Answers to forms and programs, not pages.
_NO_WAY_BACK = ("/sign-out", "/look/", "/command", "/desk/", "/api", "/static/")
_KIND = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Visit:
    """A browser that may look, and the token that its forms carry."""

    request: Request
    desk: Desk
    who: Caller
    csrf: str
    cookie: str
    fresh: bool  # the answer sets the cookie
    today: Against | None = None  # what was spent today, where it concerns the visitor

    @property
    def app(self) -> App:
        return self.desk.app

    @property
    def say(self) -> Words:
        """The words of the visitor's language."""
        return words(language_of(self.request))

    def check(self, scope: Scope) -> None:
        """Refuse what the visitor may not do."""
        if not self.who.may(scope):
            raise Forbidden("error.needs_scope", scope=scope, has=self.who.scope)

    def let_in(self, response: Response) -> None:
        if self.fresh:
            set_session(self.desk, response, self.cookie)


async def visit(request: Request) -> Visit:
    if _embedded_elsewhere(request):
        raise Forbidden("error.embedded")
    desk = desk_of(request)
    cookie = request.cookies.get(COOKIE, "")
    who = await desk.app.access.visitor(cookie) if cookie else None
    fresh = who is None or (who.id == LOCAL.id and not is_local(request))
    if who is None or fresh:
        if not is_local(request):
            if "text/html" not in request.headers.get("accept", ""):  # a script of a page asks
                raise SignInNeeded(hint="hint.load_page_again")
            raise HTTPException(303, headers={"Location": sign_in_page(request)})
        who, cookie = LOCAL, await desk.app.access.open_session(None)
    desk.pace.take(who)
    if not who.may("read"):
        raise Forbidden("error.may_not_read")
    today = await desk.app.costs.today(who)
    return Visit(request, desk, who, access.csrf_of(cookie), cookie, fresh, today)


def _embedded_elsewhere(request: Request) -> bool:
    """Tell whether another site embeds us: each image or frame could open a session."""
    site = request.headers.get("sec-fetch-site", "none")
    return site == "cross-site" and request.headers.get("sec-fetch-dest") != "document"


def set_session(desk: Desk, response: Response, cookie: str) -> None:
    set_cookie(desk, response, COOKIE, cookie, days=desk.app.settings.desk.session_days)


def set_cookie(desk: Desk, response: Response, name: str, value: str, *, days: int) -> None:
    """Set a cookie that no script and no other site can read."""
    response.set_cookie(
        name,
        value,
        max_age=days * 86_400,
        httponly=True,
        samesite="strict",
        secure=desk.app.settings.desk.https,
    )


VisitHere = Annotated[Visit, Depends(visit)]


async def form(request: Request) -> Form:
    """Read the fields of a form, the last of each name; this changes nothing by itself."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _KIND:
        raise InputError("error.form_expected", hint="hint.load_page_again")
    data = b""
    async for chunk in request.stream():
        data += chunk
        if len(data) > _MOST:
            raise TooBig("error.form_too_big", most=_MOST)
    try:
        return dict(parse_qsl(data.decode(), keep_blank_values=True, max_num_fields=_FIELDS))
    except ValueError as error:
        raise InputError("error.form_unreadable", hint="hint.load_page_again") from error


FormHere = Annotated[Form, Depends(form)]


async def checked_form(fields: FormHere, visit: VisitHere) -> Form:
    """Return a form that was sent from a page of this very session."""
    token = fields.get("csrf", "").encode("utf-8", "replace")
    if not hmac.compare_digest(token, visit.csrf.encode()):
        raise Forbidden("error.other_session", hint="hint.load_again")
    return fields


OwnForm = Annotated[Form, Depends(checked_form)]


# --- the way back: only ever to a page of this desk ------------------------------------------


def way_back(wanted: str) -> str:
    """Return a path of ours with its query, else the desk: other addresses are never followed."""
    if len(wanted) > _LONGEST or _PLAIN.fullmatch(wanted) is None:
        return "/"
    parts = urlsplit(wanted)
    if parts.scheme or parts.netloc or parts.path.startswith(_NO_WAY_BACK):
        return "/"
    return wanted


def current_page(request: Request) -> str:
    """Return the page that is shown, for a form on it that leads back."""
    path = request.scope.get("raw_path", request.url.path.encode()).decode("ascii", "replace")
    query = request.url.query
    masked = desk_of(request).app.redactor.text(f"?{query}")
    if masked != f"?{query}":  # a query with a secret is dropped
        query = ""
    return way_back(f"{path}?{query}" if query else path)


def sign_in_page(request: Request) -> str:
    """Return the sign-in page that leads back here."""
    page = current_page(request)
    return "/sign-in" if page == "/" else f"/sign-in?{urlencode({'next': page})}"
