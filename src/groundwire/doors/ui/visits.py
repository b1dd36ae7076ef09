"""Who looks at a page, the way back to where they came from, and the forms that they send.

Pages need a session; where no token is asked for, one is opened by itself.
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
from groundwire.doors.api.door import COOKIE, Desk, at_home, desk_of
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
# They answer forms and programs: nobody wants to come back to them.
_NO_WAY_BACK = ("/sign-out", "/look/", "/command", "/desk/", "/api", "/static/")
_KIND = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Visit:
    """A browser that may look, and what its page sends back with changes."""

    request: Request
    desk: Desk
    who: Caller
    csrf: str
    cookie: str
    fresh: bool  # the cookie is to be set with the answer
    today: Against | None = None  # what was spent today, where it concerns the visitor

    @property
    def app(self) -> App:
        return self.desk.app

    @property
    def say(self) -> Words:
        """The words of the visitor's language."""
        return words(language_of(self.request))

    @property
    def owner(self) -> str | None:
        """Whose runs are listed; None: everybody's."""
        return None if self.who.may("admin") else self.who.id

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
    fresh = who is None or (who.id == LOCAL.id and not at_home(request))
    if who is None or fresh:
        if not at_home(request):
            if "text/html" not in request.headers.get("accept", ""):  # a script of a page asks
                raise SignInNeeded(hint="hint.load_page_again")
            raise HTTPException(303, headers={"Location": sign_in(request)})
        who, cookie = LOCAL, await desk.app.access.open_session(None)
    desk.pace.take(who)
    if not who.may("read"):
        raise Forbidden("error.may_not_read")
    today = await desk.app.costs.today(who)
    return Visit(request, desk, who, access.csrf_of(cookie), cookie, fresh, today)


def _embedded_elsewhere(request: Request) -> bool:
    """A picture or frame of another site: it could open sessions without end, and show none."""
    site = request.headers.get("sec-fetch-site", "none")
    return site == "cross-site" and request.headers.get("sec-fetch-dest") != "document"


def set_session(desk: Desk, response: Response, cookie: str) -> None:
    set_cookie(desk, response, COOKIE, cookie, days=desk.app.settings.desk.session_days)


def set_cookie(desk: Desk, response: Response, name: str, value: str, *, days: int) -> None:
    """Let a browser keep something that no script and no other site sees."""
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
    """The fields of a form, the last of each name; it changes nothing by itself."""
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


async def own_form(given: FormHere, visit: VisitHere) -> Form:
    """A form of a page of this very session."""
    shown = given.get("csrf", "").encode("utf-8", "replace")
    if not hmac.compare_digest(shown, visit.csrf.encode()):
        raise Forbidden("error.other_session", hint="hint.load_again")
    return given


OwnForm = Annotated[Form, Depends(own_form)]


# --- the way back: only ever to a page of this desk ------------------------------------------


def way_back(wanted: str) -> str:
    """A path of ours with its query, or the desk: an address elsewhere is never followed."""
    if len(wanted) > _LONGEST or _PLAIN.fullmatch(wanted) is None:
        return "/"
    parts = urlsplit(wanted)
    if parts.scheme or parts.netloc or parts.path.startswith(_NO_WAY_BACK):
        return "/"
    return wanted


def here(request: Request) -> str:
    """The page that is shown, for a form on it that leads back."""
    path = request.scope.get("raw_path", request.url.path.encode()).decode("ascii", "replace")
    query = request.url.query
    masked = desk_of(request).app.redactor.text(f"?{query}")
    if masked != f"?{query}":  # a secret in an address is carried no further
        query = ""
    return way_back(f"{path}?{query}" if query else path)


def sign_in(request: Request) -> str:
    """The sign-in page that leads back here."""
    wanted = here(request)
    return "/sign-in" if wanted == "/" else f"/sign-in?{urlencode({'next': wanted})}"
