"""Anthropic's Messages API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.llm.keys import key_of
from groundwire.llm.spec import OutputMode, VendorOptions

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

DEFAULT_LIGHT = "claude-haiku-5-5"
DEFAULT_HEAVY = "claude-sonnet-5-5"
DEFAULT_VISION = DEFAULT_LIGHT
KEY_SETTING = ("ANTHROPIC_API_KEY",)
URL_SETTING: tuple[str, ...] = ()
BASE_URL: str | None = "https://api.anthropic.com"
# Its newest models cannot be made to call a tool; those before 4.5 take no schema and can.
OUTPUT: OutputMode = "schema"
LOCAL = False
PRICES: str | None = "anthropic"
RANK = 2


def build(model_name: str, options: VendorOptions, client: httpx2.AsyncClient) -> Model:
    """A model of Anthropic, with thinking off where it can be: it is paid for and not shown."""
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider
    from pydantic_ai.settings import ModelSettings

    # The library adds the version to the path itself; people write the address with it.
    url = (options.base_url or BASE_URL or "").rstrip("/").removesuffix("/v1")
    made = AsyncAnthropic(
        api_key=key_of("anthropic", options, KEY_SETTING[0]),
        base_url=url,
        http_client=client,
        max_retries=0,
        webhook_key="",
        open_telemetry=False,
    )
    # Added from ANTHROPIC_CUSTOM_HEADERS: the settings are the only reader of the environment.
    made._custom_headers = {}  # pyright: ignore[reportPrivateUsage]
    return AnthropicModel(
        model_name,
        provider=AnthropicProvider(anthropic_client=made),
        settings=ModelSettings(thinking=False),
    )
