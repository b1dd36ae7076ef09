"""Who takes which side of a claim: independent origins by stance, and the parties' own words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from groundwire.errors import InputError
from groundwire.evidence.sources.official import entities_in, is_own_word
from groundwire.evidence.sources.origins import origins as origins_of
from groundwire.evidence.sources.parties import Entity
from groundwire.evidence.sources.places import address_of
from groundwire.evidence.sources.urls import registrable_domain
from groundwire.jobs.verify.feature_types import Side
from groundwire.jobs.verify.signal import Preliminary
from groundwire.language.text.tokens import shingles
from groundwire.model.message import Message
from groundwire.model.result import Origin
from groundwire.model.source import Evidence, Tier
from groundwire.model.stance import Stance, StanceLabel

_NOTHING = ("satire", "retraction", "own_report")  # flags of pages that count for nothing
_SIDES: tuple[StanceLabel, ...] = ("supports", "contradicts")
_HOUSE = ("same site as", "same owner as")
_RELAY = ("cites", "same source as")
# Publishers that answer for what they print: the message may copy them, not they the message.
_ANSWERABLE: tuple[Tier, ...] = ("primary", "wire", "established", "trade")
_SAME = 0.8
_HELD = 0.85
_FEWEST = 10  # shingles: shorter texts are alike by chance
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class Sides(NamedTuple):
    """The three sides of a claim."""

    supports: Side = Side()
    contradicts: Side = Side()
    qualifies: Side = Side()


def parties_of(message: Message, preliminary: Preliminary) -> tuple[Entity, ...]:
    """Return the parties to the event: those the message names, and those of its assets."""
    named = entities_in(message.text)
    # With a dollar sign, so that a symbol is not taken for a word.
    assets = " ".join(f"${asset}" for asset in (preliminary.asset, *preliminary.assets) if asset)
    meant = entities_in(f"{assets}\n{preliminary.asset_name}")
    return tuple(dict.fromkeys((*named, *meant)))


def primaries(evidence: Sequence[Evidence], parties: Sequence[Entity]) -> tuple[str, ...]:
    """List pages, or snippets of pages, that are a party's own word, sorted."""
    own_words = (
        each for each in evidence if any(is_own_word(each.document, party) for party in parties)
    )
    return tuple(sorted(each.id for each in own_words))


def own_pages(
    message: Message, evidence: Sequence[Evidence], official: Collection[str]
) -> tuple[str, ...]:
    """List pages that are the message itself, sorted: where it was posted, or anonymous copies.

    A party's own page is never one of them: if it reads the same, the message is the copy.
    """
    pieces = shingles(message.text)
    others = (each for each in evidence if each.id not in official)
    return tuple(sorted(each.id for each in others if _is_message(message, pieces, each)))


def _is_message(message: Message, pieces: frozenset[str], page: Evidence) -> bool:
    page_pieces = shingles(page.document.text)
    shared = len(pieces & page_pieces)
    if _is_source(message.source, page.document.canonical_url):
        return shared >= _HELD * len(pieces)
    if page.tier in _ANSWERABLE or min(len(pieces), len(page_pieces)) < _FEWEST:
        return False
    return shared >= _SAME * len(pieces | page_pieces)


def _is_source(source: str, url: str) -> bool:
    """Tell whether a page is where the message came from: its channel, or its feed's site."""
    kind, _, where = source.partition(":")
    try:
        address = address_of(url)
        if kind == "telegram":
            channel = where.strip("@").partition("/")[0].lower()
            return address.site == "t.me" and channel in [s.lower() for s in address.segments[:2]]
        return kind == "feed" and address.site == registrable_domain(where)
    except InputError:
        return False


def label_pages(
    evidence: Sequence[Evidence], stances: Mapping[str, Stance], left_out: Collection[str]
) -> dict[str, StanceLabel]:
    """Label what each page counts for, leaving out satire, withdrawn and neutral pages."""
    found: dict[str, StanceLabel] = {}
    for each in evidence:
        taken = stances.get(each.id)
        if taken is None or taken.label == "unrelated" or each.id in left_out:
            continue
        if taken.is_hearsay:
            continue
        if each.tier == "satire" or any(flag in each.flags for flag in _NOTHING):
            continue
        # A corrected page supports nothing fully.
        weak = taken.label == "supports" and "correction" in each.flags
        found[each.id] = "qualifies" if weak else taken.label
    return found


def gather_sides(
    evidence: Sequence[Evidence],
    origins: Sequence[Origin],
    taken: Mapping[str, StanceLabel],
    official: Collection[str],
) -> Sides:
    """Group independent origins by the side that they take, each once.

    An origin speaks through its party's own page, else its lead and that publisher's other pages,
    else those that relay it; where a publisher has said both, its last word counts. A page that
    takes the other side of what it cites is no relay of it, but an origin of its own.
    """
    by_id = {each.id: each for each in evidence}
    members: dict[StanceLabel, dict[str, list[str]]] = {}
    queue = list(origins)
    while queue:
        origin = queue.pop()
        label = _side_of_origin(origin, by_id, taken, official)
        if label is None:
            continue
        members.setdefault(label, {})[origin.id] = [
            each for each in origin.members if taken.get(each) == label
        ]
        apart = _breakaways(origin, label, taken)
        # Each time fewer pages, so this ends.
        queue += origins_of([by_id[each] for each in apart])
    return Sides(*(_side(members.get(label, {}), official) for label in _LABELS))


_LABELS: tuple[StanceLabel, ...] = ("supports", "contradicts", "qualifies")


def _side(members: Mapping[str, Sequence[str]], official: Collection[str]) -> Side:
    ids = sorted({each for group in members.values() for each in group})
    return Side(
        origins=tuple(sorted(members)),
        evidence_ids=tuple(ids),
        primary_ids=tuple(each for each in ids if each in official),
    )


def _side_of_origin(
    origin: Origin,
    by_id: Mapping[str, Evidence],
    taken: Mapping[str, StanceLabel],
    official: Collection[str],
) -> StanceLabel | None:
    """Return the side of an origin, by who may speak for it."""
    publisher_pages = {line.evidence_id for line in origin.lineage if line.how in _HOUSE} | {
        origin.lead
    }
    sided = [each for each in origin.members if each in taken]
    speakers = (
        [each for each in sided if each in official and taken[each] in _SIDES]
        or [each for each in sided if each in publisher_pages]
        or sided
    )
    speaker = max(speakers, key=lambda each: _weight(by_id[each], taken[each]), default=None)
    return None if speaker is None else taken[speaker]


def _weight(page: Evidence, label: StanceLabel) -> tuple[bool, datetime, bool, str]:
    """Rank a plain statement before a qualified one, then the later, then the denial."""
    when = page.document.published_at or _LONG_AGO
    return label in _SIDES, when, label == "contradicts", page.id


def _breakaways(origin: Origin, label: StanceLabel, taken: Mapping[str, StanceLabel]) -> list[str]:
    if label not in _SIDES:
        return []
    other = _SIDES[1 - _SIDES.index(label)]
    relays = {line.evidence_id for line in origin.lineage if line.how in _RELAY}
    return [each for each in origin.members if each in relays and taken.get(each) == other]
