"""The SSRF guard: which URLs and addresses may be requested; pure, no network."""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

import httpx2

from groundwire.errors import ForbiddenAddress, Offline, SettingsError

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

DEFAULT_PORTS = {"http": 80, "https": 443}

# Never requested, whatever they resolve to: they hand out the machine's credentials.
METADATA_NAMES = frozenset({"metadata", "instance-data", "instance-data.ec2.internal"})
# Names that mean this machine or this network; with `allow_private` the address decides.
LOCAL_SUFFIXES = (
    "localhost", "localdomain", "local", "internal", "intranet", "private", "corp", "home", "lan",
    "home.arpa", "in-addr.arpa", "ip6.arpa", "onion", "invalid", "test", "localnet", "workgroup",
    # Orchestrators: kubernetes.default.svc, consul.service.consul, …
    "svc", "cluster", "pod", "k8s", "consul", "nomad", "docker", "swarm", "lxd",
)  # fmt: skip

_METADATA_ADDRESSES = frozenset(
    ipaddress.ip_address(text)
    for text in ("169.254.169.254", "169.254.170.2", "100.100.100.200", "fd00:ec2::254")
)
# `is_global` of the standard library differs between patch versions, so the nets are listed too.
_REFUSED_NETS: tuple[Network, ...] = tuple(
    ipaddress.ip_network(text)
    for text in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
        "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24",
        "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15",
        "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        "::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48",
        "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16",
        "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
    )
)  # fmt: skip

_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NUMERIC_LABEL = re.compile(r"[0-9]+|0x[0-9a-f]*")
_AUTHORITY = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*://([^/?#]*)")


def origin(url: str) -> str:
    """Return `scheme://host:port` of a URL, in one spelling."""
    parsed = _parse(url)
    host = parsed.raw_host.decode("ascii").lower()
    port = parsed.port if parsed.port is not None else DEFAULT_PORTS[parsed.scheme]
    return f"{parsed.scheme}://{f'[{host}]' if ':' in host else host}:{port}"


@dataclass(frozen=True)
class AddressPolicy:
    """What may be requested beyond the public web on ports 80 and 443."""

    allow_private: tuple[Network, ...] = ()
    trusted_origins: frozenset[str] = frozenset()
    ports: frozenset[int] = frozenset({80, 443})
    offline: bool = False
    _trusted: frozenset[str] = field(init=False, repr=False, compare=False, default=frozenset())

    def __post_init__(self) -> None:
        object.__setattr__(self, "_trusted", frozenset(origin(url) for url in self.trusted_origins))

    def trusts(self, url: str) -> bool:
        """Tell whether a URL's exact origin is one that the user configured; it may be private."""
        return bool(self._trusted) and origin(url) in self._trusted

    def covers(self, address: Address) -> bool:
        """Tell whether the address lies in a private network that the user allowed."""
        return any(net.version == address.version and address in net for net in self.allow_private)


def networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Parse networks as settings write them: `127.0.0.0/8`."""
    found: list[Network] = []
    for text in texts:
        try:
            found.append(ipaddress.ip_network(text.strip()))
        except ValueError as error:
            raise SettingsError("error.no_network", text=text) from error
    return tuple(found)


def check_url(url: str, policy: AddressPolicy) -> bool:
    """Refuse a URL by its spelling alone; names are checked again by address.

    Return whether its origin is one that the user trusts.
    """
    if policy.offline:
        raise Offline
    parsed = _parse(url)
    host = parsed.raw_host.decode("ascii").lower()
    port = parsed.port if parsed.port is not None else DEFAULT_PORTS[parsed.scheme]
    if not 0 < port < 65536:
        raise ForbiddenAddress("outside.port_none", port=port)
    if policy.trusts(url):
        return True
    literal = _literal(host)
    if literal is not None:
        check_address(literal, policy)
        check_port(port, (literal,), policy)
    else:
        _check_name(host, policy)
        if not policy.allow_private:  # otherwise the addresses decide, once they are known
            check_port(port, (), policy)
    return False


def check_port(port: int, addresses: Iterable[Address], policy: AddressPolicy) -> None:
    """Refuse all ports but 80, 443 and those listed, unless every address is in an allowed network."""
    if port in policy.ports:
        return
    found = tuple(addresses)
    if not found or not all(policy.covers(address) for address in found):
        raise ForbiddenAddress("outside.port", port=port, hint="hint.see_ports")


def check_address(address: Address | str, policy: AddressPolicy) -> Address:
    """Refuse every address that is not global, and every form that carries another one."""
    ip = _address(address)
    if ip in _METADATA_ADDRESSES:
        raise ForbiddenAddress("outside.metadata_service", host=ip)
    inner = embedded(ip)
    if inner is not None:
        # The allowed form still has to lead to an allowed address.
        if not policy.covers(ip):
            raise ForbiddenAddress("outside.hidden", host=ip, inner=inner)
        check_address(inner, policy)
        return ip
    if policy.covers(ip):
        return ip
    refused = any(net.version == ip.version and ip in net for net in _REFUSED_NETS)
    if refused or not ip.is_global or ip.is_multicast or ip.is_reserved:
        raise ForbiddenAddress("outside.not_public", host=ip, hint="hint.see_private")
    return ip


def embedded(ip: Address) -> ipaddress.IPv4Address | None:
    """Extract the IPv4 address from a mapped, translated, NAT64, 6to4, Teredo or compatible form."""
    if isinstance(ip, ipaddress.IPv4Address):
        return None
    if ip.sixtofour is not None:
        return ip.sixtofour
    if ip.teredo is not None:
        return ip.teredo[1]
    value = int(ip)
    high = value >> 32
    low = ipaddress.IPv4Address(value & 0xFFFFFFFF)
    if high == 0 and value > 0xFFFF:  # ::a.b.c.d; `::` and `::1` are addresses of their own
        return low
    # ::ffff:0:0/96 mapped, ::ffff:0:0:0/96 translated, 64:ff9b::/96 NAT64
    if high in (0xFFFF, 0xFFFF0000, 0x0064FF9B0000000000000000):
        return low
    if value >> 80 == 0x0064FF9B0001:  # 64:ff9b:1::/48, local NAT64 (RFC 8215)
        return low
    if (value >> 32) & 0xFFFFFFFF in (0x00005EFE, 0x02005EFE):  # ISATAP
        return low
    return None


def _address(address: Address | str) -> Address:
    if not isinstance(address, str):
        return address
    try:
        ip = ipaddress.ip_address(address)
    except ValueError as error:
        raise ForbiddenAddress("outside.not_address", host=address[:80]) from error
    if isinstance(ip, ipaddress.IPv6Address) and ip.scope_id is not None:
        raise ForbiddenAddress("outside.interface", host=ip)
    return ip


# Cached: a page's address is parsed before each hop, by the transport and for its origin.
@lru_cache(maxsize=1024)
def _parse(url: str) -> httpx2.URL:
    """Parse with the client's own parser, so that what is checked is what is sent."""
    if "\\" in url:
        raise ForbiddenAddress("outside.backslash", url=_shown(url))
    try:
        parsed = httpx2.URL(url)
    except httpx2.InvalidURL as error:
        raise ForbiddenAddress("outside.unusable", url=_shown(url)) from error
    if parsed.scheme not in DEFAULT_PORTS:
        raise ForbiddenAddress("outside.scheme", scheme=parsed.scheme)
    match = _AUTHORITY.match(url)
    authority = match.group(1) if match else ""
    if "@" in authority or parsed.userinfo:
        raise ForbiddenAddress("outside.credentials")
    if not parsed.raw_host:
        raise ForbiddenAddress("outside.no_host", url=_shown(url))
    if "%" in authority:
        raise ForbiddenAddress("outside.percent")
    _check_disguise(authority)
    return parsed


def _shown(url: str) -> str:
    """Make a URL fit for a message: one line, without its query, user name and password."""
    bare = re.sub(r"//[^/]*@", "//", url.partition("?")[0])[:120]
    return "".join(char if char.isprintable() else "?" for char in bare)


def _check_disguise(authority: str) -> None:
    """Refuse characters that other programs normalise into digits, letters or dots."""
    for char in authority:
        if char.isascii():
            continue
        folded = unicodedata.normalize("NFKC", char)
        if (
            folded.isascii()
            or any(c in ".。" for c in folded)
            or unicodedata.decimal(char, None) is not None
        ):
            raise ForbiddenAddress("outside.lookalike", char=char)


def _literal(host: str) -> Address | None:
    """Return the address if the host is one, in its only accepted spelling."""
    if ":" in host:
        return _address(host)
    last = host.rstrip(".").rpartition(".")[2]
    if not _NUMERIC_LABEL.fullmatch(last):
        return None
    # Decimal, octal, hex and short forms: resolvers read them as IPv4, people do not.
    try:
        return ipaddress.IPv4Address(host)
    except ValueError as error:
        raise ForbiddenAddress("outside.disguised", host=host[:80]) from error


def _check_name(host: str, policy: AddressPolicy) -> None:
    if host.endswith("."):
        raise ForbiddenAddress("outside.trailing_dot")
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in host.split(".")):
        raise ForbiddenAddress("outside.not_host", host=host[:80])
    if host in METADATA_NAMES or host.startswith("metadata."):
        raise ForbiddenAddress("outside.metadata_service", host=host)
    if policy.allow_private:
        return
    local = any(host == suffix or host.endswith(f".{suffix}") for suffix in LOCAL_SUFFIXES)
    if local or "." not in host:
        raise ForbiddenAddress("outside.private_name", host=host, hint="hint.see_private")
