"""What kind of source a page is: its tier, owner, country and language."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple, cast

from groundwire.evidence.data import data_lines
from groundwire.evidence.sources.official import Voice, voice
from groundwire.evidence.sources.places import closest, is_suffix
from groundwire.evidence.sources.publishers import publisher_at
from groundwire.evidence.sources.urls import host_of, registrable_domain, web_host
from groundwire.model.base import Value
from groundwire.model.source import Document, Tier


class Profile(Value):
    """What is known of a source before anything of it is read; "" where unknown."""

    domain: str  # the closest listed one, else the registrable one
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
    """Return the profile of a site, by its domain or a page's address; refuse anything else."""
    url = address if "://" in address else f"https://{address}"
    host = host_of(url)
    listed = closest(host, _listed())
    place = voice(url)
    site = registrable_domain(host)
    # A line for gov.sg covers every body below it.
    domain = listed.domain if listed and listed.domain.endswith(site) else site
    return Profile(
        domain=domain,
        name=publisher_at(host) or (place[0].name if place else domain),
        tier=_tier_at(host, listed, place and place[1]),
        owner=closest(host, _owners()),
        country=listed.country if listed else _country(host),
        language=listed.language if listed else "",
    )


def _tier_at(host: str, listed: _Listed | None, speaker: Voice | None) -> Tier:
    # A party on its own domain is first-hand; its visitors may be anybody.
    if speaker is not None:
        return "primary" if speaker == "own" else "social"
    if listed is not None:
        return listed.tier
    return "primary" if _is_public_body(host) else "unknown"


def _is_public_body(host: str) -> bool:
    """Tell whether only public bodies can register the domain: .gov, gov.xx, mil.xx, .int.

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
    """Return the country of a public body; other domains say little about where they are."""
    if not _is_public_body(host):
        return ""
    code = host.rpartition(".")[2].upper()
    if len(code) != _COUNTRY:
        return "US" if code in ("GOV", "MIL") else ""
    return _OTHER_CODES.get(code, code)


def owner_of(url: str) -> str | None:
    """Return who owns the site of a page, if known; a file of the archive has no owner."""
    return closest(web_host(url), _owners())


def tier_of(document: Document) -> Tier:
    """Return the declared tier, else that of the page's place or closest listed domain."""
    if document.tier is not None:
        return document.tier
    url = document.canonical_url
    host = web_host(url)
    place = voice(url)
    return _tier_at(host, closest(host, _listed()), place and place[1])
