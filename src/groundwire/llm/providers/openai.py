"""OpenAI, and a proxy to it at OPENAI_BASE_URL."""

from __future__ import annotations

from typing import ClassVar

from groundwire.llm.spec import ChatModel, Client, Vendor, VendorOptions


class Provider(Vendor):
    # Both answer without reasoning unless told to, so that temperature 0 is honoured.
    DEFAULT_LIGHT: ClassVar[str] = "gpt-5.4-mini"
    DEFAULT_HEAVY: ClassVar[str] = "gpt-5.4"
    DEFAULT_VISION: ClassVar[str] = DEFAULT_LIGHT
    KEY_SETTING: ClassVar[tuple[str, ...]] = ("OPENAI_API_KEY",)
    URL_SETTING: ClassVar[tuple[str, ...]] = ("OPENAI_BASE_URL",)
    BASE_URL: ClassVar[str | None] = "https://api.openai.com/v1"
    PRICES: ClassVar[str | None] = "openai"
    RANK: ClassVar[int] = 1

    def build(self, model_name: str, options: VendorOptions, client: Client) -> ChatModel:
        """Build an OpenAI chat model."""
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        from groundwire.llm.compatible import connect

        sdk_client = connect("openai", self, options, client)
        return OpenAIChatModel(model_name, provider=OpenAIProvider(openai_client=sdk_client))
