"""telegram: a bot that writes to chats; `token` is BotFather's, a chat is a number or @channel."""

from __future__ import annotations

import re
from datetime import datetime
from typing import cast

from pydantic import Field, SecretStr

from groundwire.errors import Unfit
from groundwire.model.base import JsonObject, canonical
from groundwire.model.outbox import DESK, Parcel
from groundwire.notify.channel import Addresses, Channel, ChannelOptions, Outgoing, Refusal
from groundwire.notify.letters import in_units, text_of

_LONGEST = 4_096  # units of UTF-16 in a message
_CHAT = re.compile(r"-?\d{1,20}|@[A-Za-z]\w{3,31}")


class Options(ChannelOptions):
    """`chats` are told of everything."""

    token: SecretStr = Field(min_length=1)
    chats: Addresses = ()
    base_url: str = "https://api.telegram.org"


class Provider(Channel):
    """Writes plain text: nothing in a page's words is read as markup."""

    name = "telegram"

    def subscribers(self) -> tuple[str, ...]:
        return self._options.chats

    def check(self, address: str) -> None:
        if address == DESK or not _CHAT.fullmatch(address):
            raise Unfit("takes.chat")

    def outgoing(self, parcel: Parcel, at: datetime, link: str) -> Outgoing:
        token = self._options.token.get_secret_value()
        body = canonical(
            {
                "chat_id": parcel.subscriber,
                "text": text_of(parcel, link, _LONGEST, in_units),
                "link_preview_options": {"is_disabled": True},
            }
        )
        url = f"{self._options.base_url.rstrip('/')}/bot{token}/sendMessage"
        return Outgoing(url, body, {})

    def refusal(self, answer: JsonObject) -> Refusal | None:
        if answer.get("ok", True):
            return None
        status = answer.get("error_code")
        more: object = answer.get("parameters")
        wait = cast(JsonObject, more).get("retry_after") if isinstance(more, dict) else None
        return Refusal(
            str(answer.get("description", ""))[:200],
            status if isinstance(status, int) and status >= 400 else 400,
            wait if isinstance(wait, int | float) else None,
        )

    @property
    def _options(self) -> Options:
        return cast(Options, self.options)
