"""Whose part of the web an address lies in: patterns of hosts, paths and accounts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Literal, NamedTuple, TypeVar
from urllib.parse import unquote, urlsplit

from groundwire.errors import InputError
from groundwire.evidence.data import data_lines
from groundwire.evidence.sources.urls import host_of, registrable_domain
from groundwire.model.phrase import Phrase, phrase

T = TypeVar("T")
_DEPTH = 3  # segments of a path examined below the place's own
_ANY = "*"
Role = Literal["domain", "account", "excluded"]


@cache
def _aliases() -> dict[str, str]:
    rows = (line.split("\t") for line in data_lines("host_names.tsv"))
    return {name: host for host, names in rows for name in names.split("|")}


@cache
def official_words(section: str) -> tuple[str, ...]:
    """Return one list of `official_words.tsv`, by its heading."""
    rows = (line.split("\t") for line in data_lines("official_words.tsv"))
    return next((tuple(row[1].split("|")) for row in rows if row[0] == section), ())


class Address(NamedTuple):
    """Where a page lies, in one form for all names of a host."""

    host: str
    segments: tuple[str, ...]
    site: str


class WebPlace(Address):
    """A host with everything below it, or one path of a host; `*` stands for one segment."""

    def holds(self, address: Address) -> bool:
        """Tell whether the address lies in this place, whoever wrote there."""
        if not self.segments:
            return address.host == self.host or address.host.endswith(f".{self.host}")
        if address.host != self.host or len(address.segments) < len(self.segments):
            return False
        pairs = zip(self.segments, address.segments, strict=False)
        return all(wanted in (_ANY, given) for wanted, given in pairs)

    def is_visitors(self, address: Address) -> bool:
        """Tell whether an address in this place is a forum or the like, where visitors write."""
        labels = address.host.removesuffix(self.host).split(".")
        below = address.segments[len(self.segments) :][:_DEPTH]
        return any(label in official_words("visitors' hosts") for label in labels) or any(
            segment in official_words("visitors' paths") for segment in below
        )


def address_of(url: str) -> Address:
    """Return the address of a page; refuse what is no web address."""
    host = host_of(url)
    path = urlsplit(url.strip()).path
    segments = tuple(unquote(part).lower() for part in path.split("/") if part not in ("", "."))
    return _address(host, segments)


def _address(host: str, segments: tuple[str, ...]) -> Address:
    host, site = _canonical_host(host)
    if host == "t.me" and segments[:1] == ("s",):
        segments = segments[1:]  # the preview of a channel
    if host == "weibo.com" and segments and segments[0].isdigit():
        segments = ("u", *segments)
    return Address(host, segments, site)


@lru_cache(maxsize=4096)
def _canonical_host(host: str) -> tuple[str, str]:
    """Return the canonical name of a host, and its registrable domain."""
    if host != registrable_domain(host):  # www.gov.cn is a body of its own
        host = host.removeprefix("www.")
    if host.endswith(".linkedin.com"):
        host = "linkedin.com"
    host = _aliases().get(host, host)
    return host, registrable_domain(host)


def file_error(where: str | Phrase, what: Phrase, hint: str = "", **about: object) -> InputError:
    """Build the error for a bad entry of a data file."""
    return InputError("error.in_file", where=where, what=what, hint=hint, **about)


def read_place(text: str, where: str | Phrase, role: Role) -> WebPlace:
    """Read a place as data files write it: `circle.com`, `github.com/openai`, `x.com/circle`."""
    if "://" in text or any(char.isspace() for char in text):
        raise file_error(where, phrase("fault.no_domain", name=text), hint="hint.bare_domain")
    host, *parts = text.split("/")
    segments = tuple(part.lower() for part in parts if part)
    try:
        if "." not in host:
            raise InputError("error.no_host", host=host)
        address = _address(host_of(f"https://{host}"), segments)
    except InputError as error:
        raise file_error(where, phrase("fault.no_domain", name=text), hint="hint.domain") from error
    whole_host = all(part == _ANY for part in segments)
    if whole_host and (
        role == "account" or (role == "domain" and address.host in official_words("shared hosts"))
    ):
        raise file_error(where, phrase("fault.shared_place", name=text), hint="hint.account_path")
    if is_suffix(address.host):
        raise file_error(where, phrase("fault.open_suffix", name=text), hint="hint.name_domain")
    return WebPlace(*address)


@lru_cache(maxsize=4096)
def is_suffix(host: str) -> bool:
    """Tell whether others register domains below this host: co.uk, github.io, gov.cn."""
    return registrable_domain(f"a.{host}") == f"a.{host}"


def closest(host: str, known: Mapping[str, T]) -> T | None:
    """Return what is known of the host, else of the nearest domain above it."""
    while host:
        if host in known:
            return known[host]
        host = host.partition(".")[2]
    return None
