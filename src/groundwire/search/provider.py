"""What a search provider is: `request()` and `parse()`, both pure, and the price of a search."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, tzinfo
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field

from groundwire.gateway.call import Scope
from groundwire.gateway.limits import Limit
from groundwire.gateway.vendor import ApiOptions, ApiProvider, decoded
from groundwire.model.base import Json, JsonObject, Value
from groundwire.model.call import MICRO, Cap, Recovery
from groundwire.model.query import Hit, Query, SearchFailure, Topic
from groundwire.search.phrasing import Times

if TYPE_CHECKING:
    import httpx2
    from typing_extensions import TypeVar as TypeVarOr  # the checker's own: nothing to install

    from groundwire.gateway.gateway import Gateway
    from groundwire.model.feed import Feed, Outline
    from groundwire.model.ports import ArchiveHit, Index


class Listed(Value):
    """One line of the price table; it is in the provider's own file.

    A credit is what the vendor counts: one search, or a part of an expensive one.
    """

    usd_per_credit: float
    free_credits: int = 0
    renewed: Literal["month", "day", "once"] = "month"  # when the free ones are renewed
    zone: str = "UTC"  # whose midnight that is
    as_of: date
    source: str


class Tariff(Value):
    """The price that holds: the listed one, or what the user has set instead."""

    provider: str
    listed: Listed | None
    usd_per_credit: float
    free_credits: int
    known: bool  # False: there is no price; it counts as nothing

    @property
    def micro(self) -> int:
        """Micro-dollars of a credit."""
        return round(self.usd_per_credit * MICRO)

    def free(self, now: datetime) -> Cap:
        """Return the free quota at a moment: its scope, and its worth at the price of a credit."""
        scope = ":".join(part for part in ("free", self.provider, self.period(now)) if part)
        return Cap(scope=scope, limit=self.free_credits * self.micro)

    def period(self, now: datetime) -> str:
        """Return the month or day that a moment's free quota belongs to; "" where it never ends."""
        listed = self.listed
        local = now.astimezone(_zone(listed.zone if listed else "UTC"))
        forms = {"month": f"{local:%Y-%m}", "day": f"{local:%Y-%m-%d}", "once": ""}
        return forms[listed.renewed if listed else "month"]


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError:  # a system without the zones' tables
        return UTC


class ProviderOptions(ApiOptions):
    """Options of every search provider; a provider's own `Options` adds to them."""

    at_once: int | None = Field(default=None, ge=1)
    usd_per_credit: float | None = Field(default=None, ge=0, le=1000)  # instead of the list price
    free_credits: int | None = Field(default=None, ge=0, le=10**9)  # of a month, or as listed


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """An HTTP request without its authentication: this, canonically, is what is recorded."""

    method: Literal["GET", "POST"]
    url: str
    json: JsonObject | None = None
    params: dict[str, str] = field(default_factory=dict[str, str])


class ArchiveLikeness(Protocol):
    """An embedding model over the archive."""

    @property
    def label(self) -> str: ...

    async def embed(self, scope: Scope, texts: Sequence[str]) -> list[tuple[float, ...]]: ...

    async def nearest(
        self, vector: tuple[float, ...], query: Query, now: datetime
    ) -> Sequence[ArchiveHit]: ...


class FeedReader(Protocol):
    """The feeds that the user has named, read through the gateway."""

    async def feed(self, scope: Scope, url: str) -> Feed: ...

    async def outline(self, scope: Scope, place: str) -> Outline: ...


@dataclass(frozen=True, slots=True)
class SearchServices:
    """What a provider may use in a run."""

    gateway: Gateway
    client: httpx2.AsyncClient  # guarded, for APIs
    index: Index
    timeout: float
    cache_ttl: float
    feeds: FeedReader
    likeness: ArchiveLikeness | None = None  # the archive by meaning, where a model is set for it


@dataclass(frozen=True, slots=True)
class ProviderAnswer:
    """A provider's answer; `cached`: nothing was sent; `failures`: parts that did not answer."""

    hits: list[Hit]
    cached: bool = False
    failures: tuple[SearchFailure, ...] = ()
    recoveries: tuple[Recovery, ...] = ()


if TYPE_CHECKING:
    OptionsT = TypeVarOr("OptionsT", bound=ProviderOptions, default=ProviderOptions)
else:  # Python 3.11 knows no default, and needs none
    OptionsT = TypeVar("OptionsT", bound=ProviderOptions)


