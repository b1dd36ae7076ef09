"""OpenAI's chat protocol as others speak it; imported only when something is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic_ai.models.openai import OpenAIChatModel

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion
    from pydantic_ai.messages import FinishReason
    from pydantic_ai.models.openai import (
        _ChatCompletion,  # pyright: ignore[reportPrivateUsage]
    )

# Why an answer ended, in words that OpenAI does not have; an unknown word means that it is whole.
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
