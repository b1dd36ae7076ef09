"""A report as a page of the desk shows it; the templates of blocks draw from this.

Every sentence has its marks, every mark the card of its quotes, and the evidence by origin is
beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeAlias
from urllib.parse import quote, urlencode

from groundwire.language.text.characters import detect_language
from groundwire.report import blocks

Section: TypeAlias = "tuple[blocks.Heading | None, list[blocks.Block]]"
# Flags that set evidence apart; the others are shown with it.
WARNED = frozenset({"injection", "satire", "retraction"})
_MOST = 80  # origins that nothing cites
_SIDES = {"contradicted": 0, "supported": 1, "qualified": 2}
# Sections shown beside the result, or about the page itself.
_STATED = (blocks.Sentences, blocks.Sides)
_BESIDE = frozenset({"origins", "sources", "also_read", "flagged", "about"})


def stored_page(document_id: str, run_id: str = "", start: int = 0, end: int = 0) -> str:
    """Build the address of a stored page, with the run and the passage where given."""
    params: dict[str, str | int] = {}
    if run_id:
        params["run"] = run_id
    if end > start:
        params |= {"start": start, "end": end}
    path = f"/evidence/{quote(document_id, safe='')}"
    return path + (f"?{urlencode(params)}" if params else "") + ("#passage" if end > start else "")


class Quote(NamedTuple):
    """Words of a stored page, and the address of that place."""

    text: str
    href: str  # "": the page is not in the archive
    start: int
    end: int


class Chip(NamedTuple):
    """A mark behind a sentence: one source, with the quotes that the sentence takes from it."""

    id: str
    sentence: str  # the id of the sentence
    number: int
    source: blocks.SourceEntry
    kin: int  # articles of the same origin, this one included
    lead: str  # publisher that the origin begins with
    quotes: tuple[Quote, ...]

    @property
    def href(self) -> str:
        return next((each.href for each in self.quotes if each.href), "")


class ShownText(NamedTuple):
    """A text as the page shows it, with its marks."""

    id: str
    text: str
    language: str  # a quote may be in another than the rest
    chips: tuple[Chip, ...]

    @property
    def evidence(self) -> str:
        """Ids of the evidence it cites, for the script that highlights both."""
        return " ".join(dict.fromkeys(chip.source.evidence_id for chip in self.chips))


class Card(NamedTuple):
    """A piece of evidence."""

    source: blocks.SourceEntry
    href: str
    quotes: tuple[Quote, ...]
    sentences: tuple[str, ...]  # ids of those that cite it

    @property
    def used(self) -> bool:
        return bool(self.sentences or self.quotes)

    @property
    def warned(self) -> bool:
        return bool(WARNED.intersection(self.source.flags))


class Group(NamedTuple):
    """An independent origin: its lead, and what descends from it."""

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
        """The cards shown in full: what is cited, or the lead where nothing is."""
        return tuple(card for card in self.cards if card.used) or (self.lead,)

    @property
    def kin(self) -> tuple[Card, ...]:
        """The other cards: a line each."""
        return tuple(card for card in self.cards if card not in self.whole)


class Ledger(NamedTuple):
    """All evidence of a run, in reading order."""

    used: tuple[Group, ...]  # something in them is cited
    read: tuple[Group, ...]  # read, and not cited
    warned: tuple[Card, ...]  # set apart
    groups: tuple[Group, ...]  # all of them, nothing set apart
    origins: int  # that are known

    @property
    def articles(self) -> int:
        return sum(group.size for group in self.groups)

    @property
    def unused(self) -> int:
        return sum(len(group.cards) for group in self.read)

    @property
    def shown(self) -> tuple[Group, ...]:
        """The uncited groups that are listed, as many as anybody looks through."""
        return self.read[:_MOST]


@dataclass
class PageContent:
    """What the middle of a run's page shows, and the evidence beside it."""

    report: blocks.Report
    chips: list[Chip] = field(default_factory=list[Chip])
    texts: dict[str, str] = field(default_factory=dict[str, str])  # of sentences, by their ids
    sections: tuple[Section, ...] = ()  # the first may have no heading
    ledger: Ledger | None = None
    _texts: dict[tuple[int, str], ShownText] = field(
        default_factory=dict[tuple[int, str], ShownText]
    )
    _sources: dict[str, blocks.SourceEntry] = field(default_factory=dict[str, blocks.SourceEntry])
    _origins: dict[str, blocks.OriginGroup] = field(default_factory=dict[str, blocks.OriginGroup])
    _citing: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def __post_init__(self) -> None:
        groups = [each for block in self._origin_blocks for each in block.items]
        lists = (each for each in self.report.blocks if isinstance(each, blocks.Sources))
        cited = [each for block in lists for each in block.items]
        for group in groups:
            self._origins |= {each.evidence_id: group for each in group.items}
        for entry in (*cited, *(each for group in groups for each in group.items)):
            if entry.evidence_id:
                self._sources.setdefault(entry.evidence_id, entry)
        for text in _texts_of(self.report):
            self._add_text(*text)
        self.sections = tuple(self._sections())
        if self._sources:
            self.ledger = self._ledger(groups)

    @property
    def _origin_blocks(self) -> list[blocks.Origins]:
        return [each for each in self.report.blocks if isinstance(each, blocks.Origins)]

    @cached_property
    def sentences(self) -> dict[str, str]:
        """The sentences that the result states, by their ids."""
        stated = (each for each in self.report.blocks if isinstance(each, _STATED))
        items = [item for block in stated for item in block.items]
        return {self.shown(item).id: item.text for item in items}

    def shown(self, item: object, part: str = "") -> ShownText:
        """Return the text of an item of the report, or of a part of it, with its marks."""
        return self._texts[id(item), part]

    def marked(self, marks: Sequence[blocks.Mark]) -> list[tuple[int, str]]:
        """List the numbers that link to the evidence beside the text, with their sources' tiers."""
        tiers = {each.number: each.tier for each in self._sources.values()}
        return [(n, tiers.get(n, "")) for n in sorted({mark.number for mark in marks})]

    def quote(self, entry: blocks.SourceEntry, excerpt: blocks.Excerpt) -> Quote:
        """Return words of a piece of evidence, with the address of their place."""
        href = ""
        if entry.document_id:
            href = stored_page(entry.document_id, self.report.run_id, excerpt.start, excerpt.end)
        return Quote(excerpt.text, href, excerpt.start, excerpt.end)

    def _add_text(self, item: object, part: str, text: str, marks: Sequence[blocks.Mark]) -> None:
        name = f"s{len(self._texts) + 1}"
        chips: list[Chip] = []
        for place, mark in enumerate(sorted(marks, key=lambda each: each.number)):
            entry = self._sources.get(mark.evidence_id) or blocks.SourceEntry(
                number=mark.number, title="", evidence_id=mark.evidence_id
            )
            group = self._origins.get(entry.evidence_id)
            chips.append(
                Chip(
                    id=f"q-{name}-{place}",
                    sentence=name,
                    number=mark.number,
                    source=entry,
                    kin=1 if group is None else len(group.items),
                    lead="" if group is None else group.items[0].publisher,
                    quotes=tuple(self.quote(entry, each) for each in mark.quotes),
                )
            )
            self._citing.setdefault(entry.evidence_id, []).append(name)
        self.chips += chips
        self.texts[name] = text
        self._texts[id(item), part] = ShownText(name, text, detect_language(text), tuple(chips))

    def _sections(self) -> Iterator[Section]:
        for head, members in self.report.sections():
            kept = [each for each in members if not _is_elsewhere(each)]
            if kept and (head is None or head.name not in _BESIDE):
                yield head, kept

    # --- evidence ---

    def sides(self) -> list[tuple[str, str, int]]:
        """Count the origins of each side: a tone, a word, and how many."""
        found = self._origin_blocks
        counts = [
            *(("supported", "n.supporting", each.supporting) for each in found),
            *(("contradicted", "n.contradicting", each.contradicting) for each in found),
        ]
        return [each for each in counts if each[2]]

    def _ledger(self, groups: Sequence[blocks.OriginGroup]) -> Ledger:
        """Order cited origins first, by their numbers.

        Uncited evidence that carries a warning is set apart.
        """
        found = [Group(each.id, self._cards(each.items), len(each.items)) for each in groups]
        placed = {card.source.evidence_id for group in found for card in group.cards}
        # While a run goes on, or in an older one, not all have their origin yet.
        found += [
            Group(name, self._cards((entry,)), 1)
            for name, entry in self._sources.items()
            if name not in placed
        ]
        warned = [
            card for group in found for card in group.cards if card.warned and not card.sentences
        ]
        rest = [
            group._replace(cards=kept)
            for group in found
            if (kept := tuple(card for card in group.cards if card not in warned))
        ]
        used = sorted((group for group in rest if group.cited), key=_order)
        read = sorted((group for group in rest if not group.cited), key=_order)
        return Ledger(tuple(used), tuple(read), tuple(warned), tuple(found), len(groups))

    def _cards(self, entries: Iterable[blocks.SourceEntry]) -> tuple[Card, ...]:
        lead, *others = (self._card(each) for each in entries)
        # What is cited stands above what only repeats it.
        return (lead, *sorted(others, key=lambda card: not card.sentences))

    def _card(self, entry: blocks.SourceEntry) -> Card:
        quotes = self._quotes_of(entry.evidence_id)
        if not quotes:  # it takes a side in words that nobody has quoted
            quotes = tuple(self.quote(entry, each) for each in entry.quotes)
        first = next((each.href for each in quotes if each.href), "")
        page = stored_page(entry.document_id, self.report.run_id) if entry.document_id else ""
        known = self._sources[entry.evidence_id]
        return Card(
            source=entry.model_copy(update={"number": known.number or entry.number}),
            href=first or page,
            quotes=quotes,
            sentences=tuple(dict.fromkeys(self._citing.get(entry.evidence_id, ()))),
        )

    def _quotes_of(self, evidence_id: str) -> tuple[Quote, ...]:
        """Return the quotes that sentences take from a piece of evidence, none inside another."""
        found = {
            each.text: each
            for chip in self.chips
            if chip.source.evidence_id == evidence_id
            for each in chip.quotes
        }
        return tuple(
            each
            for text, each in found.items()
            if not any(text in other for other in found if other != text)
        )


