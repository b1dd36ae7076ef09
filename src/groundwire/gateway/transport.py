"""The only sockets: a client whose connections go to addresses that the guard has checked."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import ssl
import zlib
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TypeAlias, cast

import httpcore2
import httpx2

from groundwire import errors
from groundwire.gateway.guard import AddressPolicy, check_address, check_port, check_url, origin
from groundwire.gateway.status import REDIRECTS, raise_for_api_status, raise_for_page_status
from groundwire.model.base import JsonObject

Resolver: TypeAlias = Callable[[str, int], Awaitable[list[str]]]
SocketOption: TypeAlias = (
    tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]
)

USER_AGENT = "Groundwire/0.1 (research reader)"
# What a redirect to another origin must not see.
_PRIVATE_HEADERS = frozenset({"authorization", "cookie", "proxy-authorization", "x-api-key"})
_MAX_ADDRESSES = 4  # tried in turn before a host counts as down
_INFLATE_STEP = 256 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """What one exchange may cost us."""

    max_bytes_wire: int = 5_000_000
    max_bytes_decoded: int = 20_000_000
    max_redirects: int = 5
    seconds: float = 20.0


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page's answer: `url` is the last hop, `redirects` the ones before it; header names lower."""

    status: int
    url: str
    headers: Mapping[str, str]
    body: bytes
    redirects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Replied:
    """An API's answer, whatever its status."""

    status: int
    headers: Mapping[str, str]
    body: bytes


