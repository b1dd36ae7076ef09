"""The guarded transport against real loopback servers."""

from __future__ import annotations

import asyncio
import gzip
import socket
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import httpcore2
import httpx2
import pytest

from groundwire import errors
from groundwire.gateway import transport
from groundwire.gateway.guard import AddressPolicy, networks
from groundwire.gateway.retry import wait_for
from groundwire.gateway.status import raise_for_api_status, raise_for_page_status, retry_after
from groundwire.gateway.transport import (
    Fetched,
    Limits,
    Resolver,
    build_client,
    get,
    post_json,
    resolve,
)

LOOPBACK = AddressPolicy(allow_private=networks(["127.0.0.0/8"]))
SMALL = Limits(max_bytes_wire=100_000, max_bytes_decoded=200_000, max_redirects=3, seconds=60)

Handler = Callable[["HttpRequest", asyncio.StreamWriter], Awaitable[None]]


@dataclass
class HttpRequest:
    method: str
    target: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Server:
    """A one-function HTTP/1.1 server that records its requests."""

    handler: Handler
    port: int = 0
    requests: list[HttpRequest] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            method, target, _ = head[0].split(" ", 2)
            headers = {k.lower(): v.strip() for k, _, v in (h.partition(":") for h in head[1:])}
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            request = HttpRequest(method, target, headers, body)
            self.requests.append(request)
            await self.handler(request, writer)
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def serving(handler: Handler) -> AsyncIterator[Server]:
    server = Server(handler)
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listener.close()


def answer(status: str, body: bytes = b"", *headers: str, length: int | None = None) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}"]
    return "\r\n".join([*lines, *headers, "Connection: close", "", ""]).encode() + body


def replying(raw: bytes) -> Handler:
    async def handler(_request: HttpRequest, writer: asyncio.StreamWriter) -> None:
        writer.write(raw)

    return handler


def by_path(table: dict[str, bytes]) -> Handler:
    async def handler(request: HttpRequest, writer: asyncio.StreamWriter) -> None:
        writer.write(table[request.target.partition("?")[0]])

    return handler


class Names:
    """A resolver with given answers that records the names it was asked for."""

    def __init__(self, **answers: list[list[str]]) -> None:
        self.answers = {name.replace("_", "."): lists for name, lists in answers.items()}
        self.lookups: list[str] = []

    async def __call__(self, host: str, port: int) -> list[str]:
        self.lookups.append(host)
        lists = self.answers[host]
        return lists.pop(0) if len(lists) > 1 else lists[0]


async def read(
    url: str,
    policy: AddressPolicy = LOOPBACK,
    *,
    resolver: Resolver = resolve,
    limits: Limits = SMALL,
    headers: dict[str, str] | None = None,
) -> Fetched:
    async with build_client(policy, resolver=resolver, timeout=60) as client:
        return await get(client, url, headers=headers or {}, limits=limits, policy=policy)


async def test_a_page_is_read() -> None:
    async with serving(replying(answer("200 OK", b"hello", "X-Thing: One"))) as server:
        page = await read(f"{server.url}/a?b=c")
    assert (page.status, page.body) == (200, b"hello")
    assert page.headers["x-thing"] == "One"
    assert server.requests[0].target == "/a?b=c"
    assert server.requests[0].headers["host"] == f"127.0.0.1:{server.port}"


async def test_without_allow_private_loopback_is_not_even_connected_to() -> None:
    async with serving(replying(answer("200 OK"))) as server:
        with pytest.raises(errors.ForbiddenAddress):
            await read(server.url, AddressPolicy(ports=frozenset({server.port})))
    assert server.requests == []


async def test_the_client_itself_refuses_so_a_vendor_library_cannot_go_round_the_guard() -> None:
    async with build_client(AddressPolicy()) as client:
        for url in ("http://127.0.0.1/", "http://169.254.169.254/", "http://localhost/"):
            with pytest.raises(errors.ForbiddenAddress):
                await client.get(url)


@pytest.mark.parametrize(
    "location",
    [
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "http://2130706433/",
        "http://user:pw@127.0.0.1/",
        "file:///etc/passwd",
        "//192.168.0.1/",
        "http://metadata.google.internal/",
        "http://[::ffff:127.0.0.1]/",
    ],
)
async def test_a_redirect_to_a_refused_address_is_refused(location: str) -> None:
    async with serving(replying(answer("302 Found", b"", f"Location: {location}"))) as server:
        with pytest.raises(errors.ForbiddenAddress):
            await read(server.url)
    assert len(server.requests) == 1


