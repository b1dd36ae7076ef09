"""The only sockets: a client that connects only to addresses the guard has checked."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import socket
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TypeAlias, cast

import httpcore2
import httpx2

from groundwire import errors
from groundwire.gateway.body import Limits, read_body
from groundwire.gateway.guard import AddressPolicy, check_address, check_port, check_url, origin
from groundwire.gateway.status import REDIRECTS, raise_for_page_status
from groundwire.gateway.tunnel import Proxy, SocketOption, Tunnel
from groundwire.model.base import JsonObject
from groundwire.words import coded

Resolver: TypeAlias = Callable[[str, int], Awaitable[list[str]]]
USER_AGENT = "Groundwire/0.1 (research reader)"
# Headers that are not sent on to another origin.
_PRIVATE_HEADERS = frozenset({"authorization", "cookie", "proxy-authorization", "x-api-key"})
# Headers that describe the body on the wire, not the decoded one.
_FRAMING = frozenset({"content-encoding", "content-length", "transfer-encoding"})
_CONNECT = 5.0  # seconds: the kernel has tried three times by then
_NOT_NOW = 0.2
_MAX_ADDRESSES = 4  # tried in turn before a host counts as down


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer: `url` is the last hop; header names lower."""

    status: int
    url: str
    headers: Mapping[str, str]
    body: bytes


class _Nowhere(httpcore2.ConnectError):
    """A name without an address: no such host, or no network."""


class _Unresolved(httpcore2.ConnectTimeout):
    """A name whose address did not come in time."""


