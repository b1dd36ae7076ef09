"""slack: an incoming webhook of one channel; `token` is what follows `/services/`."""

from __future__ import annotations

import html
from datetime import datetime
from typing import cast

from groundwire.model.base import canonical
from groundwire.model.outbox import Parcel
from groundwire.notify.channel import Outgoing
from groundwire.notify.hook import Hook, HookOptions
from groundwire.notify.letters import text_of

_LONGEST = 4_000  # characters, beyond which it cuts by itself


class Options(HookOptions):
    """`base_url` is for a service that speaks the same, such as Mattermost."""

    base_url: str = "https://hooks.slack.com/services"


class Provider(Hook):
    """Tells one channel. It answers `ok`, or a status that says what is wrong."""

    name = "slack"
    code, said = "error_code", "error"

    def outgoing(self, parcel: Parcel, at: datetime, link: str) -> Outgoing:
        # Only `&`, `<` and `>` mean something to it: mentions and links are written in them.
        text = text_of(parcel, link, _LONGEST, escape=lambda line: html.escape(line, quote=False))
        url = f"{cast(Options, self.options).base_url.rstrip('/')}/{self.token()}"
        return Outgoing(url, canonical({"text": text, "unfurl_links": False}), {})
