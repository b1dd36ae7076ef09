"""ntfy: a topic of ntfy.sh or of one's own server, which phones subscribe to."""

from __future__ import annotations

import re
from datetime import datetime
from typing import cast

from pydantic import SecretStr

from groundwire.errors import Unfit
from groundwire.model.base import JsonObject, canonical
from groundwire.model.outbox import DESK, Parcel
from groundwire.notify.channel import Channel, ChannelOptions, Outgoing
from groundwire.notify.letters import body_of, in_bytes, title_of

_LONGEST = 4_000  # bytes: a longer message becomes an attachment
_TOPIC = re.compile(r"[-\w]{1,64}", re.ASCII)


class Options(ChannelOptions):
    """`topic` is told of everything; `token` is for a server that demands one."""

    base_url: str = "https://ntfy.sh"
    topic: str = ""
    token: SecretStr | None = None


class Provider(Channel):
    """Publishes to a topic."""

    name = "ntfy"

    def subscribers(self) -> tuple[str, ...]:
        return (DESK,) if self._options.topic else ()

    def check(self, address: str) -> None:
        if not _TOPIC.fullmatch(self._options.topic if address == DESK else address):
            raise Unfit("takes.topic")

    def outgoing(self, parcel: Parcel, at: datetime, link: str) -> Outgoing:
        options = self._options
        topic = options.topic if parcel.subscriber == DESK else parcel.subscriber
        message = body_of(parcel, "", _LONGEST, in_bytes)
        body: JsonObject = {"topic": topic, "title": title_of(parcel), "message": message}
        if link:
            body["click"] = link
        token = options.token
        headers = {} if token is None else {"Authorization": f"Bearer {token.get_secret_value()}"}
        return Outgoing(options.base_url, canonical(body), headers)

    @property
    def _options(self) -> Options:
        return cast(Options, self.options)
