"""Through a proxy of the user's own the guard holds as it does without: real loopback servers."""

from __future__ import annotations

import base64

import pytest
from tests.gateway.test_transport import answer, replying, serving
from tests.proxies import proxying

from groundwire import errors
from groundwire.gateway.guard import AddressPolicy
from groundwire.gateway.transport import Fetched, Limits, Resolver, build_client, get
from groundwire.gateway.tunnel import Proxy

SMALL = Limits(max_bytes_wire=100_000, max_bytes_decoded=200_000, max_redirects=3, seconds=20)
PUBLIC = "93.184.216.34"
STRICT = AddressPolicy()


def names(**known: str) -> Resolver:
    async def resolver(host: str, port: int) -> list[str]:
        del port
        return [known[host.partition(".")[0]]]

    return resolver


async def read(url: str, proxy: str, resolver: Resolver) -> Fetched:
    async with build_client(STRICT, resolver=resolver, proxy=Proxy.of(proxy)) as client:
        return await get(client, url, headers={}, limits=SMALL, policy=STRICT)


async def test_the_proxy_is_led_to_the_address_that_was_checked_and_hears_no_name() -> None:
    async with (
        serving(replying(answer("200 OK", b"a page"))) as site,
        proxying(to=site.port) as proxy,
    ):
        found = await read("http://news.example.com/a", proxy.url, names(news=PUBLIC))
    assert found.body == b"a page"
    assert proxy.targets == [f"{PUBLIC}:80"]
    assert "news.example" not in proxy.heads[0]
    assert site.requests[0].headers["host"] == "news.example.com"


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.0.0.5", "169.254.169.254", "::1", "::ffff:10.0.0.5"]
)
async def test_a_name_that_leads_inside_is_refused_before_the_proxy_is_asked(address: str) -> None:
    async with proxying() as proxy:
        with pytest.raises(errors.ForbiddenAddress):
            await read("http://inside.example.com/", proxy.url, names(inside=address))
        with pytest.raises(errors.ForbiddenAddress):
            await read("http://10.0.0.5/", proxy.url, names())
    assert proxy.targets == []


async def test_every_hop_is_checked() -> None:
    moved = answer("302 Found", b"", "Location: http://inside.example.com/")
    async with serving(replying(moved)) as site, proxying(to=site.port) as proxy:
        with pytest.raises(errors.ForbiddenAddress):
            known = names(news=PUBLIC, inside="192.168.1.1")
            await read("http://news.example.com/", proxy.url, known)
    assert proxy.targets == [f"{PUBLIC}:80"]


async def test_the_password_goes_to_the_proxy_and_nowhere_else() -> None:
    async with serving(replying(answer("200 OK", b"x"))) as site, proxying(to=site.port) as proxy:
        url = proxy.url.replace("//", "//ada:s%40cret@")
        await read("http://news.example.com/", url, names(news=PUBLIC))
    sent = base64.b64encode(b"ada:s@cret").decode()
    assert f"Proxy-Authorization: Basic {sent}" in proxy.heads[0]
    assert "proxy-authorization" not in site.requests[0].headers


@pytest.mark.parametrize(
    ("status", "failure"), [(407, errors.AuthRejected), (403, errors.NetworkDown)]
)
async def test_a_proxy_that_refuses_is_a_named_failure(
    status: int, failure: type[errors.OutsideFailure]
) -> None:
    async with proxying(status=status) as proxy:
        with pytest.raises(failure):
            await read("http://news.example.com/", proxy.url, names(news=PUBLIC))


async def test_a_proxy_that_is_down_is_a_named_failure() -> None:
    async with proxying() as proxy:
        gone = proxy.url
    with pytest.raises(errors.NetworkDown):
        await read("http://news.example.com/", gone, names(news=PUBLIC))


async def test_offline_asks_no_proxy() -> None:
    policy = AddressPolicy(offline=True)
    async with (
        proxying() as proxy,
        build_client(policy, proxy=Proxy.of(proxy.url)) as client,
    ):
        with pytest.raises(errors.Offline):
            await get(client, "http://a.example/", headers={}, limits=SMALL, policy=policy)
    assert proxy.targets == []