async def resolve(host: str, port: int) -> list[str]:
    """Resolve a host with the system's resolver; a temporary failure is tried once more."""
    loop = asyncio.get_running_loop()
    try:
        try:
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except socket.gaierror as error:
            if error.errno != socket.EAI_AGAIN:
                raise
            await asyncio.sleep(_NOT_NOW)
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise _Nowhere(f"'{host}' has no address") from error
    except UnicodeError as error:
        raise errors.ForbiddenAddress("outside.not_host", host=host[:80]) from error
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Resolves once, refuses if any address is not allowed, connects to what was checked."""

    def __init__(
        self,
        policy: AddressPolicy,
        resolver: Resolver,
        *,
        trusted: bool,
        proxy: Proxy | None = None,
    ) -> None:
        self._policy = policy
        self._resolver = resolver
        self._trusted = trusted
        # The package declares a stand-in for installations without anyio, which hides the type.
        direct = cast("httpcore2.AsyncNetworkBackend", httpcore2.AnyIOBackend())
        self._inner = direct if proxy is None else Tunnel(proxy, _certificates)

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        if self._policy.offline:
            raise errors.Offline
        loop = asyncio.get_running_loop()
        until = loop.time() + (timeout if timeout is not None else 30.0)
        try:
            async with asyncio.timeout_at(until):
                addresses = await self._addresses(host, port)
        except TimeoutError as error:
            raise _Unresolved(f"'{host}' was not resolved in time") from error
        failure: Exception = httpcore2.ConnectError(f"'{host}' has no address")
        for index, address in enumerate(addresses):
            left = until - loop.time()
            share = left / (len(addresses) - index)  # a dead first address leaves time for others
            try:
                return await self._inner.connect_tcp(
                    address, port, max(share, 0.05), local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure

    async def _addresses(self, host: str, port: int) -> list[str]:
        found = await self._resolver(host, port)
        if not self._trusted:
            checked = [check_address(text, self._policy) for text in found]
            check_port(port, checked, self._policy)
        return found[:_MAX_ADDRESSES]

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        raise errors.ForbiddenAddress("outside.sockets")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class _PinnedTransport(httpx2.AsyncHTTPTransport):
    """httpx2 offers no way to pass a network backend, so its pool is replaced by one that has it."""

    def __init__(self, backend: GuardedBackend, max_connections: int) -> None:
        context = _certificates()
        super().__init__(verify=context, trust_env=False)
        if not isinstance(getattr(self, "_pool", None), httpcore2.AsyncConnectionPool):
            raise errors.IllegalState("httpx2 no longer keeps its pool where the guard goes.")
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=context,
            max_connections=max_connections,
            max_keepalive_connections=max(max_connections // 2, 1),
            keepalive_expiry=15.0,
            network_backend=backend,
        )


@functools.cache
def _certificates() -> ssl.SSLContext:
    """Load the trusted certificates, once: it is the slowest part of a start."""
    return httpx2.create_ssl_context(trust_env=False)


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Checks each URL; trusted origins have a pool of their own, so trust is never borrowed."""

    def __init__(
        self,
        policy: AddressPolicy,
        resolver: Resolver,
        max_connections: int,
        proxy: Proxy | None = None,
    ) -> None:
        self._policy = policy
        self._public, self._trusted = (
            _PinnedTransport(
                GuardedBackend(policy, resolver, trusted=trusted, proxy=proxy), max_connections
            )
            for trusted in (False, True)
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        trusted = check_url(str(request.url), self._policy)
        pool = self._trusted if trusted else self._public
        return await pool.handle_async_request(request)

    async def aclose(self) -> None:
        await self._public.aclose()
        await self._trusted.aclose()


class CappedTransport(httpx2.AsyncBaseTransport):
    """Reads each answer whole and under the caps before it is passed on.

    For clients lent to vendors' libraries, which read and unpack bodies without a limit.
    """

    def __init__(self, inner: httpx2.AsyncBaseTransport, limits: Limits) -> None:
        self._inner = inner
        self._limits = limits

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._inner.handle_async_request(request)
        try:
            body = await read_body(response, self._limits)
        finally:
            await response.aclose()
        headers = [row for row in response.headers.multi_items() if row[0].lower() not in _FRAMING]
        return httpx2.Response(
            response.status_code, headers=headers, content=body, extensions=response.extensions
        )

    async def aclose(self) -> None:
        await self._inner.aclose()


def build_client(
    policy: AddressPolicy,
    *,
    resolver: Resolver = resolve,
    timeout: float = 10.0,
    max_connections: int = 64,
    capped: Limits | None = None,
    world: httpx2.AsyncBaseTransport | None = None,
    proxy: Proxy | None = None,
) -> httpx2.AsyncClient:
    """Build a client that ignores proxy variables, follows no redirect and keeps no cookie.

    `capped` is for a client whose answers are read by others than `get` and `request` below.
    `world` answers instead of the network: no socket is opened, so there is none to guard.
    `proxy` is the user's own: it is led to addresses that were checked here.
    """
    no_cookies = CookieJar(policy=DefaultCookiePolicy(allowed_domains=[]))
    transport = world or GuardedTransport(policy, resolver, max_connections, proxy)
    return httpx2.AsyncClient(
        transport=transport if capped is None else CappedTransport(transport, capped),
        trust_env=False,
        follow_redirects=False,
        timeout=httpx2.Timeout(timeout, connect=min(timeout, _CONNECT)),
        cookies=no_cookies,
        headers={"user-agent": USER_AGENT, "accept-encoding": "gzip, deflate"},
    )


async def get(
    client: httpx2.AsyncClient,
    url: str,
    *,
    headers: Mapping[str, str],
    limits: Limits,
    policy: AddressPolicy,
    stay: Callable[[str], bool] = lambda _target: False,
) -> Fetched:
    """Read a page: every hop is checked; a 2xx or a 304 is returned, the rest is raised.

    A redirect to another host that `stay` holds back is returned as well: its 3xx, no body, and its
    target as `url`.
    """
    hops = 0
    # Some sites set a cookie and redirect to themselves; it lives for this one read, by origin.
    cookies: dict[str, dict[str, str]] = {}
    async with _exchange(limits):
        while True:
            check_url(url, policy)
            current = origin(url)
            request_headers = dict(headers)
            if jar := cookies.get(current):
                request_headers["cookie"] = "; ".join(
                    f"{name}={value}" for name, value in jar.items()
                )
            outgoing = client.build_request("GET", url, headers=request_headers)
            response = await client.send(outgoing, stream=True)
            try:
                target = response.headers.get("location")
                if response.status_code not in REDIRECTS or not target:
                    raise_for_page_status(response.status_code, response.headers)
                    body = await read_body(response, limits)
                    return Fetched(response.status_code, url, dict(response.headers), body)
                _keep_cookies(response, cookies.setdefault(current, {}))
            finally:
                await response.aclose()
            hops += 1
            if hops > limits.max_redirects:
                raise errors.Unreadable("outside.redirects", n=limits.max_redirects)
            host = httpx2.URL(url).host
            url = str(httpx2.URL(url).join(target).copy_with(fragment=None))
            check_url(url, policy)
            if httpx2.URL(url).host != host and stay(url):
                return Fetched(response.status_code, url, dict(response.headers), b"")
            if origin(url) != current:
                headers = {k: v for k, v in headers.items() if k.lower() not in _PRIVATE_HEADERS}


async def request(
    client: httpx2.AsyncClient,
    method: str,
    url: str,
    *,
    headers: Mapping[str, str],
    limits: Limits,
    content: bytes | None = None,
) -> Fetched:
    """Make one API exchange: no redirect is followed, any status is returned."""
    async with _exchange(limits):
        built = client.build_request(method, url, headers=dict(headers), content=content)
        response = await client.send(built, stream=True)
        try:
            body = await read_body(response, limits)
        finally:
            await response.aclose()
        return Fetched(response.status_code, url, dict(response.headers), body)


async def post_json(
    client: httpx2.AsyncClient,
    url: str,
    body: JsonObject | bytes,
    headers: Mapping[str, str],
    limits: Limits,
) -> Fetched:
    """Send a POST with a JSON object, or with bytes that already are one."""
    content = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
    all_headers = {"content-type": "application/json", "accept": "application/json", **headers}
    return await request(client, "POST", url, headers=all_headers, limits=limits, content=content)


def _keep_cookies(response: httpx2.Response, jar: dict[str, str]) -> None:
    for line in response.headers.get_list("set-cookie"):
        name, found, value = line.split(";", 1)[0].partition("=")
        if found and name.strip() and len(jar) < 20:
            jar[name.strip()] = value.strip()[:4096]


@contextlib.asynccontextmanager
async def _exchange(limits: Limits) -> AsyncGenerator[None]:
    """Enforce the time limit; turn whatever goes wrong into one of our own failures."""
    try:
        async with asyncio.timeout(limits.seconds):
            yield
    except httpx2.ConnectTimeout as error:
        late = isinstance(error.__cause__, _Unresolved)
        why = coded("outside.unresolved" if late else "outside.no_connection")
        raise errors.OutOfReach("outside.unreached", who=_where(error), why=why) from error
    except (httpx2.TimeoutException, TimeoutError) as error:
        raise errors.Timeout from error
    except (httpx2.InvalidURL, httpx2.UnsupportedProtocol) as error:
        raise errors.ForbiddenAddress("outside.address_unusable") from error
    except httpx2.ConnectError as error:
        if isinstance(error.__cause__, _Nowhere):
            why = coded("outside.no_address")
            raise errors.OutOfReach("outside.unreached", who=_where(error), why=why) from error
        raise errors.NetworkDown("outside.unreached", who=_where(error), why=error) from error
    except (httpx2.ReadError, httpx2.RemoteProtocolError) as error:
        raise errors.BrokenOff("outside.broke", why=error) from error
    except httpx2.HTTPError as error:
        raise errors.NetworkDown("outside.broke", why=error) from error


def _where(error: httpx2.TransportError) -> str:
    url = error.request.url
    return f"{url.host}:{url.port}" if url.port else url.host
