"""What a search provider is: `request()` and `parse()`, both pure; the network is written once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from groundwire.gateway.call import Scope
from groundwire.model.base import Json, JsonObject
from groundwire.model.query import Hit, Query


class ProviderOptions(BaseModel):
    """What every provider can be told; a provider's own `Options` adds to it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    api_key: SecretStr | None = None
    base_url: str | None = None
    timeout: float | None = Field(default=None, gt=0)
    per_second: float | None = Field(default=None, gt=0)
    at_once: int | None = Field(default=None, ge=1)


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """An HTTP request without its authentication: this, canonically, is what is recorded."""

    method: Literal["GET", "POST"]
    url: str
    json: JsonObject | None = None
    params: dict[str, str] = field(default_factory=dict[str, str])


class HttpProvider(ABC):
    """Base of the providers that are reached over HTTP."""

    name: ClassVar[str]
    needs_key: ClassVar[bool] = True
    key_hint: ClassVar[str] = ""  # what to set, for messages
    price: ClassVar[int] = 0  # micro-dollars a call, before the call
    max_query: ClassVar[int] = 400
    Options: ClassVar[type[ProviderOptions]] = ProviderOptions

    def __init__(self, options: ProviderOptions) -> None:
        self.options = options

    @property
    def key(self) -> str | None:
        return self.options.api_key.get_secret_value() if self.options.api_key else None

    @abstractmethod
    def request(self, query: Query) -> ApiRequest:
        """What is asked, without authentication."""

    def headers(self) -> dict[str, str]:
        """Authentication; never recorded."""
        return {}

    @abstractmethod
    def parse(self, body: Json, query: Query) -> list[Hit]:
        """Hits, or `Malformed`; an answer without results is an empty list, nothing else is."""

    def notes(self, body: Json) -> JsonObject:
        """What of the answer is worth keeping beside the hits (request ids, timings)."""
        return {}

    def cost(self, body: Json) -> int:
        return self.price


class Searcher(Protocol):
    """What the chain holds: a provider that is ready to be asked."""

    name: str

    async def search(self, scope: Scope, query: Query, occasion: str) -> list[Hit]:
        """Recorded hits; raises `OutsideFailure`."""
        ...
