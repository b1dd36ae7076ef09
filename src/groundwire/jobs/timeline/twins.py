"""Which milestones are one event: told twice, in two languages, or on two dates; pure."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.reading.reader import Reading, claim_of, read
from groundwire.jobs.timeline.entries import Entry, Material
from groundwire.jobs.timeline.pages import Account, words_of

_FAR = 45  # days between two dates of one event
_SHARED = 2  # words that two tellings have in common besides the topic's, before they are read
_FACET = 0.5  # of the shorter telling's words, where one names the other's day
# Of the same matter and of what is said, on average both ways, across languages.
_ACROSS, _COVERED = 0.42, 0.6
_OTHERWISE = frozenset({"negated", "opposite", "named_otherwise", "other_figure", "other_date"})
_REPEATED = 0.6  # of the shorter of two sentences' own words
_SAME = 0.8  # of the same matter


class Twins:
    """Finds the events among entries that are told more than once."""

    def __init__(self, material: Material, topic: Sequence[str]) -> None:
        self._material = material
        self._common = frozenset(word for each in topic for word in words_of(each))

    def joined(self, entries: Sequence[Entry]) -> list[Entry]:
        """Join what is one event, under its better telling; every source is kept."""
        kept: list[Entry] = []
        for entry in sorted(entries, key=self._worth):
            twin = next((each for each in kept if self._same(each, entry)), None)
            if twin is None:
                kept.append(entry)
            elif self._reads_better(entry, twin):
                entry.absorb(twin)
                kept[kept.index(twin)] = entry
            else:
                twin.absorb(entry)
        return kept

    def _reads_better(self, entry: Entry, twin: Entry) -> bool:
        """Tell whether the weaker of two tellings of one date is the one in the reader's language."""
        own = self._material.language[:2]
        dated = (entry.first, entry.last) == (twin.first, twin.last)
        return dated and entry.language == own != twin.language

    def _worth(self, entry: Entry) -> tuple[bool, bool, int, float, str]:
        """Rank tellings: a party's own word first, then by origins, then as the engine does."""
        held = [self._material.evidence[each] for each in entry.sources]
        primary = any(each.tier == "primary" for each in held)
        origins = {each.origin_id or each.id for each in held}
        return (
            entry.by_publication, not primary, -len(origins), -entry.milestone.score,
            entry.milestone.id,
        )  # fmt: skip

    def _same(self, one: Entry, other: Entry) -> bool:
        if abs((one.first - other.first).days) > _FAR:
            return False
        a, b = one.lead, other.lead
        if a is b or a.words == b.words:
            return True
        if not one.told_by.isdisjoint(other.told_by) and one.first == other.first:
            return True
        if one.first == other.first and (self._repeats(one, other) or _same_tellers(one, other)):
            return True
        languages = {each.page.evidence.document.language[:2] for each in (a, b)}
        if len(languages) > 1 and (one.first, one.last) == (other.first, other.last):
            return self._translates(one, other)
        shared = (set(a.words) & set(b.words)) - self._common
        if len(shared) < _SHARED and a.page.evidence.document.language == (
            b.page.evidence.document.language
        ):
            return False
        least = min(len(set(each.words) - self._common) for each in (a, b))
        alike = len(shared) >= max(_SHARED, _FACET * least)
        if alike and (_names(a, other) or _names(b, one)):
            return True
        return self._reads(one, other) or self._reads(other, one)

    def _repeats(self, one: Entry, other: Entry) -> bool:
        """Tell whether what is shown of one says much the same as what is shown of the other."""
        a, b = (set(words_of(each.sentences[0].text)) - self._common for each in (one, other))
        least = min(len(a), len(b))
        return len(a & b) >= max(_SHARED + 1, _REPEATED * least)

    def _translates(self, one: Entry, other: Entry) -> bool:
        """Tell whether two tellings of one day in different languages say the same, read both ways."""
        found = [_reading(one, other), _reading(other, one)]
        same = sum(each.same for each in found) / 2
        covered = sum(each.seen["covered_content"] for each in found) / 2
        signs = {each.sign for each in found}
        return same >= _ACROSS and covered >= _COVERED and signs.isdisjoint(_OTHERWISE)

    def _reads(self, one: Entry, other: Entry) -> bool:
        """Tell whether a telling reads as another of the same event, whatever date it gives."""
        found = _reading(one, other)
        if found.same < _SAME:
            return False
        if one.first == other.first:
            return found.label == "supports"
        return found.sign == "other_date"


def _reading(one: Entry, other: Entry) -> Reading:
    """Read how one telling bears out another."""
    lead = other.lead
    document = lead.page.evidence.document
    claim = claim_of(one.lead.text, one.lead.page.day)
    return read(claim, lead.text, title=document.title, published=lead.page.day)


def _same_tellers(one: Entry, other: Entry) -> bool:
    """Tell whether everybody who tells the one tells the other, and several do."""
    a, b = frozenset(one.sources), frozenset(other.sources)
    return min(len(a), len(b)) > 1 and (a <= b or b <= a)


def _names(lead: Account, entry: Entry) -> bool:
    return any(each.first == entry.first and each.last == entry.last for each in lead.times)
