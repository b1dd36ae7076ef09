"""OpenAI's chat protocol as all its vendors speak it; imported only when something is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from openai import AsyncOpenAI
from pydantic_ai.models.openai import OpenAIChatModel

from groundwire.errors import SettingsError
from groundwire.llm.spec import Vendor, VendorOptions, key_of

if TYPE_CHECKING:
    import httpx2
    from openai.types.chat import ChatCompletion
    from pydantic_ai.messages import FinishReason
    from pydantic_ai.models.openai import (
        _ChatCompletion,  # pyright: ignore[reportPrivateUsage]
    )

# Finish reasons that OpenAI does not have; an unknown one means that the answer is whole.
_ENDINGS: dict[str, FinishReason] = {
    "sensitive": "content_filter",  # GLM
    "model_context_window_exceeded": "length",  # GLM
    "network_error": "error",  # GLM: its own network, in the middle of an answer
    "insufficient_system_resource": "error",  # DeepSeek
    "abort": "error",  # vLLM
}


class CompatibleModel(OpenAIChatModel):
    """A chat model whose server has endings of its own, or names none."""

    def _validate_completion(self, response: ChatCompletion) -> _ChatCompletion:
        for choice in response.choices:
            if not choice.finish_reason:
                choice.finish_reason = "tool_calls" if choice.message.tool_calls else "stop"
        return super()._validate_completion(response)

    def _map_finish_reason(self, key: str) -> FinishReason | None:
        return _ENDINGS.get(key) or super()._map_finish_reason(key)


def connect(
    name: str, vendor: Vendor, options: VendorOptions, client: httpx2.AsyncClient
) -> AsyncOpenAI:
    """Create an SDK client that sends once, on our HTTP client, without the environment."""
    url = options.base_url or vendor.BASE_URL
    if url is None:
        raise SettingsError("error.no_base_url", vendor=name, hint="hint.set_base_url")
    sdk_client = AsyncOpenAI(
        api_key=key_of(name, options, next(iter(vendor.KEY_SETTING), None)),
        base_url=url,
        http_client=client,
        max_retries=0,
    )
    # The SDK adds these from OPENAI_* variables for every vendor it is pointed at; settings.py is
    # the only reader of the environment, and one vendor's names must not reach another.
    sdk_client.organization = None
    sdk_client.project = None
    sdk_client.admin_api_key = None
    sdk_client._custom_headers = {}  # pyright: ignore[reportPrivateUsage]
    return sdk_client
