"""The SSRF guard as a pure function: each form of a private address is refused."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import ForbiddenAddress, Offline, SettingsError
from groundwire.gateway.guard import (
    AddressPolicy,
    check_address,
    check_port,
    check_url,
    embedded,
    networks,
    origin,
)

PUBLIC = AddressPolicy()
LOOPBACK = AddressPolicy(allow_private=networks(["127.0.0.0/8"]))

REFUSED_URLS = [
    # schemes
    "file:///etc/passwd",
    "ftp://example.com/",
    "gopher://example.com/",
    "data:text/html,hi",
    "javascript:alert(1)",
    "//example.com/",
    "example.com",
    "http:example.com",
    "",
    # no host
    "http:///path",
    "http://?x",
    # credentials
    "http://user@example.com/",
    "http://user:secret@example.com/",
    "http://@example.com/",
    "http://:@example.com/",
    "http://example.com@127.0.0.1/",
    # ports
    "http://example.com:22/",
    "http://example.com:8080/",
    "https://example.com:6379/",
    "http://example.com:0/",
    "http://example.com:99999/",
    # private, loopback, link-local, CGNAT, multicast, reserved, unspecified, documentation
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.1.1/",
    "http://127.0.0.1/",
    "http://127.8.8.8/",
    "http://169.254.1.1/",
    "http://100.64.0.1/",
    "http://224.0.0.1/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "http://0.0.0.0/",
    "http://192.0.2.1/",
    "http://198.51.100.1/",
    "http://203.0.113.1/",
    "http://198.18.0.1/",
    # disguised IPv4
    "http://2130706433/",
    "http://017700000001/",
    "http://0177.0.0.1/",
    "http://0x7f000001/",
    "http://0x7f.0.0.1/",
    "http://0x7F.1/",
    "http://127.1/",
    "http://127.0.1/",
    "http://0/",
    "http://1.2.3/",
    "http://08.8.8.8/",
    "http://127.0.0.1./",
    "http://256.1.1.1/",
    "http://127%2e0%2e0%2e1/",
    "http://%31%32%37.0.0.1/",
    "http://１２７.0.0.1/",
    "http://①②⑦.⓪.⓪.①/",
    "http://127。0。0。1/",
    "http://127．0．0．1/",
    "http://٠.0.0.1/",
    "http://ⓛocalhost/",
    "http://example。com/",
    # IPv6
    "http://[::1]/",
    "http://[::]/",
    "http://[fe80::1]/",
    "http://[fe80::1%25eth0]/",
    "http://[fe80::1%eth0]/",
    "http://[2606:4700::1111%25eth0]/",
    "http://[fc00::1]/",
    "http://[fec0::1]/",
    "http://[ff02::1]/",
    "http://[2001:db8::1]/",
    "http://[3fff::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::ffff:8.8.8.8]/",
    "http://[::127.0.0.1]/",
    "http://[::ffff:0:127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[64:ff9b::808:808]/",
    "http://[64:ff9b:1::a00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
    "http://[2a00:1450::5efe:7f00:1]/",
    "http://[127.0.0.1]/",
    # names
    "http://localhost/",
    "http://LOCALHOST/",
    "http://localhost./",
    "http://a.localhost/",
    "http://printer.local/",
    "http://db.internal/",
    "http://host.docker.internal/",
    "http://router.lan/",
    "http://kubernetes.default.svc/",
    "http://api.prod.svc.cluster/",
    "http://db.service.consul/",
    "http://nas.home.arpa/",
    "http://intranet/",
    "http://kubernetes/",
    "http://example.com./",
    "http://exa_mple..com/",
    "http://-bad.com/",
    "http://exa mple.com/",
    # metadata services
    "http://metadata.google.internal/computeMetadata/v1/",
    "http://metadata/",
    "http://instance-data/latest/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/",
    "http://100.100.100.200/",
    "http://169.254.170.2/",
    # parser differentials
    "http://example.com\\@127.0.0.1/",
    "http://127.0.0.1\\.example.com/",
    "http://example.com\t/",
    "http://example.com/\r\nHost: x",
]


@pytest.mark.parametrize("url", REFUSED_URLS)
def test_refused_by_spelling(url: str) -> None:
    with pytest.raises(ForbiddenAddress) as caught:
        check_url(url, PUBLIC)
    assert caught.value.message.endswith(".")
    assert caught.value.message.count("\n") == 0


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com",
        "https://example.com:443/a?b=c#d",
        "http://example.com:443/",
        "HTTPS://Example.COM/",
        "https://8.8.8.8/",
        "https://[2606:4700:4700::1111]/",
        "https://例子.中国/新闻",
        "https://xn--fsqu00a.xn--fiqs8s/",
        "https://münchen.de/",
        "https://a_b.example.com/",
        "https://example.com/?u=http://127.0.0.1/",
        "https://example.com/a@b",
        "https://localhost.example.com/",
        "https://3com.com/",
    ],
)
def test_the_public_web_is_allowed(url: str) -> None:
    assert not check_url(url, PUBLIC)


@pytest.mark.parametrize("url", ["http://127.0.0.1:8080/", "http://127.9.9.9/"])
def test_allow_private_opens_its_network_on_any_port(url: str) -> None:
    assert not check_url(url, LOOPBACK)
    with pytest.raises(ForbiddenAddress):
        check_url(url.replace("127.", "10."), LOOPBACK)


def test_with_allow_private_a_local_name_is_decided_by_its_address() -> None:
    assert not check_url("http://localhost:8080/", LOOPBACK)
    check_port(8080, [ipaddress.ip_address("127.0.0.1")], LOOPBACK)
    with pytest.raises(ForbiddenAddress):
        check_port(8080, [ipaddress.ip_address("93.184.216.34")], LOOPBACK)


@pytest.mark.parametrize(
    "url",
    [
        "http://metadata.google.internal/",
        "http://169.254.169.254/",
        "http://[::ffff:127.0.0.1]/",
        "http://2130706433/",
        "http://127.1/",
    ],
)
def test_allow_private_opens_no_disguise_and_no_metadata_service(url: str) -> None:
    everything = AddressPolicy(allow_private=networks(["127.0.0.0/8", "169.254.0.0/16"]))
    with pytest.raises(ForbiddenAddress):
        check_url(url, everything)


def test_an_allowed_nat64_prefix_still_checks_the_address_inside() -> None:
    policy = AddressPolicy(allow_private=networks(["64:ff9b::/96"]))
    assert check_address("64:ff9b::808:808", policy)
    with pytest.raises(ForbiddenAddress):
        check_address("64:ff9b::7f00:1", policy)


def test_a_trusted_origin_is_exact() -> None:
    policy = AddressPolicy(trusted_origins=frozenset({"http://127.0.0.1:11434/v1"}))
    assert check_url("http://127.0.0.1:11434/api/chat", policy)
    for other in (
        "https://127.0.0.1:11434/",
        "http://127.0.0.1:11435/",
        "http://127.0.0.1/",
        "http://127.0.0.2:11434/",
        "http://localhost:11434/",
        "http://user@127.0.0.1:11434/",
    ):
        with pytest.raises(ForbiddenAddress):
            check_url(other, policy)


def test_a_trusted_name_keeps_its_scheme_and_port() -> None:
    policy = AddressPolicy(trusted_origins=frozenset({"http://ollama"}))
    assert check_url("http://OLLAMA:80/", policy)
    with pytest.raises(ForbiddenAddress):
        check_url("https://ollama/", policy)


def test_extra_ports_are_opened_by_listing_them() -> None:
    policy = AddressPolicy(ports=frozenset({80, 443, 8443}))
    assert not check_url("https://example.com:8443/", policy)
    with pytest.raises(ForbiddenAddress):
        check_url("https://example.com:8080/", policy)


def test_offline_refuses_everything_even_what_is_trusted() -> None:
    policy = AddressPolicy(trusted_origins=frozenset({"http://127.0.0.1:1"}), offline=True)
    for url in ("http://127.0.0.1:1/", "https://example.com/"):
        with pytest.raises(Offline):
            check_url(url, policy)


@given(st.ip_addresses(v=4))
def test_an_address_in_ipv6_clothes_is_never_accepted(inner: ipaddress.IPv4Address) -> None:
    value = int(inner)
    clothes = [
        ipaddress.IPv6Address((0xFFFF << 32) | value),
        ipaddress.IPv6Address((0xFFFF0000 << 32) | value),
        ipaddress.IPv6Address((0x0064FF9B << 96) | value),
        ipaddress.IPv6Address((0x0064FF9B0001 << 80) | value),
        ipaddress.IPv6Address((0x2002 << 112) | (value << 80)),
    ]
    for ip in clothes:
        assert embedded(ip) == inner
        with pytest.raises(ForbiddenAddress):
            check_address(ip, PUBLIC)


@given(st.ip_addresses())
def test_what_is_accepted_is_global(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    try:
        check_address(ip, PUBLIC)
    except ForbiddenAddress:
        return
    assert ip.is_global
    assert not (ip.is_private or ip.is_loopback or ip.is_link_local or ip.is_multicast)


@given(st.text(max_size=60))
def test_any_text_is_accepted_or_refused_never_a_crash(text: str) -> None:
    for url in (text, f"http://{text}/"):
        try:
            check_url(url, PUBLIC)
        except ForbiddenAddress:
            continue


def test_an_origin_has_one_spelling() -> None:
    assert origin("HTTP://Example.com/x") == "http://example.com:80"
    assert origin("https://[2606:4700::1]:8443/") == "https://[2606:4700::1]:8443"


def test_a_network_that_is_none_is_a_settings_error() -> None:
    with pytest.raises(SettingsError, match="is not a network"):
        networks(["10.0.0.1/8"])
