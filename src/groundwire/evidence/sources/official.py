"""The parties to an event, and whether a page is a party's own word."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Literal, TypeAlias

from groundwire.errors import InputError
from groundwire.evidence.sources.parties import Entity, PartySpelling, near_kind, officials
from groundwire.evidence.sources.places import Address, address_of, official_words
from groundwire.language.text.characters import folded, normalise
from groundwire.language.text.lexicon import Lexicon, low_form
from groundwire.language.text.phrases import patterns
from groundwire.model.source import Document

_NEAR = 80  # characters on each side of an ambiguous name that are its context
_patterns = patterns("official_patterns.txt", "groundwire.evidence.data")
# A name in an address says where something is published, not whom it is about.
_LINK = re.compile(_patterns("link"), re.ASCII)
_CASHTAG = re.compile(r"\$$|(?:nasdaq|nyse|hkex|sehk|lse|tsx|otc|amex)[ :]+\$?$")
OfficialLanguage: TypeAlias = Literal["plain", "hedged"]


def entities_in(text: str) -> tuple[Entity, ...]:
    """Return the parties that a text names, in order of first mention; word-exact, both languages.

    A name that is also a common word ("Circle", "Near", 小米) needs its capitals and something
    near it that confirms it; the longest name wins, so that 香港证监会 is not 证监会.
    """
    return tuple(entity for entity, _, _ in parties_in(text))


@lru_cache(maxsize=256)  # every step of a run asks for the parties to its message
def parties_in(text: str) -> tuple[tuple[Entity, int, int], ...]:
    """Return the parties that a text names, each with its first place in the normal form."""
    known = officials()
    flat = normalise(text).text
    low = folded(flat)
    found: dict[int, tuple[Entity, int, int]] = {}
    links = [match.span() for match in _LINK.finditer(low)]
    for start, end, name in known.names.find(low):
        if any(first <= start < last for first, last in links):
            continue
        forms = known.forms.get(name, ())
        tagged = _CASHTAG.search(low, max(0, start - 12), start) is not None
        alone = len(forms) == 1
        for form in forms:
            spelled = not form.exact or flat[start:end] in (form.written, form.written.upper())
            if form.entity in found or not (spelled or tagged):
                continue
            if (
                (alone and (not form.unsure or _patterns["acts"].match(low, end)))
                or tagged
                or _is_borne_out(low, start, end, form, alone=alone)
            ):
                found[form.entity] = (known.entities[form.entity], start, end)
                break
    return tuple(found.values())


def _is_borne_out(low: str, start: int, end: int, form: PartySpelling, *, alone: bool) -> bool:
    """Tell whether the words around an ambiguous name show that it means the form's entity."""
    known = officials()
    entity_words, kind_words = known.near[form.entity], near_kind(known.entities[form.entity].kind)
    around = known.context.find(low, max(0, start - _NEAR), end + _NEAR)
    # Words of its kind do not tell two regulators of one name apart.
    return any(
        word in entity_words or (alone and word in kind_words)
        for begin, stop, word in around
        if stop <= start or begin >= end
    )


def is_official(url: str, entity: Entity) -> bool:
    """Tell whether the page is the entity's own: its domain or account, and no visitor's post."""
    try:
        return _is_own(address_of(url), entity)
    except InputError:
        return False  # a file of the archive has no web address


def is_own_word(document: Document, entity: Entity) -> bool:
    """Tell whether a page speaks for the entity: its file declares it, or its address does."""
    return document.party == entity.id or is_official(document.canonical_url, entity)


def _is_own(address: Address, entity: Entity) -> bool:
    if any(place.holds(address) for place in entity.not_official):
        return False
    return any(
        place.holds(address) and not place.is_visitors(address)
        for place in (*entity.domains, *entity.accounts)
    )


Voice: TypeAlias = Literal["own", "visitors"]


def voice(url: str) -> tuple[Entity, Voice] | None:
    """Return whose domain a page is on, and whether its owner or a visitor speaks there.

    Accounts on shared platforms are left out: there, the platform vouches for nobody.
    """
    try:
        address = address_of(url)
    except InputError:
        return None
    visited: Entity | None = None
    for entity in officials().at_site.get(address.site, ()):
        on_domain = any(place.holds(address) for place in entity.domains)
        if on_domain and _is_own(address, entity):
            return entity, "own"
        if on_domain or any(place.holds(address) for place in entity.not_official):
            visited = visited or entity
    return None if visited is None else (visited, "visitors")


@cache
def _marks() -> tuple[Lexicon, frozenset[str]]:
    """Build the lexicon of official-sounding words, with longer words that do not count."""
    plain, unlike = official_words("official"), official_words("not official")
    return Lexicon([*plain, *unlike]), frozenset(low_form(word) for word in plain)


def official_language(text: str) -> OfficialLanguage | None:
    """Detect official words, plain or only hedged: a weak hint; None without any.

    "unofficial", 非官方 and 未经证实 are other words; "no official statement", 官方否认 and a
    question are hedged.
    """
    low = low_form(text)
    hedged = False
    lexicon, plain = _marks()
    for start, end, word in lexicon.find(low):
        if word not in plain:
            continue
        before = low[max(0, start - 60) : start]
        if not (_patterns["not before"].search(before) or _patterns["not after"].match(low, end)):
            return "plain"
        hedged = True
    return "hedged" if hedged else None