async def test_a_redirect_to_a_name_with_a_private_address_is_refused() -> None:
    names = Names(evil_example_com=[["10.0.0.7"]])
    raw = answer("302 Found", b"", "Location: http://evil.example.com/")
    async with serving(replying(raw)) as server:
        names.answers["127.0.0.1"] = [["127.0.0.1"]]
        with pytest.raises(errors.ForbiddenAddress):
            await read(server.url, resolver=names)


@pytest.mark.parametrize(
    "addresses",
    [
        ["93.184.216.34", "127.0.0.1"],
        ["2606:4700::1111", "::1"],
        ["93.184.216.34", "::ffff:10.0.0.1"],
        ["93.184.216.34", "169.254.169.254"],
        ["93.184.216.34", "fe80::1%eth0"],
        ["0.0.0.0"],
        ["not an address"],
    ],
)
async def test_one_private_address_among_public_ones_refuses_the_name(addresses: list[str]) -> None:
    names = Names(www_example_com=[addresses])
    with pytest.raises(errors.ForbiddenAddress):
        await read("http://www.example.com/", AddressPolicy(), resolver=names)


async def test_rebinding_finds_no_second_look_up() -> None:
    """The name answers 127.0.0.1 once and a private address ever after; one look-up is made."""
    names = Names(www_example_com=[["127.0.0.1"], ["10.0.0.1"]])
    async with serving(replying(answer("200 OK", b"first"))) as server:
        page = await read(f"http://www.example.com:{server.port}/", resolver=names)
    assert page.body == b"first"
    assert names.lookups == ["www.example.com"]
    assert server.requests[0].headers["host"] == f"www.example.com:{server.port}"


async def test_a_later_connection_is_checked_again() -> None:
    names = Names(www_example_com=[["127.0.0.1"], ["10.0.0.1"]])
    async with (
        serving(replying(answer("200 OK", b"first"))) as server,
        build_client(LOOPBACK, resolver=names) as client,
    ):
        url = f"http://www.example.com:{server.port}/"
        await get(client, url, headers={}, limits=SMALL, policy=LOOPBACK)
        with pytest.raises(errors.ForbiddenAddress):
            await get(client, url, headers={}, limits=SMALL, policy=LOOPBACK)


async def test_an_unlisted_port_on_a_public_address_is_refused_after_resolution() -> None:
    names = Names(www_example_com=[["93.184.216.34"]])
    with pytest.raises(errors.ForbiddenAddress, match="Port 6379"):
        await read("http://www.example.com:6379/", LOOPBACK, resolver=names)


async def test_a_dead_address_gives_way_to_the_next() -> None:
    names = Names(www_example_com=[["127.0.0.9", "127.0.0.1"]])
    async with serving(replying(answer("200 OK", b"second"))) as server:
        page = await read(f"http://www.example.com:{server.port}/", resolver=names)
    assert page.body == b"second"


async def test_a_trusted_origin_may_be_private_but_only_that_origin() -> None:
    hop = answer("302 Found", b"", "Location: http://127.0.0.1:1/")
    async with serving(by_path({"/": answer("200 OK", b"mine"), "/hop": hop})) as server:
        policy = AddressPolicy(trusted_origins=frozenset({server.url}))
        assert (await read(f"{server.url}/", policy)).body == b"mine"
        with pytest.raises(errors.ForbiddenAddress):
            await read(f"{server.url}/hop", policy)


async def test_a_trusted_name_lends_its_trust_to_no_other_scheme() -> None:
    names = Names(box_example_com=[["127.0.0.1"]])
    policy = AddressPolicy(trusted_origins=frozenset({"http://box.example.com:443"}))
    with pytest.raises(errors.ForbiddenAddress):
        await read("https://box.example.com:443/", policy, resolver=names)


async def test_proxy_variables_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    async with (
        serving(replying(answer("200 OK", b"through a proxy"))) as proxy,
        serving(replying(answer("200 OK", b"direct"))) as server,
    ):
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.setenv("NO_PROXY", "")
        assert (await read(server.url)).body == b"direct"
    assert proxy.requests == []


async def test_offline_makes_no_attempt() -> None:
    names = Names()
    policy = AddressPolicy(allow_private=LOOPBACK.allow_private, offline=True)
    async with serving(replying(answer("200 OK"))) as server:
        with pytest.raises(errors.Offline):
            await read(server.url, policy, resolver=names)
        async with build_client(policy, resolver=names) as client:
            with pytest.raises(errors.Offline):
                await client.get("http://www.example.com/")
            with pytest.raises(errors.Offline):
                await post_json(client, server.url, {}, {}, SMALL)
    assert server.requests == []
    assert names.lookups == []


