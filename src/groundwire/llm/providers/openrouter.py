"""OpenRouter: many vendors' models (`openrouter:deepseek/deepseek-v4-pro`) behind one key."""

from __future__ import annotations

from typing import ClassVar

from groundwire.llm.spec import ChatModel, Client, Vendor, VendorOptions


class Provider(Vendor):
    DEFAULT_LIGHT: ClassVar[str] = "openai/gpt-5.4-mini"
    DEFAULT_HEAVY: ClassVar[str] = "openai/gpt-5.4"
    DEFAULT_VISION: ClassVar[str] = DEFAULT_LIGHT
    KEY_SETTING: ClassVar[tuple[str, ...]] = ("OPENROUTER_API_KEY",)
    BASE_URL: ClassVar[str | None] = "https://openrouter.ai/api/v1"
    PRICES: ClassVar[str | None] = "openrouter"
    RANK: ClassVar[int] = 4

    def build(self, model_name: str, options: VendorOptions, client: Client) -> ChatModel:
        """Build an OpenRouter model; its class reads failures that are reported inside a 200."""
        from pydantic_ai.models.openrouter import OpenRouterModel
        from pydantic_ai.providers.openrouter import OpenRouterProvider

        from groundwire.llm.compatible import connect

        sdk_client = connect("openrouter", self, options, client)
        return OpenRouterModel(model_name, provider=OpenRouterProvider(openai_client=sdk_client))
