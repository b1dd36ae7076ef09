"""What kind of source a page is: its tier, owner, country and language."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple, cast

from groundwire.evidence.data import data_lines
from groundwire.evidence.sources.official import Voice, voice
from groundwire.evidence.sources.places import closest, is_suffix
from groundwire.evidence.sources.publishers import known_as
from groundwire.evidence.sources.urls import host_of, registrable_domain, web_host
from groundwire.model.base import Value
from groundwire.model.source import Document, Tier


class Profile(Value):
    """What is known of a source before anything of it is read; "" where it is not known."""

    domain: str  # the closest that is listed, else the registrable one
    name: str
    tier: Tier
    owner: str | None
    country: str  # ISO 3166, two letters
    language: str


class _Listed(NamedTuple):
    domain: str
    tier: Tier
    country: str
    language: str


@cache
def _listed() -> dict[str, _Listed]:
    rows = (line.split("\t") for line in data_lines("tiers.tsv"))
    return {
        row[0]: _Listed(row[0], cast(Tier, row[1]), *(cell.strip("-") for cell in row[2:4]))
        for row in rows
    }


@cache
def _owners() -> dict[str, str]:
    rows = (line.split("\t") for line in data_lines("owners.tsv"))
    return {domain: row[0] for row in rows for domain in row[1].split("|")}


def profile(address: str) -> Profile:
    """Return the profile of a site by its domain or by a page of it; what is neither is refused."""
    url = address if "://" in address else f"https://{address}"
    host = host_of(url)
    listed = closest(host, _listed())
    place = voice(url)
    site = registrable_domain(host)
    # A line for gov.sg speaks of each body below it.
    domain = listed.domain if listed and listed.domain.endswith(site) else site
    return Profile(
        domain=domain,
        name=known_as(host) or (place[0].name if place else domain),
        tier=_tier_at(host, listed, place and place[1]),
        owner=closest(host, _owners()),
        country=listed.country if listed else _country(host),
        language=listed.language if listed else "",
    )


def _tier_at(host: str, listed: _Listed | None, spoken: Voice | None) -> Tier:
    # A party on its own domain is first-hand; its visitors are anybody.
    if spoken is not None:
        return "primary" if spoken == "own" else "social"
    if listed is not None:
        return listed.tier
    return "primary" if _is_public_body(host) else "unknown"


def _is_public_body(host: str) -> bool:
    """Whether the domain is one that only public bodies can register: .gov, gov.xx, mil.xx, .int.

    Anybody can have gov.com or gov.xyz; gov.cn is a suffix that a country reserves.
    """
    *_, second, top = ("", *host.split("."))
    if top in _PUBLIC:
        return True
    return second in _PUBLIC and len(top) == _COUNTRY and is_suffix(f"{second}.{top}")


_PUBLIC = ("gov", "mil", "int")
_COUNTRY = 2
_OTHER_CODES = {"UK": "GB", "EU": ""}


def _country(host: str) -> str:
    """Return the country of a public body; a domain of others says little of where they are."""
    if not _is_public_body(host):
        return ""
    top = host.rpartition(".")[2].upper()
    if len(top) != _COUNTRY:
        return "US" if top in ("GOV", "MIL") else ""
    return _OTHER_CODES.get(top, top)


def owner_of(url: str) -> str | None:
    """Return who owns the site of a page, if that is known; a file of the archive has no owner."""
    return closest(web_host(url), _owners())


def tier_of(document: Document) -> Tier:
    """The declared tier, else that of the page's place or closest listed domain, else unknown."""
    if document.tier is not None:
        return document.tier
    url = document.canonical_url
    host = web_host(url)
    place = voice(url)
    return _tier_at(host, closest(host, _listed()), place and place[1])
