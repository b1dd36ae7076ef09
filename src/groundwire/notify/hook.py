"""What the bots of chat groups share: one address with a token, and the code in their answers."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import ClassVar

from pydantic import Field, SecretStr

from groundwire.model.base import JsonObject
from groundwire.notify.channel import Channel, ChannelOptions, Refusal


class HookOptions(ChannelOptions):
    """`token` is the last part of the address that the service gave the bot."""

    token: SecretStr = Field(min_length=1)


class Hook(Channel):
    """A bot of one group: it tells that group, so there is no address but the desk's own."""

    code: ClassVar[str]  # the field of an answer that holds 0 where all is well
    said: ClassVar[str]  # the field that says what is wrong
    busy: ClassVar[frozenset[int]] = frozenset()  # codes of "too many"

    def token(self) -> str:
        options = self.options
        assert isinstance(options, HookOptions)
        return options.token.get_secret_value()

    def refusal(self, answer: JsonObject) -> Refusal | None:
        found = answer.get(self.code, 0)
        if found == 0:
            return None
        status = 429 if found in self.busy else 400
        return Refusal(f"{found}: {answer.get(self.said, '')}"[:200], status)


def signed(key: str, text: str) -> str:
    """Return the signature that Chinese chat services want: HMAC-SHA256 in Base64."""
    code = hmac.new(key.encode(), text.encode(), hashlib.sha256).digest()
    return base64.b64encode(code).decode()
