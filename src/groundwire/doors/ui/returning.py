"""The way back to the page that one came from: only ever a page of this desk."""

from __future__ import annotations

import re
from urllib.parse import urlencode, urlsplit

from fastapi import Request

from groundwire.doors.api.door import desk_of

_PLAIN = re.compile(
    r"/(?![/\\])[!-\[\]-~]*", re.ASCII
)  # no space, no backslash, nothing beyond ASCII
_LONGEST = 2000
# They answer forms and programs: nobody wants to come back to them.
_NO_WAY_BACK = ("/sign-out", "/look/", "/command", "/desk/", "/api", "/static/")


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
