"""OpenRouter: many vendors' models (`openrouter:deepseek/deepseek-v4-pro`) behind one key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.llm.openai_chat import connect
from groundwire.llm.spec import OutputMode, VendorOptions

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

DEFAULT_LIGHT = "openai/gpt-5.4-mini"
DEFAULT_HEAVY = "openai/gpt-5.4"
DEFAULT_VISION = DEFAULT_LIGHT
KEY_SETTING = ("OPENROUTER_API_KEY",)
URL_SETTING: tuple[str, ...] = ()
BASE_URL: str | None = "https://openrouter.ai/api/v1"
OUTPUT: OutputMode = "tool"
LOCAL = False
PRICES: str | None = "openrouter"
RANK = 4


def build(model_name: str, options: VendorOptions, client: httpx2.AsyncClient) -> Model:
    """A chat model behind OpenRouter; it reports some failures inside a 200, which its class reads."""
    from pydantic_ai.models.openrouter import OpenRouterModel
    from pydantic_ai.providers.openrouter import OpenRouterProvider

    made = connect("openrouter", options, client, base_url=BASE_URL, key_setting=KEY_SETTING[0])
    return OpenRouterModel(model_name, provider=OpenRouterProvider(openai_client=made))
