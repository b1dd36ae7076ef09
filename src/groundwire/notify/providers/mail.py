"""mail: a plain-text mail through the user's own SMTP server."""

from __future__ import annotations

import re
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import Literal, cast

from pydantic import Field, SecretStr

from groundwire.errors import Unfit
from groundwire.gateway.mail import Envelope
from groundwire.model.outbox import DESK, Parcel
from groundwire.notify.channel import Addresses, Channel, ChannelOptions
from groundwire.notify.letters import body_of, title_of

_LONGEST = 100_000  # characters
_ADDRESS = re.compile(r"[^\s@<>,;:\"\\()\[\]]{1,64}@[^\s@<>,;:\"\\()\[\]]{1,255}")


class Options(ChannelOptions):
    """`to` are told of everything; `user` is `sender` where it is left out."""

    host: str = Field(min_length=1)
    port: int = Field(default=587, ge=1, le=65_535)
    security: Literal["starttls", "tls", "none"] = "starttls"
    user: str = ""
    password: SecretStr | None = None
    sender: str = Field(min_length=3)
    to: Addresses = ()


class Provider(Channel):
    """Writes one mail to each address; sent again, it has the same Message-ID."""

    name = "mail"

    def subscribers(self) -> tuple[str, ...]:
        return self._options.to

    def check(self, address: str) -> None:
        if address == DESK or not _ADDRESS.fullmatch(address):
            raise Unfit("takes.mail_address")

    def outgoing(self, parcel: Parcel, at: datetime, link: str) -> Envelope:
        options = self._options
        message = EmailMessage(policy=SMTP)
        message["Subject"] = title_of(parcel)
        message["From"] = options.sender
        message["To"] = parcel.subscriber
        message["Date"] = format_datetime(parcel.created_at)
        message["Message-ID"] = f"<{parcel.id}.{parcel.attempt}@groundwire.invalid>"
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(body_of(parcel, link, _LONGEST), charset="utf-8", cte="base64")
        return Envelope(
            host=options.host,
            port=options.port,
            security=options.security,
            user=options.user or options.sender,
            password=options.password,
            sender=options.sender,
            to=(parcel.subscriber,),
            message=message.as_bytes(),
        )

    @property
    def _options(self) -> Options:
        return cast(Options, self.options)
