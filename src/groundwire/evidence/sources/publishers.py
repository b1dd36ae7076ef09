"""Who publishes under which name on which domain, and whom a text names as its source."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from groundwire.evidence.data import data_lines
from groundwire.evidence.sources.places import closest
from groundwire.evidence.sources.urls import registrable_domain, web_host
from groundwire.language.text.characters import folded, normalise
from groundwire.language.text.lexicon import Lexicon, low_forms
from groundwire.language.text.phrases import patterns
from groundwire.language.text.wording import is_han
from groundwire.model.source import publisher_name
from groundwire.words import Words

_SHORTEST = 4  # letters of a name that may be only a part of its domain
_patterns = patterns("naming.txt", "groundwire.evidence.data")
# 新华社区, 中央社会, 彭博士, 思路透露: other words that begin like a name.
_OTHER_WORD = re.compile("[会区保交露士]")


class Publisher(NamedTuple):
    """A publisher that the data file knows."""

    domains: tuple[str, ...]
    names: tuple[str, ...]  # in lower case
    named: tuple[str, ...]  # without common words ("Nature", 中国网)
    shown: str  # the first name, as it is written


_COMMON = "*"  # marks a name that is also a common word: accepted, but not looked for
_NOBODY = "-"


@cache
def _publishers() -> tuple[Publisher, ...]:
    return tuple(
        Publisher(
            tuple(domains.split("|")),
            tuple(name.removesuffix(_COMMON) for name in names),
            tuple(name for name in names if not name.endswith(_COMMON)),
            cell.split("|")[0].removesuffix(_COMMON),
        )
        for domains, cell in _rows()
        if domains != _NOBODY and (names := low_forms(cell.split("|")))
    )


def _rows() -> list[tuple[str, str]]:
    rows = (line.split("\t") for line in data_lines("publishers.tsv"))
    return [(row[0], row[1]) for row in rows]


@cache
def _by_name() -> dict[str, Publisher]:
    return {name: each for each in _publishers() for name in each.named}


@cache
def _names() -> Lexicon:
    """Build the lexicon of all names to look for, and of longer words that mean something else."""
    others = [word for domains, cell in _rows() if domains == _NOBODY for word in cell.split("|")]
    return Lexicon([*_by_name(), *others])


@cache
def _by_domain() -> dict[str, Publisher]:
    return {domain: each for each in _publishers() for domain in each.domains}


def publisher_at(host: str) -> str | None:
    """Return the name under which somebody publishes on this host."""
    known = closest(host, _by_domain())
    if known is None:
        return None
    # go.com, listed with abcnews.go.com, has other tenants.
    main = known.domains[0]
    domains = [domain for domain in known.domains if not main.endswith(f".{domain}")]
    return known.shown if any(f".{host}".endswith(f".{domain}") for domain in domains) else None


def names_of(domain: str) -> tuple[str, ...]:
    """Return every name of the publisher on this domain, in lower case; none if it is unknown."""
    known = _by_domain().get(domain)
    return () if known is None else known.names


def is_vouched_for(name: str, domain: str) -> bool:
    """Tell whether a page may use this name here: the pair is known, or the domain says it.

    Anybody can write "Reuters" into a page; nobody else can publish on reuters.com.
    """
    low = folded(normalise(name.strip()).text)
    if low == domain or low in names_of(domain):
        return True
    if claims_another(low, domain):
        return False
    letters = _letters(low)
    label = _letters(domain.split(".")[0])
    if not letters or is_han(low):
        return False
    return letters in (label, _letters(domain)) or (len(letters) >= _SHORTEST and letters in label)


@lru_cache(maxsize=4096)
def claims_another(name: str, domain: str) -> bool:
    """Tell whether the name is, or contains, that of a publisher on another domain."""
    low = folded(normalise(name).text)
    publisher = _by_domain().get(domain)
    return any(
        other is not publisher
        and known in low
        and (is_han(known) or re.search(rf"(?<![a-z0-9]){re.escape(known)}(?![a-z0-9])", low))
        for known, other in _by_name().items()
    )


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.removeprefix("the "))


def named_sources(low: str) -> dict[str, tuple[int, ...]]:
    """Find the known publishers that a text names as its source: first domain, and where.

    The text is in its normal form and in lower case.
    """
    found: dict[str, list[int]] = {}
    for start, end, name in _names().find(low):
        publisher = _by_name().get(name)
        if publisher is None or (is_han(name[-1]) and _OTHER_WORD.match(low, end)):
            continue
        if (
            (start == 0 and low[end : end + 1] == ":")  # a headline: "Reuters: …"
            or _patterns["before"].search(low[max(0, start - 48) : start])
            or _patterns["after"].match(low, end)
        ):
            found.setdefault(publisher.domains[0], []).append(start)
    return {domain: tuple(places) for domain, places in sorted(found.items())}


def shown_publisher(name: str, url: str, say: Words) -> str:
    """Return the name as readers see it: with the domain unless the domain vouches for it."""
    domain = registrable_domain(web_host(url) or "none.invalid")
    shown = publisher_name(name, say)
    vouched = domain.endswith(".invalid") or is_vouched_for(name, domain)
    return shown if vouched else f"{shown} ({domain})"


def primary_domain(domain: str) -> str:
    """Return the one domain that stands for all domains of a known publisher."""
    known = _by_domain().get(domain)
    return domain if known is None else known.domains[0]
