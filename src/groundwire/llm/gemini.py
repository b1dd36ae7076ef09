"""Google's library, kept to one exchange on our client; imported only when something is sent."""

from __future__ import annotations

import logging
import ssl
from typing import TYPE_CHECKING, Any, cast

import httpx2
from google.genai.client import Client as Library
from google.genai.client import DebugConfig
from google.genai.types import GenerateContentConfigDict, HttpOptions, HttpRetryOptions
from pydantic_ai.models.google import GoogleModel, GoogleModelSettings
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.settings import ModelSettings

from groundwire.errors import IllegalState

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage
    from pydantic_ai.models import ModelRequestParameters

# It warns of keys in the environment, which it is not given, and of parts that are read elsewhere.
logging.getLogger("google_genai").setLevel(logging.ERROR)

# The library makes clients of its own beside the one it is given, with certificates from the
# environment, at 70 ms apiece. They are never used: this context trusts nobody.
_TRUSTS_NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _refuse(request: httpx2.Request) -> httpx2.Response:
    raise IllegalState(f"Google's library asked {request.url.host} past our client.")


def connect(key: str, url: str, version: str, client: httpx2.AsyncClient) -> Library:
    """Create an SDK client that sends once, on our HTTP client, without the environment."""
    return Library(
        vertexai=False,
        api_key=key,  # travels as a header, never in the address
        debug_config=DebugConfig(client_mode=None, replays_directory=None, replay_id=None),
        http_options=HttpOptions(
            base_url=url,
            api_version=version,
            headers={},
            httpx_async_client=client,
            client_args={
                "verify": _TRUSTS_NOBODY,
                "trust_env": False,
                "transport": httpx2.MockTransport(_refuse),
            },
            async_client_args={"verify": _TRUSTS_NOBODY, "ssl": _TRUSTS_NOBODY, "trust_env": False},
            retry_options=HttpRetryOptions(attempts=1),
        ),
    )


class OneExchange(GoogleModel):
    """A Gemini model whose library does not go on by itself when an answer was cut off."""

    def __init__(self, model_name: str, client: Library) -> None:
        super().__init__(
            model_name,
            provider=GoogleProvider(client=client),
            settings=ModelSettings(thinking=False),
        )

    async def _build_content_and_config(
        self,
        messages: list[ModelMessage],
        model_settings: GoogleModelSettings,
        model_request_parameters: ModelRequestParameters,
    ) -> tuple[list[Any], GenerateContentConfigDict]:
        # Its types name a package that is not installed, so they are unknown.
        built = await super()._build_content_and_config(  # pyright: ignore[reportUnknownVariableType]
            messages, model_settings, model_request_parameters
        )
        contents, config = cast("tuple[list[Any], GenerateContentConfigDict]", built)
        # Each continuation would be a call that nobody recorded or reserved a budget for.
        return contents, {**config, "automatic_continuation": False}
