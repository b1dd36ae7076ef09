"""OpenAI, and a proxy to it at OPENAI_BASE_URL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.llm.openai_chat import connect
from groundwire.llm.spec import OutputMode, VendorOptions

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

# Both answer without reasoning unless told to, so that temperature 0 is honoured.
DEFAULT_LIGHT = "gpt-5.4-mini"
DEFAULT_HEAVY = "gpt-5.4"
DEFAULT_VISION = DEFAULT_LIGHT
KEY_SETTING = ("OPENAI_API_KEY",)
URL_SETTING = ("OPENAI_BASE_URL",)
BASE_URL: str | None = "https://api.openai.com/v1"
OUTPUT: OutputMode = "tool"
LOCAL = False
PRICES: str | None = "openai"
RANK = 1


def build(model_name: str, options: VendorOptions, client: httpx2.AsyncClient) -> Model:
    """Return a chat model of OpenAI."""
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    made = connect("openai", options, client, base_url=BASE_URL, key_setting=KEY_SETTING[0])
    return OpenAIChatModel(model_name, provider=OpenAIProvider(openai_client=made))
