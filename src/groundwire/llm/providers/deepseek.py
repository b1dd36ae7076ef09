"""DeepSeek's own API."""

from __future__ import annotations

from typing import ClassVar

from groundwire.llm.spec import ChatModel, Client, Vendor, VendorOptions


class Provider(Vendor):
    # Its API takes text only, and its chat endpoint refuses a JSON schema.
    DEFAULT_LIGHT: ClassVar[str] = "deepseek-flash"
    DEFAULT_HEAVY: ClassVar[str] = "deepseek-v4-pro"
    KEY_SETTING: ClassVar[tuple[str, ...]] = ("DEEPSEEK_API_KEY",)
    BASE_URL: ClassVar[str | None] = "https://api.deepseek.com"
    PRICES: ClassVar[str | None] = "deepseek"
    RANK: ClassVar[int] = 3

    def build(self, model_name: str, options: VendorOptions, client: Client) -> ChatModel:
        """Build a DeepSeek chat model, thinking off: while it thinks, no tool can be forced."""
        from pydantic_ai.profiles.openai import OpenAIModelProfile
        from pydantic_ai.providers.deepseek import DeepSeekProvider
        from pydantic_ai.settings import ModelSettings

        from groundwire.llm.compatible import CompatibleModel, connect

        sdk_client = connect("deepseek", self, options, client)
        return CompatibleModel(
            model_name,
            provider=DeepSeekProvider(openai_client=sdk_client),
            profile=OpenAIModelProfile(
                openai_chat_thinking_false_body={"thinking": {"type": "disabled"}},
                openai_chat_supports_max_completion_tokens=False,
            ),
            settings=ModelSettings(thinking=False),
        )
