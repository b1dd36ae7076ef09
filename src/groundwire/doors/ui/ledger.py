"""The evidence beside a result: by origin, with who copied whom, what was quoted and by how many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from groundwire.doors.ui.quotes import Quote, Quotes, stored_page
from groundwire.evidence.sources.publishers import shown_publisher
from groundwire.jobs.verify.signal import SignalEvidence
from groundwire.model.result import EvidenceView, Origin
from groundwire.report.links import local_name

# Flags that set evidence apart; the others are said beside it.
WARNED = frozenset({"injection", "satire", "retraction"})
_MOST = 80  # origins that nothing cites
_SIDES = {"contradicts": 0, "supports": 1, "qualifies": 2, "unrelated": 3}


@dataclass(frozen=True)
class Card:
    """A piece of evidence."""

    view: EvidenceView
    href: str
    publisher: str
    number: int | None  # as sentences cite it
    quotes: tuple[Quote, ...]
    sentences: tuple[str, ...]  # ids of those that cite it
    stance: str  # towards the claim; "" where a job takes none
    official: bool
    how: str  # as of lineage; "": it leads its origin, or is only known to be of it
    of: str  # the publisher that it descends from

    @property
    def used(self) -> bool:
        return bool(self.sentences or self.quotes)

    @property
    def warned(self) -> bool:
        return bool(WARNED.intersection(self.view.flags))

    @property
    def name(self) -> str:
        """Its title, or the name of a file of the user's own, or its address."""
        return self.view.title or local_name(self.view.url) or self.view.url


@dataclass(frozen=True)
class Group:
    """An independent origin: who leads it, and what descends from it."""

    id: str
    cards: tuple[Card, ...]
    size: int  # articles of the origin, with those that are set apart

    @property
    def lead(self) -> Card:
        return self.cards[0]

    @property
    def cited(self) -> bool:
        return any(card.used for card in self.cards)

    @property
    def whole(self) -> tuple[Card, ...]:
        """Those that are shown in full: what is cited, or who leads it where nothing is."""
        return tuple(card for card in self.cards if card.used) or (self.lead,)

    @property
    def kin(self) -> tuple[Card, ...]:
        """The others: a line each."""
        return tuple(card for card in self.cards if card not in self.whole)


@dataclass(frozen=True)
class Ledger:
    """All evidence of a run, in reading order."""

    articles: int
    origins: int
    counted: bool  # False: origins are not known yet
    used: tuple[Group, ...]  # something in them is cited
    read: tuple[Group, ...]  # read, and not cited
    warned: tuple[Card, ...]  # set apart
    groups: tuple[Group, ...]  # all of them, nothing set apart

    @property
    def unused(self) -> int:
        return sum(len(group.cards) for group in self.read)

    @property
    def shown(self) -> tuple[Group, ...]:
        """What was read, as far as anybody looks through it."""
        return self.read[:_MOST]


def ledger(
    run_id: str,
    evidence: Sequence[EvidenceView],
    origins: Sequence[Origin],
    quotes: Quotes,
) -> Ledger:
    """Cited origins first, in the order of their numbers; what carries a warning, and is not
    cited, apart from all others."""
    cards = {each.id: _card(run_id, each, quotes) for each in evidence}
    groups = _groups(cards, origins)
    warned = [
        card for group in groups for card in group.cards if card.warned and not card.sentences
    ]
    set_apart = {card.view.id for card in warned}
    rest = [
        replace(group, cards=kept)
        for group in groups
        if (kept := tuple(card for card in group.cards if card.view.id not in set_apart))
    ]
    used = sorted((group for group in rest if group.cited), key=_order)
    read = sorted((group for group in rest if not group.cited), key=_order)
    return Ledger(
        articles=len(evidence),
        origins=len(origins),
        counted=bool(origins),
        used=tuple(used),
        read=tuple(read),
        warned=tuple(warned),
        groups=tuple(groups),
    )


def _order(group: Group) -> tuple[int, int]:
    numbers = [card.number for card in group.cards if card.number is not None]
    side = min(_SIDES.get(card.stance, 3) for card in group.cards)
    return min(numbers, default=1_000_000), side


def _groups(cards: Mapping[str, Card], origins: Sequence[Origin]) -> list[Group]:
    placed: set[str] = set()
    found: list[Group] = []
    for origin in origins:
        members = [cards[each] for each in origin.members if each in cards]
        if not members:
            continue
        placed.update(card.view.id for card in members)
        lead = next((card for card in members if card.view.id == origin.lead), members[0])
        others = [_descended(card, origin, cards) for card in members if card is not lead]
        # What is cited stands above what only repeats it.
        others.sort(key=lambda card: not card.sentences)
        found.append(Group(origin.id, (lead, *others), len(members)))
    # While a run goes on, or in an older one, not all have their origin yet.
    found += [Group(name, (card,), 1) for name, card in cards.items() if name not in placed]
    return found


def _descended(card: Card, origin: Origin, cards: Mapping[str, Card]) -> Card:
    line = next((each for each in origin.lineage if each.evidence_id == card.view.id), None)
    if line is None:
        return card
    parent = cards.get(line.of)
    return replace(card, how=line.how, of="" if parent is None else parent.publisher)


def _card(run_id: str, view: EvidenceView, quotes: Quotes) -> Card:
    own = view if isinstance(view, SignalEvidence) else None
    taken = quotes.taken(view.id)
    if not taken and own is not None and own.quote:
        # It takes a side in words that no claim has quoted.
        taken = (quotes.quote(view, own.quote, own.start, own.end),)
    first = next((each.href for each in taken if each.href), "")
    return Card(
        view=view,
        href=first or (stored_page(view.document_id, run_id) if view.document_id else ""),
        publisher=shown_publisher(view.publisher, view.url),
        number=quotes.numbers.get(view.id),
        quotes=taken,
        sentences=tuple(quotes.citing.get(view.id, ())),
        stance="" if own is None else own.stance,
        official=own is not None and own.official,
        how="",
        of="",
    )
