"""OpenRouter: many vendors' models (`openrouter:deepseek/deepseek-v4-pro`) behind one key."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from groundwire.llm.spec import Vendor, VendorOptions

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model


class Provider(Vendor):
    DEFAULT_LIGHT: ClassVar[str] = "openai/gpt-5.4-mini"
    DEFAULT_HEAVY: ClassVar[str] = "openai/gpt-5.4"
    DEFAULT_VISION: ClassVar[str] = DEFAULT_LIGHT
    KEY_SETTING: ClassVar[tuple[str, ...]] = ("OPENROUTER_API_KEY",)
    BASE_URL: ClassVar[str | None] = "https://openrouter.ai/api/v1"
    PRICES: ClassVar[str | None] = "openrouter"
    RANK: ClassVar[int] = 4

    def build(self, model_name: str, options: VendorOptions, client: httpx2.AsyncClient) -> Model:
        """A chat model behind OpenRouter; it reports some failures inside a 200, which its class reads."""
        from pydantic_ai.models.openrouter import OpenRouterModel
        from pydantic_ai.providers.openrouter import OpenRouterProvider

        from groundwire.llm.compatible import connect

        made = connect("openrouter", self, options, client)
        return OpenRouterModel(model_name, provider=OpenRouterProvider(openai_client=made))