def _is_elsewhere(block: blocks.Block) -> bool:
    """Tell whether a block is shown beside the result, or only in files.

    The ledger marks what is of the sample; pages that were only found are no evidence.
    """
    if isinstance(block, blocks.Sources):
        return any(each.evidence_id for each in block.items) or not block.items
    if isinstance(block, blocks.Notice):
        return not block.brief
    return isinstance(block, blocks.Origins | blocks.NextSteps)


def _order(group: Group) -> tuple[int, int]:
    numbers = [card.source.number for card in group.cards if card.source.number]
    side = min(_SIDES.get(card.source.tone, 3) for card in group.cards)
    return min(numbers, default=1_000_000), side


def _texts_of(report: blocks.Report) -> Iterator[tuple[object, str, str, Sequence[blocks.Mark]]]:
    """Yield all texts in reading order: the item, which part of it, the words, and their marks."""
    for block in report.blocks:
        if isinstance(block, blocks.Sentences | blocks.Points | blocks.Sides | blocks.Timeline):
            for item in block.items:
                yield item, "", item.text, item.marks
                if isinstance(item, blocks.TimelineNode):
                    beneath = (*item.told, *item.details)
                    yield from ((each, "", each.text, each.marks) for each in beneath)
        elif isinstance(block, blocks.Diff):
            for row in block.rows:
                yield row, "before", row.before, row.before_marks
                yield row, "after", row.after, row.after_marks
        elif isinstance(block, blocks.Figure):
            yield block, "", block.caption, block.marks
