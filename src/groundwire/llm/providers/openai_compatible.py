"""Any server that speaks OpenAI's chat protocol: vLLM, LM Studio, a gateway, a Chinese vendor."""

from __future__ import annotations

from typing import ClassVar

from groundwire.llm.spec import ChatModel, Client, Vendor, VendorOptions


class Provider(Vendor):
    RANK: ClassVar[int] = 9

    def build(self, model_name: str, options: VendorOptions, client: Client) -> ChatModel:
        """Build a chat model at the user's base URL."""
        from pydantic_ai.profiles.openai import OpenAIModelProfile
        from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

        from groundwire.llm.compatible import CompatibleModel, connect

        sdk_client = connect("openai_compatible", self, options, client)
        provider = OpenAICompatibleProvider("openai_compatible", openai_client=sdk_client)
        # `max_tokens` is what such servers know; a native schema is sent when the user asks for it.
        profile = OpenAIModelProfile(
            openai_chat_supports_max_completion_tokens=False, supports_json_schema_output=True
        )
        return CompatibleModel(model_name, provider=provider, profile=profile)
