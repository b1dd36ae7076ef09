"""Platforms: where people publish, and by which part of the web a search reaches each.

A platform is reached by its own keyless API where one exists, then by a feed generator of the
user's, then by searching its sites with any engine. What has no such way politely is not reached.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from pydantic import TypeAdapter

from groundwire.errors import UnknownName
from groundwire.evidence.sources.urls import matches_domain
from groundwire.model.base import Value
from groundwire.model.query import Query, Topic
from groundwire.plugins import unknown


class Platform(Value):
    """One platform, under the words `platform.<name>`."""

    name: str
    domains: tuple[str, ...] = ()  # its sites; (): the whole web
    topic: Topic = "general"
    rsshub: str = ""  # the route of RSSHub that searches it
    credibility: float  # of what anybody may publish there, before anything else is known


@cache
def platforms() -> Mapping[str, Platform]:
    """Return all platforms by name, in the order in which they are offered."""
    text = files("groundwire.search").joinpath("data/platforms.json").read_text("utf-8")
    found = TypeAdapter(list[Platform]).validate_python(json.loads(text))
    return {each.name: each for each in found}


def platform(name: str) -> Platform:
    """Return a platform; an unknown name is refused with the nearest one."""
    found = platforms().get(name)
    if found is None:
        raise _unknown(name)
    return found


def platform_of(url: str) -> str:
    """Return the platform on whose sites an address lies; "": none that is known."""
    for each in platforms().values():
        if any(matches_domain(url, domain) for domain in each.domains):
            return each.name
    return ""


def on_sites(query: Query) -> Query:
    """Confine a query to the sites of its platform, for engines that know none."""
    if not query.platform:
        return query
    found = platform(query.platform)
    return query.model_copy(
        update={
            "include_domains": query.include_domains or found.domains,
            "topic": query.topic if query.topic != "general" else found.topic,
        }
    )


def _unknown(name: str) -> UnknownName:
    return unknown("noun.platform", name, list(platforms()))
