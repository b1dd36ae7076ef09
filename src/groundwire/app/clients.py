"""An app's guarded HTTP clients: for APIs, for vendors' libraries, for pages."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from groundwire.settings import Settings

if TYPE_CHECKING:
    import httpx2

    from groundwire.gateway.guard import AddressPolicy


class Clients:
    """The clients, each built on first use; whoever built this closes it."""

    def __init__(self, settings: Settings, world: httpx2.AsyncBaseTransport | None = None) -> None:
        # `world` answers instead of the network. It is an object, so only code can pass it: no
        # setting, file or variable removes the guard.
        self._settings = settings
        self._world = world
        self._opened: list[httpx2.AsyncClient] = []

    @cached_property
    def apis(self) -> httpx2.AsyncClient:
        """For APIs: origins that the user configured may be private."""
        return self._client(self._api_policy)

    @cached_property
    def models(self) -> httpx2.AsyncClient:
        """As `apis`, for vendors' libraries: they read the answers themselves."""
        return self._client(self._api_policy, lent=True)

    @cached_property
    def pages(self) -> httpx2.AsyncClient:
        return self._client(self.page_policy)

    @cached_property
    def proxied(self) -> tuple[httpx2.AsyncClient, ...]:
        """As `pages`, through each of the user's own proxies."""
        return tuple(
            self._client(self.page_policy, proxy=each.get_secret_value())
            for each in self._settings.fetch.proxies
        )

    @cached_property
    def page_policy(self) -> AddressPolicy:
        """For pages: a search result must not reach what is trusted as an API."""
        return self._policy(frozenset())

    @cached_property
    def _api_policy(self) -> AddressPolicy:
        return self._policy(frozenset(self._settings.trusted_origins()))

    def _policy(self, origins: frozenset[str]) -> AddressPolicy:
        # Deferred, as every import of the HTTP client: a run's first event comes before it.
        from groundwire.gateway.guard import AddressPolicy, networks

        fetch = self._settings.fetch
        return AddressPolicy(
            allow_private=networks(fetch.allow_private),
            trusted_origins=origins,
            ports=frozenset({80, 443, *fetch.allow_ports}),
            offline=self._settings.offline,
        )

    def _client(
        self, policy: AddressPolicy, *, lent: bool = False, proxy: str = ""
    ) -> httpx2.AsyncClient:
        from groundwire.gateway.transport import Limits, build_client
        from groundwire.gateway.tunnel import Proxy

        # A client that vendors' libraries read from has the caps inside.
        at_once = max(64, self._settings.fetch.concurrency)
        client = build_client(
            policy,
            max_connections=at_once,
            capped=Limits() if lent else None,
            world=self._world,
            proxy=Proxy.of(proxy) if proxy else None,
        )
        self._opened.append(client)
        return client

    async def close(self) -> None:
        for client in self._opened:
            await client.aclose()
