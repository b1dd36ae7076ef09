"""Which part of the web a search of verify looks at first, and which never."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.entities import Entity
from groundwire.evidence.profiles import Profile
from groundwire.model.base import Noun
from groundwire.model.query import Query

# A denial must be seen before anything is called supported.
PARTIES_FIRST = ("hack", "regulation", "listing", "partnership")
LEAST_RELEVANCE = 0.2  # of a result of the open web


class Lists(Noun):
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
    """The profile's lists with the user's own: `own` adds to the preferred, `deny` to the denied."""
    denied = tuple(dict.fromkeys((*profile.deny, *deny)))
    wanted = dict.fromkeys((*profile.domains, *profile.type(event_type).domains, *own))
    preferred = tuple(domain for domain in wanted if domain not in denied)
    hosts: tuple[str, ...] = ()
    if event_type in PARTIES_FIRST:
        hosts = tuple(
            dict.fromkeys(
                host for party in parties for place in party.domains if (host := place.host)
            )
        )
    return Lists(preferred=preferred, parties=hosts, deny=denied)


def first_round(keywords: str, which: Lists, results: int) -> tuple[tuple[str, Query], ...]:
    """The preferred list and the parties' own pages; the open web where there is no list."""
    if not which.preferred:
        queries = [("open", _open(keywords, which, results))]
    else:
        queries = [
            (
                "preferred",
                Query(
                    text=keywords,
                    max_results=results,
                    include_domains=which.preferred,
                    exclude_domains=which.deny,
                    topic="news",
                ),
            )
        ]
    if which.parties:
        own = Query(text=keywords, max_results=results, include_domains=which.parties)
        queries.append(("preferred", own))
    return tuple(queries)


def second_round(keywords: str, which: Lists, results: int) -> tuple[tuple[str, Query], ...]:
    return (("open", _open(keywords, which, results)),)


def _open(keywords: str, which: Lists, results: int) -> Query:
    return Query(text=keywords, max_results=results, exclude_domains=which.deny, topic="news")
