"""Which part of the web a search of verify looks at first, and which it never uses."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.errors import InputError
from groundwire.evidence.messages.profiles import Profile
from groundwire.evidence.sources.parties import Entity
from groundwire.evidence.sources.urls import registrable_domain
from groundwire.language.text.wording import is_han
from groundwire.model.base import Value
from groundwire.model.query import Query

# Kinds of event for which the parties' own pages are searched first, for a denial.
PARTIES_FIRST = ("hack", "regulation", "listing", "partnership")
LEAST_RELEVANCE = 0.2  # of a result of the open web
_FEWEST_WORDS = 2  # of one language, for a query of its own


def site_of(url: str) -> str:
    """Return the registrable domain of a page, or the address of a file without one."""
    try:
        return registrable_domain(url)
    except InputError:
        return url


class Lists(Value):
    """Domains by how they are searched."""

    preferred: tuple[str, ...] = ()
    parties: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()


def lists(
    profile: Profile,
    event_type: str,
    parties: Sequence[Entity],
    own: Sequence[str] = (),
    deny: Sequence[str] = (),
) -> Lists:
    """Combine the profile's lists with the user's: `own` adds to preferred, `deny` to denied."""
    denied = tuple(dict.fromkeys((*profile.deny, *deny)))
    wanted = dict.fromkeys((*profile.domains, *profile.type(event_type).domains, *own))
    preferred = tuple(domain for domain in wanted if not _is_under(domain, denied))
    first = parties if event_type in PARTIES_FIRST else ()
    named = dict.fromkeys(place.host for party in first for place in party.domains if place.host)
    hosts = tuple(host for host in named if not _is_under(host, denied))
    return Lists(preferred=preferred, parties=hosts, deny=denied)


def _is_under(host: str, domains: Sequence[str]) -> bool:
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


def first_round(keywords: str, which: Lists, results: int) -> tuple[tuple[str, Query], ...]:
    """Query the preferred list and the parties' own pages; the open web where there is no list."""
    if not which.preferred:
        queries = list(second_round(keywords, which, results))
    else:
        listed = Query(
            text=keywords,
            max_results=results,
            include_domains=which.preferred,
            exclude_domains=which.deny,
            topic="news",
        )
        queries = [("preferred", listed)]
    if which.parties:
        party_pages = Query(text=keywords, max_results=results, include_domains=which.parties)
        queries.append(("preferred", party_pages))
    return tuple(queries)


def second_round(keywords: str, which: Lists, results: int) -> tuple[tuple[str, Query], ...]:
    """Query the open web, each language by itself: words of both find the pages of one."""
    return tuple(
        ("open", Query(text=text, max_results=results, exclude_domains=which.deny, topic="news"))
        for text in by_language(keywords)
    )


def by_language(keywords: str) -> tuple[str, ...]:
    """Split keywords by language, names and figures in both; one query if that leaves little."""
    words = keywords.split()
    chinese = [word for word in words if is_han(word)]
    latin = [word for word in words if not is_han(word)]
    shared = [word for word in latin if not word.islower()]
    if min(len(chinese), len(latin) - len(shared)) < _FEWEST_WORDS:
        return (keywords,)
    return " ".join(latin), " ".join((*shared, *chinese))
