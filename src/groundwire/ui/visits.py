"""Who looks at a page: pages need a session; where no token is asked for, one is opened by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

from fastapi import Depends, HTTPException, Request, Response

from groundwire import access
from groundwire.api.door import COOKIE, Desk, desk_of
from groundwire.errors import Forbidden
from groundwire.model.access import LOCAL, Caller


@dataclass(frozen=True)
class Visit:
    """A browser that may look, and what its page sends back with changes."""

    desk: Desk
    who: Caller
    csrf: str
    cookie: str
    fresh: bool  # the cookie is to be set with the answer

    def let_in(self, response: Response) -> None:
        if self.fresh:
            set_session(self.desk, response, self.cookie)


async def visit(request: Request) -> Visit:
    desk = desk_of(request)
    cookie = request.cookies.get(COOKIE, "")
    who = await access.visitor_of(desk.app, cookie) if cookie else None
    if who is not None and (who.id != LOCAL.id or desk.open_here):
        return _seen(desk, who, cookie, fresh=False)
    if not desk.open_here:
        there = quote(request.url.path, safe="/")
        raise HTTPException(303, headers={"Location": f"/sign-in?next={there}"})
    return _seen(desk, LOCAL, await access.open_session(desk.app, None), fresh=True)


def _seen(desk: Desk, who: Caller, cookie: str, *, fresh: bool) -> Visit:
    desk.pace.take(who)
    if not who.may("read"):
        raise Forbidden("this token may not read")
    return Visit(desk, who, access.csrf_of(cookie), cookie, fresh)


def set_session(desk: Desk, response: Response, cookie: str) -> None:
    settings = desk.app.settings.desk
    response.set_cookie(
        COOKIE,
        cookie,
        max_age=settings.session_days * 86_400,
        httponly=True,
        samesite="strict",
        secure=settings.https,
    )


VisitHere = Annotated[Visit, Depends(visit)]
