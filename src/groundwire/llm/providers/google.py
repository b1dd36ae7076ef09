"""Google's Gemini API (the developer API with a key, not Vertex)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundwire.llm.keys import key_of
from groundwire.llm.spec import OutputMode, VendorOptions

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

DEFAULT_LIGHT = "gemini-3.5-flash-lite"
DEFAULT_HEAVY = "gemini-3.8-flash"
DEFAULT_VISION = DEFAULT_LIGHT
KEY_SETTING = ("GEMINI_API_KEY", "GOOGLE_API_KEY")
URL_SETTING: tuple[str, ...] = ()
BASE_URL: str | None = "https://generativelanguage.googleapis.com"
# Its decoder holds an answer to a schema, where its function calls come out malformed at times.
OUTPUT: OutputMode = "schema"
LOCAL = False
PRICES: str | None = "google"
RANK = 0

_VERSION = re.compile(r"/(v\d\w*)$")
_NEWEST = "v1beta"  # where schemas are taken


def address(base_url: str) -> tuple[str, str]:
    """Where it is and which version of the API: people write the address with and without it."""
    url = base_url.rstrip("/")
    found = _VERSION.search(url)
    return (url[: found.start()], found[1]) if found else (url, _NEWEST)


def build(model_name: str, options: VendorOptions, client: httpx2.AsyncClient) -> Model:
    """Return a Gemini model, thinking as little as it can: that is paid for and not shown."""
    from groundwire.llm.gemini import OneExchange, connect

    url, version = address(options.base_url or BASE_URL or "")
    made = connect(key_of("google", options, KEY_SETTING[0]), url, version, client)
    return OneExchange(model_name, made)