async def test_redirects_are_followed_and_counted() -> None:
    table = {
        "/a": answer("301 Moved", b"", "Location: /b"),
        "/b": answer("302 Found", b"", "Location: c?x=1#part"),
        "/c": answer("200 OK", b"end"),
        "/loop": answer("302 Found", b"", "Location: /loop"),
    }
    async with serving(by_path(table)) as server:
        page = await read(f"{server.url}/a")
        assert page.url == f"{server.url}/c?x=1"
        with pytest.raises(errors.Unreadable, match="redirects more than 3 times"):
            await read(f"{server.url}/loop")


async def test_secrets_are_not_carried_to_another_origin() -> None:
    async with serving(replying(answer("200 OK", b"end"))) as second:
        raw = answer("302 Found", b"", f"Location: {second.url}/x", "Set-Cookie: sid=1; Path=/")
        async with serving(replying(raw)) as first:
            sent = {"Authorization": "Bearer t", "Cookie": "a=b", "X-Api-Key": "k", "X-Keep": "1"}
            await read(first.url, headers=sent)
    assert first.requests[0].headers["authorization"] == "Bearer t"
    assert not {"authorization", "cookie", "x-api-key"} & second.requests[0].headers.keys()
    assert second.requests[0].headers["x-keep"] == "1"


async def test_a_cookie_lives_for_one_read_of_one_origin() -> None:
    async def handler(request: HttpRequest, writer: asyncio.StreamWriter) -> None:
        if "sid=7" in request.headers.get("cookie", ""):
            writer.write(answer("200 OK", b"let in"))
        else:
            writer.write(answer("302 Found", b"", "Location: /", "Set-Cookie: sid=7; HttpOnly"))

    async with serving(handler) as server, build_client(LOOPBACK) as client:
        for _ in range(2):
            page = await get(client, f"{server.url}/", headers={}, limits=SMALL, policy=LOOPBACK)
            assert page.body == b"let in"
    assert ["cookie" in each.headers for each in server.requests] == [False, True, False, True]


def packed(coding: str, data: bytes) -> bytes:
    if coding == "gzip":
        return gzip.compress(data)
    if coding == "raw":
        squeezer = zlib.compressobj(wbits=-15)
        return squeezer.compress(data) + squeezer.flush()
    return zlib.compress(data)


@pytest.mark.parametrize(
    ("coding", "name"), [("gzip", "gzip"), ("zlib", "deflate"), ("raw", "deflate")]
)
async def test_compressed_answers_are_unpacked(coding: str, name: str) -> None:
    body = packed(coding, b"text " * 1000)
    async with serving(replying(answer("200 OK", body, f"Content-Encoding: {name}"))) as server:
        assert (await read(server.url)).body == b"text " * 1000


async def test_two_gzip_members_are_one_body() -> None:
    body = gzip.compress(b"one ") + gzip.compress(b"two")
    async with serving(replying(answer("200 OK", body, "Content-Encoding: gzip"))) as server:
        assert (await read(server.url)).body == b"one two"


@pytest.mark.parametrize(
    ("coding", "name"), [("gzip", "gzip"), ("zlib", "deflate"), ("raw", "deflate")]
)
async def test_a_decompression_bomb_is_refused(coding: str, name: str) -> None:
    body = packed(coding, bytes(50_000_000))
    assert len(body) < SMALL.max_bytes_wire
    async with serving(replying(answer("200 OK", body, f"Content-Encoding: {name}"))) as server:
        with pytest.raises(errors.TooLarge):
            await read(server.url)


async def test_nested_codings_are_refused() -> None:
    body = gzip.compress(gzip.compress(b"x"))
    async with serving(replying(answer("200 OK", body, "Content-Encoding: gzip, gzip"))) as server:
        with pytest.raises(errors.Unreadable):
            await read(server.url)


@pytest.mark.parametrize("declared", [True, False])
async def test_a_large_answer_is_refused_by_its_length_or_while_reading(declared: bool) -> None:
    body = b"x" * 300_000
    head = f"Content-Length: {len(body)}\r\n" if declared else ""
    raw = f"HTTP/1.1 200 OK\r\n{head}Connection: close\r\n\r\n".encode() + body
    async with serving(replying(raw)) as server:
        with pytest.raises(errors.TooLarge):
            await read(server.url)


async def test_damaged_compression_is_malformed() -> None:
    raw = answer("200 OK", b"this is no gzip at all", "Content-Encoding: gzip")
    async with serving(replying(raw)) as server:
        with pytest.raises(errors.Malformed):
            await read(server.url)


