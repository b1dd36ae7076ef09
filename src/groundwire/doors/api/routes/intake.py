"""Messages that a program sends, signed; the answer says what became of each."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request, Security
from fastapi.security import APIKeyHeader

from groundwire.app.intake import webhook
from groundwire.app.intake.door import Door
from groundwire.doors.api.door import DeskHere
from groundwire.doors.api.schemas import takes
from groundwire.doors.language import language_of
from groundwire.model.base import Value
from groundwire.model.message import LONGEST, Taken
from groundwire.words import words

router = APIRouter(prefix="/api/intake", tags=["intake"])
_SIGNED = APIKeyHeader(
    name=webhook.HEADER,
    auto_error=False,
    scheme_name="signature",
    description="`t=SECONDS,v1=HEX`, where HEX is HMAC-SHA256 of `SECONDS.BODY` with `intake.secret`; "
    f"it holds for {webhook.WINDOW} seconds in both directions.",
)
# Something that can be seen; see `intake.arrivals.text_of`.
_SEEN = r"[^\s\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
_TEXT = {"type": ["string", "null"], "maxLength": LONGEST}
_MESSAGE: dict[str, Any] = {
    "type": "object",
    "required": ["text"],
    "properties": {
        "text": {
            "type": "string",
            "minLength": 1,
            "pattern": _SEEN,
            "description": f"at most {LONGEST:,} characters",
        },
        "id": {
            "type": ["string", "integer", "null"],
            "maxLength": LONGEST,
            "description": "the sender's own: the same again is the same message",
        },
        "source": {**_TEXT, "description": "such as the name of a channel"},
        "author": _TEXT,
        "language": {**_TEXT, "description": "found in the text, unless it is said"},
        "zone": {**_TEXT, "description": "where its dates are read, such as Asia/Shanghai"},
        "published_at": {
            "type": ["string", "null"],
            "format": "date-time",
            "description": "from 1970 on, and not in the future",
        },
        "media_urls": {"type": ["array", "null"], "items": {"type": "string"}},
    },
}
_MESSAGES = {
    "type": "array",
    "items": _MESSAGE,
    "minItems": 1,
    "description": f"at most {webhook.MOST} at once",
}
_BODY = takes("application/json", {"oneOf": [_MESSAGE, _MESSAGES]})


class Receipts(Value):
    """What became of each message, in the order in which they were sent."""

    messages: tuple[Taken, ...]


@router.post("", status_code=202, summary="Send messages to be verified", openapi_extra=_BODY)
async def receive(
    request: Request, desk: DeskHere, signature: Annotated[str | None, Security(_SIGNED)]
) -> Receipts:
    """Receive messages: each is stored, with its run, before this answers.

    Sent again, it is known and nothing is done twice; one that cannot be used refuses them all.
    """
    app = desk.app
    body = await request.body()
    now = app.clock()
    secret = app.settings.intake.secret
    webhook.check(signature, body, "" if secret is None else secret.get_secret_value(), now)
    messages = webhook.messages_of(body, now)
    say = words(language_of(request))
    taken = await Door(app).answer(messages)
    return Receipts(
        messages=tuple(each.model_copy(update={"why": say.stored(each.why)}) for each in taken)
    )
