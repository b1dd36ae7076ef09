"""Addresses in one form: canonical URLs, hosts, registrable domains; and secrets removed."""

from __future__ import annotations

import ipaddress
import re
from functools import cache, lru_cache
from posixpath import normpath
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from groundwire.errors import InputError
from groundwire.language.text.phrases import patterns

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

_PORTS = {"http": 80, "https": 443}
_patterns = patterns("parameters.txt", "groundwire.evidence.data", flags=re.IGNORECASE)
# Hosts whose mobile form serves the same paths as the plain one; others are left alone
# (www.weibo.cn does not serve what m.weibo.cn does).
_SAME_PATH_MOBILE = frozenset({"wikipedia.org", "youtube.com", "facebook.com"})
_PLAIN = "-._~!$&'()*+,;=:@"
_HOST = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9_-]{1,63}(?<!-))*\Z")


@lru_cache(maxsize=4096)  # a search checks each hit's host against every domain of its list
def _split(url: str) -> tuple[SplitResult, str, int | None]:
    """Split an http(s) URL into parts, host and port; refuse anything else."""
    if re.search(r"[\x00-\x20\x7f]", url.strip()):
        raise InputError("error.no_address", url=url.strip()[:200], hint="hint.address")
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise InputError("error.no_address", url=url.strip()[:200], hint="hint.address") from error
    if parts.scheme.lower() not in _PORTS or not host:
        raise InputError(
            "error.no_address",
            url=re.sub(r"//[^/?#@]*@", "//", url.strip())[:200],  # without its credentials
            hint="hint.address",
        )
    return parts, _plain_host(host), port


@lru_cache(maxsize=4096)
def _plain_host(host: str) -> str:
    """Normalise a host: lower case, IDNA, no trailing dot, IPv6 without brackets."""
    host = host.rstrip(".").lower()
    try:
        if ":" in host:
            return ipaddress.ip_address(host).compressed
        if not host.isascii():
            import idna

            host = idna.encode(host, uts46=True).decode("ascii")
    except ValueError as error:  # IDNAError is one
        raise InputError("error.no_host", host=host[:200]) from error
    if not _HOST.match(host) or len(host) > 253:
        raise InputError("error.no_host", host=host[:200])
    return host


def canonical_url(url: str) -> str:
    """Return the one form of a page's address, without parameters that only track the reader."""
    parts, host, port = _split(url)
    scheme = parts.scheme.lower()
    netloc = _netloc(_desktop(host), None if port == _PORTS[scheme] else port)
    # Without `..`, as every browser requests it; /news/ and /news are one page wherever we looked.
    path = normpath("/" + _encoded(parts.path).lstrip("/"))
    pairs = [
        (name, value)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
        if not _patterns["tracking"].fullmatch(name)
    ]
    query = urlencode(sorted(pairs), quote_via=quote)
    return urlunsplit((scheme, netloc, path, query, ""))


def _netloc(host: str, port: int | None) -> str:
    name = f"[{host}]" if ":" in host else host
    return name if port is None else f"{name}:{port}"


def _desktop(host: str) -> str:
    match = re.fullmatch(r"((?:[a-z-]+\.)?)m\.(.+)", host)
    if match is None or match[2] not in _SAME_PATH_MOBILE:
        return host
    return (match[1] or ("www." if match[2] != "wikipedia.org" else "")) + match[2]


def _encoded(path: str) -> str:
    """Percent-encode a path in one form: only what needs it, in capitals."""
    pieces = re.split(r"(%2[fF])", path)  # an encoded slash is not a slash
    return "".join(
        piece.upper()
        if piece.upper() == "%2F"
        else quote(
            unquote(piece, errors="surrogateescape"), safe="/" + _PLAIN, errors="surrogateescape"
        )
        for piece in pieces
    )


def host_of(url: str) -> str:
    """Return the host of a URL in lower case and IDNA."""
    return _split(url)[1]


def web_host(url: str) -> str:
    """Return the host of a URL; "" for what is no web address, such as a file of the archive."""
    try:
        return host_of(url)
    except InputError:
        return ""


@cache
def _suffixes() -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()


def registrable_domain(host_or_url: str) -> str:
    """Return the registered domain: bbc.co.uk for news.bbc.co.uk; an IP stays itself."""
    text = host_or_url.strip()
    if "://" in text:
        host = host_of(text)
    else:
        bare = text.split("/", 1)[0]
        host = bare.strip("[]") if bare.count(":") > 1 else bare.split(":", 1)[0]
        host = _plain_host(host)
    if ":" in host or re.fullmatch(r"[0-9.]+", host):
        return host
    return _suffixes().privatesuffix(host) or host


def matches_domain(url: str, domain: str) -> bool:
    """Tell whether the URL's host is the domain or lies below it; never by substring."""
    wanted = _plain_host(domain.strip().removeprefix("*.").lstrip("."))
    host = host_of(url)
    return host == wanted or host.endswith(f".{wanted}")


def scrub_url(url: str) -> str:
    """Return the URL without credentials and without parameters that look like secrets."""
    parts, host, port = _split(url)
    kept = [piece for piece in parts.query.split("&") if piece and not _is_secret(piece)]
    fragment = "" if "=" in parts.fragment and _is_secret(parts.fragment) else parts.fragment
    return urlunsplit(
        (parts.scheme.lower(), _netloc(host, port), parts.path, "&".join(kept), fragment)
    )


def _is_secret(piece: str) -> bool:
    names = [part.split("=", 1)[0] for part in piece.split("&")]
    return any(_patterns["secret"].fullmatch(unquote(name)) for name in names)


# Chinese may stand in a path; its punctuation ends an address.
_ENDS = r"\s<>\"“”「」【】（），。；！？、"
_ALONE = re.compile(rf"https?://[^/?#{_ENDS}]+[^{_ENDS}]*", re.IGNORECASE)


def is_address(text: str) -> bool:
    """Tell whether a text is one web address and nothing else."""
    return _ALONE.fullmatch(text.strip()) is not None
