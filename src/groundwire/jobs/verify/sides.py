"""Who takes which side of a claim: independent origins by stance, and the parties' own words among them."""

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
from groundwire.jobs.verify.feature_types import Camp
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
# A publisher that answers for what it prints: the message may be a copy of it, not it of the message.
_ANSWERABLE: tuple[Tier, ...] = ("primary", "wire", "established", "trade")
_SAME = 0.8
_HELD = 0.85
_FEWEST = 10  # shingles: shorter texts are alike by chance
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class Camps(NamedTuple):
    """The three camps of a claim."""

    supports: Camp = Camp()
    contradicts: Camp = Camp()
    qualifies: Camp = Camp()


def parties_of(message: Message, preliminary: Preliminary) -> tuple[Entity, ...]:
    """The parties to the event: those that the message names, and those of its assets."""
    named = entities_in(message.text)
    # As a reader of markets writes them, so that a symbol is not taken for a word.
    assets = " ".join(f"${asset}" for asset in (preliminary.asset, *preliminary.assets) if asset)
    meant = entities_in(f"{assets}\n{preliminary.asset_name}")
    return tuple(dict.fromkeys((*named, *meant)))


def primaries(evidence: Sequence[Evidence], parties: Sequence[Entity]) -> tuple[str, ...]:
    """Pages that are a party's own word, sorted; what a search showed of one is its text as well."""
    own = (each for each in evidence if any(is_own_word(each.document, party) for party in parties))
    return tuple(sorted(each.id for each in own))


def own_pages(
    message: Message, evidence: Sequence[Evidence], official: Collection[str]
) -> tuple[str, ...]:
    """Pages that are the message itself, sorted: where it was posted, or an anonymous copy of it.

    A party's own page is none of them, though it reads the same: then the message is the copy.
    """
    pieces = shingles(message.text)
    others = (each for each in evidence if each.id not in official)
    return tuple(sorted(each.id for each in others if _is_message(message, pieces, each)))


def _is_message(message: Message, pieces: frozenset[str], page: Evidence) -> bool:
    theirs = shingles(page.document.text)
    shared = len(pieces & theirs)
    if _is_source(message.source, page.document.canonical_url):
        return shared >= _HELD * len(pieces)
    if page.tier in _ANSWERABLE or min(len(pieces), len(theirs)) < _FEWEST:
        return False
    return shared >= _SAME * len(pieces | theirs)


def _is_source(source: str, url: str) -> bool:
    """Whether a page stands where the message came from: its channel, the site of its feed."""
    kind, _, where = source.partition(":")
    try:
        address = address_of(url)
        if kind == "telegram":
            channel = where.strip("@").partition("/")[0].lower()
            return address.site == "t.me" and channel in [s.lower() for s in address.segments[:2]]
        return kind == "feed" and address.site == registrable_domain(where)
    except InputError:
        return False


def sides(
    evidence: Sequence[Evidence], stances: Mapping[str, Stance], left_out: Collection[str]
) -> dict[str, StanceLabel]:
    """What each page counts for; pages without a side, satire and what was withdrawn are not in it."""
    found: dict[str, StanceLabel] = {}
    for each in evidence:
        taken = stances.get(each.id)
        if taken is None or taken.label == "unrelated" or each.id in left_out:
            continue
        if each.tier == "satire" or any(flag in each.flags for flag in _NOTHING):
            continue
        # A corrected page supports nothing fully.
        weak = taken.label == "supports" and "correction" in each.flags
        found[each.id] = "qualifies" if weak else taken.label
    return found


def camps(
    evidence: Sequence[Evidence],
    origins: Sequence[Origin],
    taken: Mapping[str, StanceLabel],
    official: Collection[str],
) -> Camps:
    """Independent origins by the side that they take, each once.

    An origin speaks by its party's own page, else by its lead and that house's other pages, else
    by those that relay it; where a house has said both, its last word counts. A page that takes
    the other side of what it cites is no relay of it, and an origin of its own.
    """
    by_id = {each.id: each for each in evidence}
    members: dict[StanceLabel, dict[str, list[str]]] = {}
    queue = list(origins)
    while queue:
        origin = queue.pop()
        label = _spoken(origin, by_id, taken, official)
        if label is None:
            continue
        members.setdefault(label, {})[origin.id] = [
            each for each in origin.members if taken.get(each) == label
        ]
        apart = _breakaways(origin, label, taken)
        # Fewer pages each time, so that this ends.
        queue += origins_of([by_id[each] for each in apart])
    return Camps(*(_camp(members.get(label, {}), official) for label in _LABELS))


_LABELS: tuple[StanceLabel, ...] = ("supports", "contradicts", "qualifies")


def _camp(members: Mapping[str, Sequence[str]], official: Collection[str]) -> Camp:
    ids = sorted({each for group in members.values() for each in group})
    return Camp(
        origins=tuple(sorted(members)),
        evidence_ids=tuple(ids),
        primary_ids=tuple(each for each in ids if each in official),
    )


def _spoken(
    origin: Origin,
    by_id: Mapping[str, Evidence],
    taken: Mapping[str, StanceLabel],
    official: Collection[str],
) -> StanceLabel | None:
    """The side of an origin, by who may speak for it."""
    house = {line.evidence_id for line in origin.lineage if line.how in _HOUSE} | {origin.lead}
    sided = [each for each in origin.members if each in taken]
    speakers = (
        [each for each in sided if each in official and taken[each] in _SIDES]
        or [each for each in sided if each in house]
        or sided
    )
    heard = max(speakers, key=lambda each: _weight(by_id[each], taken[each]), default=None)
    return None if heard is None else taken[heard]


def _weight(page: Evidence, label: StanceLabel) -> tuple[bool, datetime, bool, str]:
    """A plain word before a qualified one, then the later, then the denial."""
    when = page.document.published_at or _LONG_AGO
    return label in _SIDES, when, label == "contradicts", page.id


def _breakaways(origin: Origin, label: StanceLabel, taken: Mapping[str, StanceLabel]) -> list[str]:
    if label not in _SIDES:
        return []
    other = _SIDES[1 - _SIDES.index(label)]
    relays = {line.evidence_id for line in origin.lineage if line.how in _RELAY}
    return [each for each in origin.members if each in relays and taken.get(each) == other]
