"""The entities of a message beyond any list of assets, the one that the event happens to first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from groundwire.evidence.messages.profiles import AssetKind, Profile
from groundwire.evidence.sources.official import parties_in
from groundwire.evidence.sources.parties import Entity
from groundwire.evidence.sources.publishers import named_sources
from groundwire.language.names.chinese_names import chinese_names
from groundwire.language.names.names import is_country, names
from groundwire.language.names.subjects import (
    Subject,
    chinese_subjects,
    chinese_venues,
    is_people,
    is_region,
    latin_subjects,
    priced_things,
)
from groundwire.language.text.characters import Normalised, folded
from groundwire.language.text.chinese import tagged
from groundwire.language.text.spans import overlaps
from groundwire.language.text.wording import is_han


class Mention(NamedTuple):
    """An asset or another entity where it is first named."""

    symbol: str  # its symbol, or its name in normal form if none is known
    name: str  # in the requested language, or as it was written
    kind: AssetKind | Literal["unknown"]
    start: int
    end: int
    aside: bool  # an amount (2,000 ETH), the other half of a pair, a place, or a source


class _Span(NamedTuple):
    start: int
    end: int
    rank: int  # the lower wins where two overlap
    sure: bool
    party: Entity | None = None


# Kinds of event that happen to places, and those in which public bodies act on others.
_OF_PLACES = ("disaster", "conflict", "policy", "health")
_OF_BODIES = ("policy", "health", "science", "market", "personnel", "disaster")
_BODIES = ("regulator", "central_bank", "ministry", "body")
_PUBLIC = re.compile("(?:部|局|署|委|厅|院|政府|议会|委员会|Ministry|Department|Agency)$")


def main_entities(
    normal: Normalised, written: str, profile: Profile, event_type: str, language: str
) -> tuple[tuple[Mention, bool], ...]:
    """Find every entity of the text: those the event happens to, then weak ones, then sources.

    Weak ones are places, bodies that act on others, and words that may not be names.
    """
    flat = normal.text
    low = folded(flat)
    sources = {is_place for places in named_sources(low).values() for is_place in places}
    ranked: list[tuple[tuple[bool, int, int], Mention]] = []
    seen: dict[str, None] = {}
    spans = _spans(flat, event_type)
    sure_starts = {span.start for span in spans if span.sure}
    for span in spans:
        text = flat[span.start : span.end]
        name = _name(normal, written, span, language)
        if name.casefold() in seen or folded(text) in profile.no_assets or is_people(text):
            continue
        seen[name.casefold()] = None
        is_place = span.party is None and _is_place(text, profile)
        # 0: the event may happen to it; 1: doubtful; 2: where it happens.
        level = int(not span.sure)
        if is_place:
            level = 2 if span.end in sure_starts or event_type not in _OF_PLACES else 0
        elif span.party is not None:
            level = int(span.party.kind in _BODIES and event_type not in _OF_BODIES)
        is_source = any(span.start <= at < span.end for at in sources)
        # What a public body says of itself is the event.
        is_body = span.party.kind in _BODIES if span.party else _PUBLIC.search(text)
        acts_itself = span.start == 0 and event_type in _OF_BODIES and is_body
        is_source = is_source and not (acts_itself or (is_place and event_type in _OF_PLACES))
        symbol = text if span.party is None else span.party.name
        entity = Mention(symbol, name, "entity", span.start, span.end, is_source)
        ranked.append(((is_source, level, span.start), entity))
    ranked.sort(key=lambda each: each[0])
    return tuple((entity, level > 0) for (_, level, _), entity in ranked)


def _name(normal: Normalised, written: str, span: _Span, language: str) -> str:
    """Return the party's name for this reader; any other name as the message writes it."""
    text = normal.text[span.start : span.end]
    party = span.party
    party_names = () if party is None else (*party.names, *party.tickers)
    known = folded(text) in [folded(name.removeprefix("~")) for name in party_names]
    if party is not None and (known or is_han(text)):
        hant = party.zh_hant if language == "zh-Hant" else ()
        shown = hant or (party.zh_hans if language.startswith("zh") else ()) or (party.name,)
        return shown[0].removeprefix("~")
    if language == "zh-Hant" and is_han(text):
        start, end = normal.original(span.start, span.end)
        return written[start:end]
    return text


def _spans(flat: str, event_type: str) -> list[_Span]:
    """Find where entities stand: parties and full names before parts of them, none overlapping."""
    spans = [_Span(start, end, 1, True, entity) for entity, start, end in parties_in(flat)]
    parties = tuple(spans)
    for subject in (*latin_subjects(flat), *chinese_subjects(flat), *chinese_venues(flat)):
        spans.append(_subject(subject, parties, flat))
    if event_type == "market":
        spans.extend(_Span(start, end, 0, True) for start, end, _ in priced_things(flat))
    spans.extend(_Span(start, end, 2, True) for start, end in chinese_names(flat))
    # Latin names with a capital are subjects already; the others are of the glossary, or iPhone.
    spans.extend(
        _Span(name.start, name.end, 3, True)
        for name in names(flat)
        if not flat[name.start].isupper()
    )
    kept: list[_Span] = []
    for span in sorted(spans, key=lambda each: (each.rank, each.start - each.end, each.start)):
        if not overlaps(span[:2], [other[:2] for other in kept]):
            kept.append(span)
    return sorted(kept, key=lambda each: each.start)


def _subject(subject: Subject, parties: Sequence[_Span], flat: str) -> _Span:
    """Rank a full name: it is a party's if it opens with the party's name, not if it holds it."""
    start, end, sure = subject
    inside = [each for each in parties if start <= each.start and each.end <= end]
    if not inside:
        return _Span(start, end, 2 if sure else 4, sure)
    party = next((each.party for each in inside if each.start == start), None)
    longer = any(each.end - each.start < end - start for each in inside)
    whole = sure and longer and not is_han(flat[start:end])
    return _Span(start, end, 0 if whole else 5, sure or party is not None, party)


def _is_place(text: str, profile: Profile) -> bool:
    """Tell whether it is a country or town, or something nameless of a country: 美国公司."""
    if is_country(text) or is_region(text):
        return True
    if not is_han(text):
        return False
    return all(tag == "ns" for _, tag in tagged(text)) or any(
        is_country(text[:size]) and folded(text[size:]) in profile.no_assets
        for size in range(2, len(text))
    )
