"""feishu: a custom bot of one group; `token` is what follows `/hook/`, `secret` its signature key."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from pydantic import SecretStr

from groundwire.model.base import JsonObject, canonical
from groundwire.model.outbox import Parcel
from groundwire.notify.channel import Outgoing
from groundwire.notify.hook import Hook, HookOptions, signed
from groundwire.notify.letters import body_of, in_bytes, title_of

_LONGEST = 18_000  # bytes: a request may have 20 kB


class Options(HookOptions):
    """`base_url` is Lark's outside China: https://open.larksuite.com/open-apis/bot/v2/hook."""

    base_url: str = "https://open.feishu.cn/open-apis/bot/v2/hook"
    secret: SecretStr | None = None


class Provider(Hook):
    """Tells one group, in a post: the text of a post is never read as a mention."""

    name = "feishu"
    code, said = "code", "msg"
    busy = frozenset({11232, 9499})

    def outgoing(self, parcel: Parcel, at: datetime, link: str) -> Outgoing:
        options = cast(Options, self.options)
        text = body_of(parcel, "", _LONGEST, in_bytes)
        rows = [[{"tag": "text", "text": line}] for line in text.split("\n")]
        if link:
            rows.insert(-1, [{"tag": "a", "text": link, "href": link}])
        post = {"zh_cn": {"title": title_of(parcel), "content": rows}}
        body: JsonObject = {"msg_type": "post", "content": {"post": post}}
        if options.secret is not None:
            stamp = str(int(at.timestamp()))
            key = f"{stamp}\n{options.secret.get_secret_value()}"
            body |= {"timestamp": stamp, "sign": signed(key, "")}
        url = f"{options.base_url.rstrip('/')}/{self.token()}"
        return Outgoing(url, canonical(body), {})
