"""DeepSeek's own API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.llm.openai_chat import connect
from groundwire.llm.spec import OutputMode, VendorOptions

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

DEFAULT_LIGHT = "deepseek-flash"
DEFAULT_HEAVY = "deepseek-v4-pro"
DEFAULT_VISION = ""  # its API takes text only
KEY_SETTING = ("DEEPSEEK_API_KEY",)
URL_SETTING: tuple[str, ...] = ()
BASE_URL: str | None = "https://api.deepseek.com"
OUTPUT: OutputMode = "tool"  # its chat endpoint refuses a JSON schema
LOCAL = False
PRICES: str | None = "deepseek"
RANK = 3


def build(model_name: str, options: VendorOptions, client: httpx2.AsyncClient) -> Model:
    """A chat model of DeepSeek, with thinking off: while it thinks, no tool can be demanded."""
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.deepseek import DeepSeekProvider
    from pydantic_ai.settings import ModelSettings

    from groundwire.llm.compatible import CompatibleModel

    made = connect("deepseek", options, client, base_url=BASE_URL, key_setting=KEY_SETTING[0])
    return CompatibleModel(
        model_name,
        provider=DeepSeekProvider(openai_client=made),
        profile=OpenAIModelProfile(
            openai_chat_thinking_false_body={"thinking": {"type": "disabled"}},
            openai_chat_supports_max_completion_tokens=False,
        ),
        settings=ModelSettings(thinking=False),
    )