async def resolve(host: str, port: int) -> list[str]:
    """The system's resolver."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise httpcore2.ConnectError(f"'{host}' has no address") from error
    except UnicodeError as error:
        raise errors.Blocked(f"'{host[:80]}' is not a host name.") from error
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Resolves once, refuses if any address is not allowed, connects to what was checked."""

    def __init__(self, policy: AddressPolicy, resolver: Resolver, *, trusted: bool) -> None:
        self._policy = policy
        self._resolver = resolver
        self._trusted = trusted
        # The package declares a stand-in for installations without anyio, which hides the type.
        self._inner = cast("httpcore2.AsyncNetworkBackend", httpcore2.AnyIOBackend())

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
            raise httpcore2.ConnectTimeout(f"'{host}' was not resolved in time") from error
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
        raise errors.Blocked("Local sockets are not asked.")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class _PinnedTransport(httpx2.AsyncHTTPTransport):
    """httpx2 offers no way to pass a network backend, so its pool is replaced by one that has it."""

    def __init__(
        self, backend: GuardedBackend, context: ssl.SSLContext, max_connections: int
    ) -> None:
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


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Checks each URL; trusted origins have a pool of their own, so trust is never borrowed."""

    def __init__(
        self, policy: AddressPolicy, *, resolver: Resolver = resolve, max_connections: int = 64
    ) -> None:
        context = httpx2.create_ssl_context(trust_env=False)
        self._policy = policy
        self._public = _PinnedTransport(
            GuardedBackend(policy, resolver, trusted=False), context, max_connections
        )
        self._trusted = _PinnedTransport(
            GuardedBackend(policy, resolver, trusted=True), context, max_connections
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        target = check_url(str(request.url), self._policy)
        pool = self._trusted if target.trusted else self._public
        return await pool.handle_async_request(request)

    async def aclose(self) -> None:
        await self._public.aclose()
        await self._trusted.aclose()


def build_client(
    policy: AddressPolicy,
    *,
    resolver: Resolver | None = None,
    timeout: float = 10.0,
    max_connections: int = 64,
) -> httpx2.AsyncClient:
    """A client that ignores proxy variables, follows no redirect and keeps no cookie."""
    nobody = CookieJar(policy=DefaultCookiePolicy(allowed_domains=[]))
    return httpx2.AsyncClient(
        transport=GuardedTransport(
            policy, resolver=resolver or resolve, max_connections=max_connections
        ),
        trust_env=False,
        follow_redirects=False,
        timeout=httpx2.Timeout(timeout),
        cookies=nobody,
        headers={"user-agent": USER_AGENT, "accept-encoding": "gzip, deflate"},
    )


async def get(
    client: httpx2.AsyncClient,
    url: str,
    *,
    headers: Mapping[str, str],
    limits: Limits,
    policy: AddressPolicy,
) -> Fetched:
    """Read a page: every hop is checked; only a 2xx or a 304 comes back, the rest is raised."""
    with _translated():
        async with asyncio.timeout(limits.seconds):
            return await _follow(client, url, dict(headers), limits, policy)


async def _follow(
    client: httpx2.AsyncClient,
    url: str,
    headers: dict[str, str],
    limits: Limits,
    policy: AddressPolicy,
) -> Fetched:
    seen: list[str] = []
    # Some sites set a cookie and redirect to themselves; it lives for this one read, by origin.
    cookies: dict[str, dict[str, str]] = {}
    while True:
        check_url(url, policy)
        here = origin(url)
        sent = dict(headers)
        if jar := cookies.get(here):
            sent["cookie"] = "; ".join(f"{name}={value}" for name, value in jar.items())
        response = await client.send(client.build_request("GET", url, headers=sent), stream=True)
        try:
            target = response.headers.get("location")
            if response.status_code not in REDIRECTS or not target:
                raise_for_page_status(response.status_code, response.headers)
                body = await _read(response, limits)
                return Fetched(response.status_code, url, _lower(response), body, tuple(seen))
            _keep_cookies(response, cookies.setdefault(here, {}))
        finally:
            await response.aclose()
        seen.append(url)
        if len(seen) > limits.max_redirects:
            raise errors.Unreadable(f"The page redirects more than {limits.max_redirects} times.")
        url = str(httpx2.URL(url).join(target).copy_with(fragment=None))
        check_url(url, policy)
        if origin(url) != here:
            headers = {k: v for k, v in headers.items() if k.lower() not in _PRIVATE_HEADERS}


async def request(
    client: httpx2.AsyncClient,
    method: str,
    url: str,
    *,
    headers: Mapping[str, str],
    limits: Limits,
    content: bytes | None = None,
) -> Replied:
    """One API exchange: no redirect is followed, any status comes back."""
    with _translated():
        async with asyncio.timeout(limits.seconds):
            built = client.build_request(method, url, headers=dict(headers), content=content)
            response = await client.send(built, stream=True)
            try:
                body = await _read(response, limits)
            finally:
                await response.aclose()
            return Replied(response.status_code, _lower(response), body)


async def post_json(
    client: httpx2.AsyncClient,
    url: str,
    body: JsonObject | bytes,
    headers: Mapping[str, str],
    limits: Limits,
) -> Replied:
    """POST a JSON object, or bytes that already are one."""
    content = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
    sent = {"content-type": "application/json", "accept": "application/json", **headers}
    return await request(client, "POST", url, headers=sent, limits=limits, content=content)


class _Body:
    """Collects a body under both caps; inflates in small steps, so a bomb never unfolds."""

    def __init__(self, coding: str, limits: Limits) -> None:
        self._limits = limits
        self._wire = 0
        self._data = bytearray()
        self._gzip = coding in ("gzip", "x-gzip")
        if not self._gzip and coding not in ("", "identity", "deflate"):
            raise errors.Unreadable(f"The answer is encoded as '{coding[:40]}'.")
        self._plain = coding in ("", "identity")
        self._inflater = zlib.decompressobj(zlib.MAX_WBITS | 16 if self._gzip else zlib.MAX_WBITS)

    def feed(self, chunk: bytes) -> None:
        self._wire += len(chunk)
        if self._wire > self._limits.max_bytes_wire:
            raise errors.TooLarge(f"The answer is over {self._limits.max_bytes_wire} bytes.")
        if self._plain:
            self._add(chunk)
            return
        try:
            self._inflate(chunk)
        except zlib.error as error:
            if self._gzip or self._data or self._wire != len(chunk):
                raise errors.Malformed("The compressed answer is damaged.") from error
            # Some servers send raw deflate although the standard asks for zlib's frame.
            self._inflater = zlib.decompressobj(-zlib.MAX_WBITS)
            try:
                self._inflate(chunk)
            except zlib.error as again:
                raise errors.Malformed("The compressed answer is damaged.") from again

    def _inflate(self, data: bytes) -> None:
        while True:
            out = self._inflater.decompress(data, _INFLATE_STEP)
            self._add(out)
            if self._inflater.eof:
                data = self._inflater.unused_data
                if not (self._gzip and data.startswith(b"\x1f\x8b")):
                    return
                self._inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)  # the next member
                continue
            data = self._inflater.unconsumed_tail
            if not data and len(out) < _INFLATE_STEP:
                return

    def _add(self, data: bytes) -> None:
        if len(self._data) + len(data) > self._limits.max_bytes_decoded:
            raise errors.TooLarge(
                f"The answer unpacks to more than {self._limits.max_bytes_decoded} bytes."
            )
        self._data += data

    def close(self) -> bytes:
        if not self._plain and self._wire and not self._inflater.eof:
            raise errors.NetworkDown("The answer was cut off.")
        return bytes(self._data)


async def _read(response: httpx2.Response, limits: Limits) -> bytes:
    length = response.headers.get("content-length", "")
    if length.isdigit() and int(length) > limits.max_bytes_wire:
        raise errors.TooLarge(f"The answer is over {limits.max_bytes_wire} bytes.")
    body = _Body(response.headers.get("content-encoding", "").strip().lower(), limits)
    async for chunk in response.aiter_raw():
        body.feed(chunk)
    return body.close()


def _lower(response: httpx2.Response) -> dict[str, str]:
    return {name.lower(): value for name, value in response.headers.items()}


def _keep_cookies(response: httpx2.Response, jar: dict[str, str]) -> None:
    for line in response.headers.get_list("set-cookie"):
        name, found, value = line.split(";", 1)[0].partition("=")
        if found and name.strip() and len(jar) < 20:
            jar[name.strip()] = value.strip()[:4096]


@contextlib.contextmanager
def _translated() -> Generator[None]:
    try:
        yield
    except (httpx2.TimeoutException, TimeoutError) as error:
        raise errors.Timeout from error
    except (httpx2.InvalidURL, httpx2.UnsupportedProtocol) as error:
        raise errors.Blocked("The address cannot be used.") from error
    except httpx2.ConnectError as error:
        where = f"{error.request.url.host}:{error.request.url.port or error.request.url.scheme}"
        raise errors.NetworkDown(f"{where} could not be reached: {error}.") from error
    except httpx2.HTTPError as error:
        raise errors.NetworkDown(f"The connection broke: {error}.") from error


__all__ = [
    "USER_AGENT",
    "Fetched",
    "GuardedBackend",
    "GuardedTransport",
    "Limits",
    "Replied",
    "Resolver",
    "build_client",
    "get",
    "post_json",
    "raise_for_api_status",
    "request",
    "resolve",
]