class SearchProvider(ApiProvider[OptionsT], ABC):
    """Base of all providers: a module in `providers/` holds one class `Provider`.

    The class says when it is asked, so that the chain knows none by name.
    """

    local: ClassVar[bool] = False  # it needs no network
    needs_embedding: ClassVar[bool] = False  # it compares vectors of `models.embed`
    Options: ClassVar[type[ProviderOptions]] = ProviderOptions

    pace: ClassVar[Limit] = Limit()  # where the user sets none
    beside: ClassVar[bool] = False  # takes part in every search
    preference: ClassVar[int] = 50  # where nobody set an order, smaller is asked earlier
    general: ClassVar[bool] = True  # False: asked about its `topics`, and when nobody else knows
    topics: ClassVar[tuple[Topic, ...]] = ()
    languages: ClassVar[tuple[str, ...]] = ()  # its best: asked first for these, late for others
    speaks: ClassVar[tuple[str, ...]] = ()  # understands no others; empty: all
    sites: ClassVar[tuple[str, ...]] = ()  # all its results lie here; empty: anywhere
    platforms: ClassVar[tuple[str, ...]] = ()  # it is their own search
    only_platforms: ClassVar[bool] = False  # it is asked for nothing but platforms

    @property
    def limit(self) -> Limit:
        """The limits on its calls: as the user sets them, or its own."""
        options, pace = self.options, self.pace
        return Limit(options.at_once or pace.at_once, options.per_second or pace.per_second)

    @property
    def partial(self) -> bool:
        """Whether it sees only a part of the web, so that finding nothing says little."""
        return self.beside or self.local or not self.general or bool(self.sites)

    def serves(self, platform: str) -> bool:
        """Tell whether it searches a platform itself, so that no site need be named."""
        return platform in self.platforms

    def takes(self, query: Query) -> bool:
        """Tell whether it can be asked this at all."""
        if query.platform and self.serves(query.platform):
            return True
        if self.only_platforms:
            return False
        if self.speaks and language_of(query) not in self.speaks:
            return False
        if self.sites and query.include_domains:
            # A site takes the question if it lies within what is asked for, or the reverse.
            pairs = [(site, domain) for site in self.sites for domain in query.include_domains]
            if not any(_within(site, domain) or _within(domain, site) for site, domain in pairs):
                return False
        return True

    def suits(self, query: Query) -> bool:
        """Tell whether it is meant for such questions."""
        return self.general or query.topic in self.topics

    def turn(self, query: Query) -> int:
        """Return its place among those that the question suits: smaller is earlier."""
        if self.languages:
            return 0 if language_of(query) in self.languages else 2
        return 1

    @abstractmethod
    async def search(
        self, services: SearchServices, scope: Scope, query: Query, occasion: str
    ) -> ProviderAnswer:
        """Search and return recorded hits; raises `OutsideFailure`."""


class HttpProvider(SearchProvider[OptionsT]):
    """Base of the providers that are one HTTP request."""

    listed: ClassVar[Listed | None] = None  # its line of the price table
    max_query: ClassVar[int] = 400
    times: ClassVar[Times] = "both"  # how it can be told a time range

    async def search(
        self, services: SearchServices, scope: Scope, query: Query, occasion: str
    ) -> ProviderAnswer:
        # Deferred: the network path brings the HTTP client along, and a listing needs neither.
        from groundwire.search.http import search

        return await search(self, services, scope, query, occasion)

    @abstractmethod
    def request(self, query: Query) -> ApiRequest:
        """Build the request, without authentication."""

    @property
    def tariff(self) -> Tariff:
        """What its searches cost here; one that needs no key costs nothing."""
        listed, usd, free = self.listed, self.options.usd_per_credit, self.options.free_credits
        return Tariff(
            provider=self.name,
            listed=listed,
            usd_per_credit=(listed.usd_per_credit if listed else 0.0) if usd is None else usd,
            free_credits=(listed.free_credits if listed else 0) if free is None else free,
            known=listed is not None or usd is not None or not self.needs_key,
        )

    def estimate(self, query: Query) -> int:
        """Estimate the micro-dollars to reserve before the call."""
        return self.tariff.micro

    def decode(self, body: bytes) -> Json:
        """Decode the answer's bytes for `parse`: JSON, unless a provider speaks otherwise."""
        return decoded(self.name, body)

    @abstractmethod
    def parse(self, body: Json, query: Query) -> list[Hit]:
        """Parse hits, or raise `Malformed`; only an answer without results is an empty list."""

    def notes(self, body: Json) -> JsonObject:
        """Return what to keep of the answer besides the hits (request ids, timings)."""
        return {}

    def cost(self, body: Json) -> int | None:
        """Return the micro-dollars that an answer names; None: the estimate holds."""
        return None


def language_of(query: Query) -> str:
    """Return the language of a query, without its script: zh, en…"""
    # Deferred, as below: a run's first event comes before all that reads text.
    from groundwire.language.text.characters import detect_language

    return (query.language or detect_language(query.text)).partition("-")[0].lower()


def _within(inner: str, outer: str) -> bool:
    from groundwire.evidence.sources.urls import matches_domain

    return matches_domain(f"https://{inner}/", outer)
