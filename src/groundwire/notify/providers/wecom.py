"""wecom: a group robot of WeCom (企业微信); `token` is the key of its address."""

from __future__ import annotations

from datetime import datetime
from typing import cast
from urllib.parse import urlencode

from groundwire.model.base import canonical
from groundwire.model.outbox import Parcel
from groundwire.notify.channel import Outgoing
from groundwire.notify.hook import Hook, HookOptions
from groundwire.notify.letters import in_bytes, text_of

_LONGEST = 2_048  # bytes of a text


class Options(HookOptions):
    """`base_url` is for one's own WeCom."""

    base_url: str = "https://qyapi.weixin.qq.com/cgi-bin/webhook/send"


class Provider(Hook):
    """Tells one group, as plain text; `<@name>` would mention somebody, so `<` is widened."""

    name = "wecom"
    code, said = "errcode", "errmsg"
    busy = frozenset({45009, 45033})

    def outgoing(self, parcel: Parcel, at: datetime, link: str) -> Outgoing:
        text = text_of(
            parcel, link, _LONGEST, in_bytes, escape=lambda line: line.replace("<", "＜")
        )
        body = canonical({"msgtype": "text", "text": {"content": text}})
        base = cast(Options, self.options).base_url
        return Outgoing(f"{base}?{urlencode({'key': self.token()})}", body, {})
