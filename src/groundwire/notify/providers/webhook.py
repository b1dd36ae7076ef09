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
from groundwire.model.outbox import Parcel
from groundwire.notify.channel import Channel, ChannelOptions, Outgoing

HEADER = "X-Groundwire-Signature"


class Options(ChannelOptions):
    """`url` is where; `secret` signs what is sent."""

    url: str
    secret: SecretStr | None = None

    @field_validator("url")
    @classmethod
    def _http(cls, value: str) -> str:
        if not value.lower().startswith(("http://", "https://")):
            raise Unfit("takes.https")
        return value


class Provider(Channel):
    """Posts to one address."""

    name = "webhook"

    def subscribers(self) -> tuple[str, ...]:
        return ("desk",)

    def request(self, parcel: Parcel, at: datetime) -> Outgoing:
        body = canonical(
            {
                "id": parcel.id,
                "run_id": parcel.run_id,
                "attempt": parcel.attempt,
                "kind": parcel.kind,
                "at": parcel.created_at.isoformat(),
                "content": parcel.content,
            }
        )
        headers = {"Idempotency-Key": f"{parcel.id}-{parcel.attempt}"}
        options = cast(Options, self.options)
        if options.secret is not None:
            headers[HEADER] = signature(options.secret.get_secret_value(), body, at)
        return Outgoing(options.url, body, headers)


def signature(secret: str, body: bytes, at: datetime) -> str:
    """Build the signature header of a body at a moment."""
    stamp = int(at.timestamp())
    return f"t={stamp},v1={mac(secret, stamp, body)}"


def mac(secret: str, stamp: int, body: bytes) -> str:
    """Compute the code that proves that a holder of the secret sent this body at that moment."""
    return hmac.new(secret.encode(), f"{stamp}.".encode() + body, hashlib.sha256).hexdigest()
