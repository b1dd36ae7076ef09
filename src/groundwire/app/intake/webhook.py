"""Signed messages from programs: the signature, its time, and the body.

`X-Groundwire-Signature: t=SECONDS,v1=HEX` where HEX is HMAC-SHA256(secret, "SECONDS.BODY").
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import cast

from groundwire.app.intake.arrivals import arrival
from groundwire.errors import Expired, InputError, TooBig, Unsigned
from groundwire.model.message import LONGEST, Message
from groundwire.notify.providers.webhook import HEADER, mac

WINDOW = 300  # seconds that a signature holds, in both directions
MOST = 100  # messages of one request
LARGEST = 4_000_000  # bytes of one request
_TEXTS = ("id", "source", "author", "language", "zone")


def check(header: str | None, body: bytes, secret: str, now: datetime) -> None:
    """Raise `Unsigned` or `Expired` unless the body was signed with the secret just now."""
    if not secret:
        raise Unsigned("error.no_intake_secret", hint="hint.set_intake_secret")
    parts = [each.partition("=") for each in (header or "").replace(" ", "").split(",")]
    stamps = [value for name, _, value in parts if name == "t"]
    macs = [value for name, _, value in parts if name == "v1"]
    if len(stamps) != 1 or not (stamps[0].isascii() and stamps[0].isdigit()) or not macs:
        raise Unsigned(header=HEADER, hint="hint.sign")
    stamp = int(stamps[0][:15])
    expected = mac(secret, stamp, body).encode()
    # All of them, each in constant time: a sender may sign with an old and a new secret.
    if not sum(hmac.compare_digest(mac.encode("utf-8", "replace"), expected) for mac in macs):
        raise Unsigned("error.signature_misfit", header=HEADER, hint="hint.sign")
    if abs(now.timestamp() - stamp) > WINDOW:
        raise Expired("error.signature_old", seconds=WINDOW, hint="hint.sign_anew")


def messages_of(body: bytes, now: datetime) -> Sequence[Message]:
    """Parse the message or messages of a request; one bad message refuses them all."""
    if len(body) > LARGEST:
        raise TooBig("error.request_too_big", most=LARGEST, hint="hint.send_fewer")
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise InputError("error.body_no_json") from error
    given = cast("list[object]", value) if isinstance(value, list) else [value]
    if not given:
        raise InputError("error.no_messages")
    if len(given) > MOST:
        raise TooBig("error.too_many_messages", n=len(given), most=MOST)
    return [_message(each, now) for each in given]


def _message(value: object, now: datetime) -> Message:
    if not isinstance(value, dict):
        raise InputError("error.message_no_object")
    fields = cast("Mapping[str, object]", value)
    texts = {name: _text(fields, name) for name in _TEXTS}
    listed = fields.get("media_urls")
    media = cast("list[object]", [] if listed is None else listed)
    if not isinstance(listed, list | None) or not all(isinstance(each, str) for each in media):
        raise InputError("error.no_media_list")
    return arrival(
        fields.get("text"),
        now,
        source=f"webhook:{texts['source']}" if texts["source"] else "webhook",
        sender_id=texts["id"],
        author=texts["author"],
        language=texts["language"],
        published_at=_moment(fields.get("published_at"), now),
        zone=texts["zone"],
        media=cast("list[str]", media),
    )


def _text(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool) and name == "id":
        return str(value)
    if not isinstance(value, str) or len(value) > LONGEST:
        raise InputError("error.field_no_text", name=name)
    return value.strip()


def _moment(value: object, now: datetime) -> datetime | None:
    from groundwire.fetch.moments import moment

    if value in (None, ""):
        return None
    found = None if isinstance(value, bool) else moment(value)
    if found is None:
        raise InputError("error.no_publication_time", text=str(value)[:40], hint="hint.moment")
    if found.timestamp() > now.timestamp() + 86_400:
        raise InputError("error.published_in_future")
    return found.astimezone(UTC)
