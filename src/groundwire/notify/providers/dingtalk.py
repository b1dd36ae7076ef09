"""dingtalk: a custom robot of one group; `token` is its access_token, `secret` its signature key."""

from __future__ import annotations

from datetime import datetime
from typing import cast
from urllib.parse import urlencode

from pydantic import SecretStr

from groundwire.model.base import canonical
from groundwire.model.outbox import Parcel
from groundwire.notify.channel import Outgoing
from groundwire.notify.hook import Hook, HookOptions, signed
from groundwire.notify.letters import in_bytes, text_of

_LONGEST = 18_000  # bytes: a message may have 20,000


class Options(HookOptions):
    """`secret` is for a robot that demands signatures."""

    base_url: str = "https://oapi.dingtalk.com/robot/send"
    secret: SecretStr | None = None


class Provider(Hook):
    """Tells one group, as plain text: nobody is mentioned unless a field of its own names them."""

    name = "dingtalk"
    code, said = "errcode", "errmsg"
    busy = frozenset({130101, 410100})

    def outgoing(self, parcel: Parcel, at: datetime, link: str) -> Outgoing:
        options = cast(Options, self.options)
        query = {"access_token": self.token()}
        if options.secret is not None:
            stamp = str(int(at.timestamp() * 1000))
            secret = options.secret.get_secret_value()
            query |= {"timestamp": stamp, "sign": signed(secret, f"{stamp}\n{secret}")}
        text = text_of(parcel, link, _LONGEST, in_bytes)
        body = canonical({"msgtype": "text", "text": {"content": text}})
        return Outgoing(f"{options.base_url}?{urlencode(query)}", body, {})
