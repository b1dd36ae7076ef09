"""The OpenAI client that all vendors of that protocol share: ours in everything that matters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.errors import SettingsError
from groundwire.llm.keys import key_of
from groundwire.llm.spec import VendorOptions

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI


def connect(
    vendor: str,
    options: VendorOptions,
    client: httpx2.AsyncClient,
    *,
    base_url: str | None,
    key_setting: str | None,
) -> AsyncOpenAI:
    """An SDK client that sends once, on our HTTP client, and takes nothing from the environment.

    `base_url` is where the vendor is unless the user says otherwise; `key_setting` is named to
    whoever has no key, and None where a server needs none.
    """
    from openai import AsyncOpenAI

    url = options.base_url or base_url
    if url is None:
        raise SettingsError("error.no_base_url", vendor=vendor, hint="hint.set_base_url")
    made = AsyncOpenAI(
        api_key=key_of(vendor, options, key_setting),
        base_url=url,
        http_client=client,
        max_retries=0,
    )
    # The SDK adds these from OPENAI_* variables for every vendor it is pointed at; settings.py is
    # the only reader of the environment here, and one vendor's names are not another's business.
    made.organization = None
    made.project = None
    made.admin_api_key = None
    made._custom_headers = {}  # pyright: ignore[reportPrivateUsage]
    return made
