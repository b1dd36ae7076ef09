"""What a search provider is: `request()` and `parse()`, both pure; the network is written once."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from groundwire.errors import Malformed
from groundwire.gateway.call import Scope
from groundwire.model.base import Json, JsonObject
from groundwire.model.query import Hit, Query

if TYPE_CHECKING:
    import httpx2

    from groundwire.gateway.gateway import Gateway
    from groundwire.model.ports import Index


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


@dataclass(frozen=True, slots=True)
class Ground:
    """What a provider may stand on when it is made ready for a run."""

    gateway: Gateway
    client: httpx2.AsyncClient  # guarded, for APIs
    index: Index
    timeout: float
    cache_ttl: float


class SearchProvider(ABC):
    """Base of all providers: a module in `providers/` holds one class `Provider`."""

    name: ClassVar[str]
    needs_key: ClassVar[bool] = True
    local: ClassVar[bool] = False  # it needs no network
    key_hint: ClassVar[str] = ""  # what to set, for messages
    Options: ClassVar[type[ProviderOptions]] = ProviderOptions

    def __init__(self, options: ProviderOptions) -> None:
        self.options = options

    @property
    def key(self) -> str | None:
        return self.options.api_key.get_secret_value() if self.options.api_key else None

    def lacks(self) -> str | None:
        """What must be set before it can be used; None when nothing is missing."""
        return self.key_hint if self.needs_key and not self.key else None

    @abstractmethod
    def searcher(self, ground: Ground) -> Searcher:
        """Ready to be asked."""


class HttpProvider(SearchProvider):
    """Base of the providers that are one HTTP request: what is asked, and what was answered."""

    price: ClassVar[int] = 0  # micro-dollars a call, before the call
    max_query: ClassVar[int] = 400

    def searcher(self, ground: Ground) -> Searcher:
        # Deferred: the network path brings the HTTP client along, and a listing needs neither.
        from groundwire.search.http import HttpSearcher

        return HttpSearcher(self, ground)

    @abstractmethod
    def request(self, query: Query) -> ApiRequest:
        """What is asked, without authentication."""

    def headers(self) -> dict[str, str]:
        """Authentication; never recorded."""
        return {}

    def decode(self, body: bytes) -> Json:
        """The answer's bytes as `parse` takes them: JSON, unless a provider speaks otherwise."""
        try:
            return json.loads(body)
        except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Malformed(f"{self.name} answered with something that is not JSON") from error

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
