"""Anthropic's Messages API."""

from __future__ import annotations

from typing import ClassVar

from groundwire.llm.spec import ChatModel, Client, OutputMode, Vendor, VendorOptions, key_of


class Provider(Vendor):
    DEFAULT_LIGHT: ClassVar[str] = "claude-haiku-5-5"
    DEFAULT_HEAVY: ClassVar[str] = "claude-sonnet-5-5"
    DEFAULT_VISION: ClassVar[str] = DEFAULT_LIGHT
    KEY_SETTING: ClassVar[tuple[str, ...]] = ("ANTHROPIC_API_KEY",)
    BASE_URL: ClassVar[str | None] = "https://api.anthropic.com"
    # Its newest models cannot be made to call a tool; those before 4.5 take no schema and can.
    OUTPUT: ClassVar[OutputMode] = "schema"
    PRICES: ClassVar[str | None] = "anthropic"
    RANK: ClassVar[int] = 2

    def build(self, model_name: str, options: VendorOptions, client: Client) -> ChatModel:
        """Build an Anthropic model, thinking off where possible: it is paid for and not shown."""
        from anthropic import AsyncAnthropic
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider
        from pydantic_ai.settings import ModelSettings

        # The library adds the version to the path itself; people write the address with it.
        url = (options.base_url or self.BASE_URL or "").rstrip("/").removesuffix("/v1")
        sdk_client = AsyncAnthropic(
            api_key=key_of("anthropic", options, self.KEY_SETTING[0]),
            base_url=url,
            http_client=client,
            max_retries=0,
            webhook_key="",
            open_telemetry=False,
        )
        # Added from ANTHROPIC_CUSTOM_HEADERS: the settings are the only reader of the environment.
        sdk_client._custom_headers = {}  # pyright: ignore[reportPrivateUsage]
        return AnthropicModel(
            model_name,
            provider=AnthropicProvider(anthropic_client=sdk_client),
            settings=ModelSettings(thinking=False),
        )
