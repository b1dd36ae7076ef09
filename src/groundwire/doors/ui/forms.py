"""Forms that pages send without a script: small, and with what only our own pages know."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Annotated
from urllib.parse import parse_qsl

from fastapi import Depends, Request

from groundwire.doors.ui.visits import Visit, VisitHere
from groundwire.errors import Forbidden, InputError, TooBig

Form = Mapping[str, str]
_MOST = 400_000  # bytes: a message of the longest length, percent-encoded
_FIELDS = 100
_KIND = "application/x-www-form-urlencoded"


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
    if not same_session(visit, given.get("csrf", "")):
        raise Forbidden("error.other_session", hint="hint.load_again")
    return given


def same_session(visit: Visit, csrf: str) -> bool:
    return hmac.compare_digest(csrf.encode("utf-8", "replace"), visit.csrf.encode())


OwnForm = Annotated[Form, Depends(own_form)]
