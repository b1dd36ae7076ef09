"""Google's Gemini API (the developer API with a key, not Vertex)."""

from __future__ import annotations

import re
from typing import ClassVar

from groundwire.llm.spec import ChatModel, Client, OutputMode, Vendor, VendorOptions, key_of

_VERSION = re.compile(r"/(v\d\w*)$")
_NEWEST = "v1beta"  # where schemas are taken


def address(base_url: str) -> tuple[str, str]:
    """Split an address into host and API version: people write it with and without."""
    url = base_url.rstrip("/")
    found = _VERSION.search(url)
    return (url[: found.start()], found[1]) if found else (url, _NEWEST)


class Provider(Vendor):
    DEFAULT_LIGHT: ClassVar[str] = "gemini-3.5-flash-lite"
    DEFAULT_HEAVY: ClassVar[str] = "gemini-3.8-flash"
    DEFAULT_VISION: ClassVar[str] = DEFAULT_LIGHT
    KEY_SETTING: ClassVar[tuple[str, ...]] = ("GEMINI_API_KEY", "GOOGLE_API_KEY")
    BASE_URL: ClassVar[str | None] = "https://generativelanguage.googleapis.com"
    # Its decoder holds an answer to a schema, where its function calls come out malformed at times.
    OUTPUT: ClassVar[OutputMode] = "schema"
    PRICES: ClassVar[str | None] = "google"
    RANK: ClassVar[int] = 0

    def build(self, model_name: str, options: VendorOptions, client: Client) -> ChatModel:
        """Build a Gemini model, thinking as little as it can: that is paid for and not shown."""
        from groundwire.llm.gemini import OneExchange, connect

        url, version = address(options.base_url or self.BASE_URL or "")
        sdk_client = connect(key_of("google", options, self.KEY_SETTING[0]), url, version, client)
        return OneExchange(model_name, sdk_client)
