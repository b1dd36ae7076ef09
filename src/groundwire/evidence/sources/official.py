"""Who is a party to an event, and whether a page is that party's own word."""

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

_NEAR = 80  # characters to each side of an ambiguous name in which its context is looked for
_said = patterns("official_patterns.txt", "groundwire.evidence.data")
# A name in an address is where something stands, not whom it is about.
_LINK = re.compile(_said("link"), re.ASCII)
_CASHTAG = re.compile(r"\$$|(?:nasdaq|nyse|hkex|sehk|lse|tsx|otc|amex)[ :]+\$?$")
OfficialLanguage: TypeAlias = Literal["plain", "hedged"]


def entities_in(text: str) -> tuple[Entity, ...]:
    """Return the parties that a text names, in order of first mention; word-exact, both languages.

    A name that is also a common word ("Circle", "Near", 小米) needs its capitals and something
    near it that bears it out; the longest name wins, so that 香港证监会 is not 证监会.
    """
    return tuple(entity for entity, _, _ in parties_in(text))


@lru_cache(maxsize=256)  # every step of a run asks for the parties to its message
def parties_in(text: str) -> tuple[tuple[Entity, int, int], ...]:
    """Return the parties that a text names, each with where its normal form first does."""
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
            # In a spelling that counts.
            spelled = not form.exact or flat[start:end] in (form.written, form.written.upper())
            if form.entity in found or not (spelled or tagged):
                continue
            if (
                (alone and (not form.unsure or _said["acts"].match(low, end)))
                or tagged
                or _is_borne_out(low, start, end, form, alone=alone)
            ):
                found[form.entity] = (known.entities[form.entity], start, end)
                break
    return tuple(found.values())


def _is_borne_out(low: str, start: int, end: int, form: PartySpelling, *, alone: bool) -> bool:
    """Tell whether what stands around an ambiguous name makes it that of the form's entity."""
    known = officials()
    own, kind = known.near[form.entity], near_kind(known.entities[form.entity].kind)
    around = known.context.find(low, max(0, start - _NEAR), end + _NEAR)
    # Words of its kind do not tell two regulators of one name apart.
    return any(
        word in own or (alone and word in kind)
        for begin, stop, word in around
        if stop <= start or begin >= end
    )


def is_official(url: str, entity: Entity) -> bool:
    """Whether the page is the entity's own: on its domain or account, not written by a visitor."""
    try:
        return _is_own(address_of(url), entity)
    except InputError:
        return False  # a file of the archive has no web address


def is_own_word(document: Document, entity: Entity) -> bool:
    """Whether a page speaks for the entity: its file declares so, or it stands at its address."""
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
    """Return whose domain a page lies on, and whether its owner or a visitor speaks there.

    Accounts on shared platforms are left out: there, the platform vouches for nobody.
    """
    try:
        address = address_of(url)
    except InputError:
        return None
    visited: Entity | None = None
    for entity in officials().at_site.get(address.site, ()):
        here = any(place.holds(address) for place in entity.domains)
        if here and _is_own(address, entity):
            return entity, "own"
        if here or any(place.holds(address) for place in entity.not_official):
            visited = visited or entity
    return None if visited is None else (visited, "visitors")


@cache
def _marks() -> tuple[Lexicon, frozenset[str]]:
    """Words that sound official; the longer ones that do not count are only in the lexicon."""
    plain, unlike = official_words("official"), official_words("not official")
    return Lexicon([*plain, *unlike]), frozenset(low_form(word) for word in plain)


def official_language(text: str) -> OfficialLanguage | None:
    """A weak hint: official words stand in the text, plainly or only hedged; None without any.

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
        if not _said["not before"].search(before) and not _said["not after"].match(low, end):
            return "plain"
        hedged = True
    return "hedged" if hedged else None
