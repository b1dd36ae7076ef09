"""webhook: a signed POST of JSON to an address of the user's own.

`X-Groundwire-Signature: t=SECONDS,v1=HEX` where HEX is HMAC-SHA256(secret, "SECONDS.BODY"), the
scheme that the desk's own intake asks of senders.
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import datetime
from typing import cast

from pydantic import SecretStr, field_validator

from groundwire.errors import Unfit
from groundwire.model.base import canonical
from groundwire.model.outbox import DESK, Parcel
from groundwire.notify.channel import Channel, ChannelOptions, Outgoing

HEADER = "X-Groundwire-Signature"


class Options(ChannelOptions):
    """`url` is where; `secret` signs what is sent, to other addresses too."""

    url: str = ""
    secret: SecretStr | None = None

    @field_validator("url")
    @classmethod
    def _http(cls, value: str) -> str:
        if value and not _is_http(value):
            raise Unfit("takes.https")
        return value


class Provider(Channel):
    """Posts to the desk's address, or to that of a subscriber."""

    name = "webhook"

    def subscribers(self) -> tuple[str, ...]:
        return (DESK,) if self._url() else ()

    def check(self, address: str) -> None:
        if not _is_http(self._url() if address == DESK else address):
            raise Unfit("takes.https")

    def outgoing(self, parcel: Parcel, at: datetime, link: str) -> Outgoing:
        body = canonical(
            {
                "id": parcel.id,
                "run_id": parcel.run_id,
                "attempt": parcel.attempt,
                "kind": parcel.kind,
                "at": parcel.created_at.isoformat(),
                "link": link,
                "content": parcel.content,
            }
        )
        headers = {"Idempotency-Key": f"{parcel.id}-{parcel.attempt}"}
        options = cast(Options, self.options)
        if options.secret is not None:
            headers[HEADER] = signature(options.secret.get_secret_value(), body, at)
        own = parcel.subscriber == DESK
        return Outgoing(self._url() if own else parcel.subscriber, body, headers, trusted=own)

    def _url(self) -> str:
        return cast(Options, self.options).url


def _is_http(url: str) -> bool:
    return url.lower().startswith(("http://", "https://"))


def signature(secret: str, body: bytes, at: datetime) -> str:
    """Build the signature header of a body at a moment."""
    stamp = int(at.timestamp())
    return f"t={stamp},v1={mac(secret, stamp, body)}"


def mac(secret: str, stamp: int, body: bytes) -> str:
    """Compute the code that proves that a holder of the secret sent this body at that moment."""
    return hmac.new(secret.encode(), f"{stamp}.".encode() + body, hashlib.sha256).hexdigest()
