"""Ollama on the user's machine, at OLLAMA_HOST."""

from __future__ import annotations

from typing import ClassVar
from urllib.parse import urlsplit

from groundwire.errors import SettingsError
from groundwire.llm.spec import ChatModel, Client, OutputMode, Vendor, VendorOptions


def base_url(host: str) -> str:
    """Turn OLLAMA_HOST as people write it (`gpu:11434`, `0.0.0.0`) into a base URL."""
    parts = urlsplit(host if "://" in host else f"http://{host}")
    try:
        port = parts.port or (443 if parts.scheme == "https" else 11434)
    except ValueError:
        raise SettingsError("error.ollama_address", host=host) from None
    # A server that listens everywhere is reached on loopback.
    name = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(
        parts.hostname or "", parts.hostname
    )
    name = f"[{name}]" if name and ":" in name else name
    path = parts.path.rstrip("/")
    return f"{parts.scheme}://{name}:{port}{path if path.endswith('/v1') else path + '/v1'}"


class Provider(Vendor):
    DEFAULT_LIGHT: ClassVar[str] = "qwen3:8b"
    DEFAULT_HEAVY: ClassVar[str] = "qwen3:14b"
    DEFAULT_VISION: ClassVar[str] = "qwen3-vl:8b"
    URL_SETTING: ClassVar[tuple[str, ...]] = ("OLLAMA_HOST",)
    BASE_URL: ClassVar[str | None] = "http://127.0.0.1:11434/v1"
    # Its decoder holds any model to a schema; not every local model can call tools.
    OUTPUT: ClassVar[OutputMode] = "schema"
    LOCAL: ClassVar[bool] = True
    RANK: ClassVar[int] = 8

    def build(self, model_name: str, options: VendorOptions, client: Client) -> ChatModel:
        """Build a chat model served by Ollama, thinking off: it would take far too long."""
        from pydantic_ai.models.ollama import OllamaModel
        from pydantic_ai.models.openai import OpenAIChatModelSettings
        from pydantic_ai.profiles.openai import OpenAIModelProfile
        from pydantic_ai.providers.ollama import OllamaProvider

        from groundwire.llm.compatible import connect

        if options.base_url is not None:
            options = options.model_copy(update={"base_url": base_url(options.base_url)})
        sdk_client = connect("ollama", self, options, client)
        # It accepts the limit's newer name silently and goes on writing (ollama#7125).
        limit = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)
        return OllamaModel(
            model_name,
            provider=OllamaProvider(openai_client=sdk_client),
            profile=limit,
            settings=OpenAIChatModelSettings(openai_reasoning_effort="none"),
        )