@pytest.mark.parametrize(
    "raw",
    [
        answer("200 OK", b"half", length=1000),
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhalf",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
        + gzip.compress(b"x" * 5000, mtime=0)[:-12],
        b"HTTP/1.1 200 O",
        b"",
        b"SSH-2.0-OpenSSH\r\n",
    ],
)
async def test_an_answer_cut_off_is_a_network_failure(raw: bytes) -> None:
    async with serving(replying(raw)) as server:
        with pytest.raises(errors.NetworkDown):
            await read(server.url)


async def test_a_dripping_server_meets_the_total_deadline() -> None:
    async def drip(_request: HttpRequest, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.02)

    async with serving(drip) as server:
        with pytest.raises(errors.Timeout):
            await read(server.url, limits=Limits(seconds=0.3))


async def test_a_silent_server_is_a_timeout() -> None:
    async def silent(_request: HttpRequest, _writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(2)

    async with serving(silent) as server, build_client(LOOPBACK, timeout=0.2) as client:
        with pytest.raises(errors.Timeout):
            await get(client, server.url, headers={}, limits=SMALL, policy=LOOPBACK)


async def test_nobody_listening_is_a_network_failure() -> None:
    async with serving(replying(b"")) as server:
        port = server.port
    with pytest.raises(errors.NetworkDown):
        await read(f"http://127.0.0.1:{port}/")


async def test_an_unknown_name_is_a_network_failure() -> None:
    async def nobody(host: str, port: int) -> list[str]:
        raise httpcore2.ConnectError("no address")

    with pytest.raises(errors.NetworkDown):
        await read("http://www.example.com/", AddressPolicy(), resolver=nobody)
    with pytest.raises(errors.NetworkDown):
        names = Names(www_example_com=[[]])
        await read("http://www.example.com/", AddressPolicy(), resolver=names)


async def test_a_slow_resolver_is_no_way_to_the_other_side() -> None:
    async def slow(host: str, port: int) -> list[str]:
        await asyncio.sleep(5)
        return ["93.184.216.34"]

    async with build_client(AddressPolicy(), resolver=slow, timeout=0.1) as client:
        with pytest.raises(errors.OutOfReach, match="not resolved in time"):
            await get(
                client, "http://www.example.com/", headers={}, limits=SMALL, policy=AddressPolicy()
            )


PAGE_STATUSES = [
    ("404 Not Found", errors.Missing),
    ("410 Gone", errors.Missing),
    ("401 Unauthorized", errors.Refused),
    ("403 Forbidden", errors.Refused),
    ("418 Teapot", errors.Unreadable),
    ("429 Too Many", errors.RateLimited),
    ("408 Timeout", errors.Timeout),
    ("500 Oops", errors.ServerFault),
    ("503 Busy", errors.ServerFault),
    ("302 Found", errors.Unreadable),  # a redirect that leads nowhere
]


@pytest.mark.parametrize(("status", "kind"), PAGE_STATUSES)
async def test_page_statuses(status: str, kind: type[errors.OutsideFailure]) -> None:
    async with serving(replying(answer(status, b"", "Retry-After: 7"))) as server:
        with pytest.raises(kind) as caught:
            await read(server.url)
    assert caught.value.status == int(status[:3])
    if kind in (errors.RateLimited, errors.ServerFault):
        assert caught.value.retry_after == 7


def test_a_refused_page_says_so() -> None:
    with pytest.raises(errors.Refused, match=r"refused by the site \(403\)"):
        raise_for_page_status(403, {})
    raise_for_page_status(304, {})


API_STATUSES: list[tuple[int, bytes, type[errors.OutsideFailure], str]] = [
    (400, b'{"detail": {"error": "Query is too long."}}', errors.BadRequest, "too long"),
    (401, b"{}", errors.AuthRejected, "tavily: key invalid, set TAVILY_API_KEY."),
    (403, b"", errors.AuthRejected, "set TAVILY_API_KEY"),
    (402, b"", errors.PlanLimit, "402"),
    (404, b'{"error": {"message": "no such model"}}', errors.BadRequest, "no such model"),
    (408, b"", errors.Timeout, "408"),
    (422, b'[{"error": "bad"}]', errors.BadRequest, "bad"),
    (429, b"", errors.RateLimited, "429"),
    (429, b'{"error": {"code": "insufficient_quota"}}', errors.PlanLimit, "429"),
    (
        401,
        b'{"error": {"type": "insufficient_quota", "message": "pay"}}',
        errors.PlanLimit,
        "401: pay",
    ),
    (432, b'{"detail": {"error": "plan limit"}}', errors.PlanLimit, "plan limit"),
    (433, b"", errors.PlanLimit, "433"),
    (500, b"<html>", errors.ServerFault, "500"),
    (529, b"", errors.ServerFault, "529"),
    (302, b"", errors.BadRequest, "no redirect"),
]


@pytest.mark.parametrize(("status", "body", "kind", "expected"), API_STATUSES)
def test_api_statuses(
    status: int, body: bytes, kind: type[errors.OutsideFailure], expected: str
) -> None:
    with pytest.raises(kind, match=expected) as caught:
        raise_for_api_status(status, {}, body, "tavily", "TAVILY_API_KEY")
    assert caught.value.status == status


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize(("headers", "wait"), [({}, 600), ({"retry-after": "2"}, 600)])
def test_a_refusal_where_there_is_no_key_to_correct_is_a_pause_and_never_tried_again(
    status: int, headers: dict[str, str], wait: float
) -> None:
    with pytest.raises(errors.RateLimited, match="ddgs refuses us") as caught:
        raise_for_api_status(status, headers, b"", "ddgs", "")
    assert caught.value.retry_after == wait
    assert wait_for(caught.value) is False


def test_a_good_api_status_passes() -> None:
    raise_for_api_status(200, {}, b"", "tavily", "TAVILY_API_KEY")


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "12"}, 12.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "99999999"}, 86_400.0),
        (
            {
                "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT",
                "date": "Wed, 21 Oct 2026 07:27:00 GMT",
            },
            60.0,
        ),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
    ],
)
def test_retry_after_is_seconds_or_a_date(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_a_date_is_measured_by_our_clock_where_the_answer_has_none() -> None:
    until = {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}
    assert retry_after(until, lambda: datetime(2026, 10, 21, 7, 27, 30, tzinfo=UTC)) == 30.0


async def test_an_api_call_follows_no_redirect_and_sends_its_json() -> None:
    raw = answer("307 Temporary", b"moved", "Location: http://10.0.0.1/")
    async with serving(replying(raw)) as server, build_client(LOOPBACK) as client:
        reply = await post_json(client, server.url, {"q": "价格"}, {"authorization": "x"}, SMALL)
    assert (reply.status, reply.body) == (307, b"moved")
    assert server.requests[0].method == "POST"
    assert server.requests[0].body == '{"q": "价格"}'.encode()
    assert server.requests[0].headers["content-type"] == "application/json"


async def test_an_api_answer_has_the_same_caps() -> None:
    raw = answer("200 OK", gzip.compress(bytes(10_000_000)), "Content-Encoding: gzip")
    async with serving(replying(raw)) as server, build_client(LOOPBACK) as client:
        with pytest.raises(errors.TooLarge):
            await post_json(client, server.url, {}, {}, SMALL)


async def test_the_guard_sits_in_the_pool_that_httpx2_uses() -> None:
    """Fails when httpx2 renames its private pool: the guard would then be bypassed."""
    plain = httpx2.AsyncHTTPTransport(trust_env=False)
    assert isinstance(plain._pool, httpcore2.AsyncConnectionPool)
    await plain.aclose()
    backend = transport.GuardedBackend(AddressPolicy(), transport.resolve, trusted=False)
    with pytest.raises(errors.ForbiddenAddress):
        await backend.connect_tcp("127.0.0.1", 80)
    with pytest.raises(errors.ForbiddenAddress):
        await backend.connect_unix_socket("/run/docker.sock")


async def test_a_name_that_the_system_does_not_know_is_not_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def getaddrinfo(*_args: object, **_named: object) -> list[object]:
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", getaddrinfo)
    with pytest.raises(errors.OutOfReach) as failure:
        await read("http://www.example.com/", AddressPolicy())
    assert (failure.value.code, failure.value.retryable) == ("network", False)


async def test_the_resolvers_not_now_is_asked_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    lookups: list[str] = []

    async def getaddrinfo(host: str, *_args: object, **_named: object) -> list[object]:
        lookups.append(host)
        if len(lookups) == 1:
            raise socket.gaierror(socket.EAI_AGAIN, "not now")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 80))]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", getaddrinfo)
    assert await transport.resolve("www.example.com", 80) == ["93.184.216.34"]


async def test_the_systems_resolver_gives_addresses() -> None:
    assert await transport.resolve("127.0.0.1", 80) == ["127.0.0.1"]
    with pytest.raises(httpcore2.ConnectError):
        await transport.resolve("name.invalid", 80)
