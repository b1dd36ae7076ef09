"""Which milestones are one event: told twice, in two languages, or on two dates; pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from groundwire.jobs.timeline.causes import part_on
from groundwire.jobs.timeline.entries import Entry, Material, reduced
from groundwire.jobs.timeline.likeness import (
    Telling,
    distance,
    likelihood,
    names_apart,
    names_day,
    telling_of,
)
from groundwire.jobs.timeline.pages import Account, words_of
from groundwire.jobs.timeline.plans import is_plan

_FAR = 45  # days between two dates of one event
_TOLD = 2  # sentences that are shown of an event beside its best
_SHARED = 0.5  # of the shorter telling's words besides the topic's, where the two are days apart
_NAMED = 2  # words in common, where a page goes on about an event in its next sentence
_SHARING = 0.45  # how likely, before two are told as one that share a sentence, or a third telling
# How likely, before two are told as one; where days are apart and few words in common; where each names its own day.
_SURE, _SURER, _SUREST = 0.5, 0.75, 0.85


class Twins:
    """Finds the events among entries that are told more than once."""

    def __init__(self, material: Material, topic: Sequence[str]) -> None:
        self._material = material
        self._tellings: dict[int, Telling] = {}
        self._common = frozenset(word for each in topic for word in words_of(each))

    def joined(self, entries: Sequence[Entry]) -> list[Entry]:
        """Join what is one event, under its better telling; every source is kept."""
        kept: list[Entry] = []
        tellings: list[
            list[Entry]
        ] = []  # of each that is kept, itself and all that it has absorbed
        for entry in sorted(entries, key=self._worth):
            places = range(len(kept))
            place = next((n for n in places if self._is_told(kept[n], tellings[n], entry)), -1)
            if place < 0:
                kept.append(entry)
                tellings.append([entry])
                continue
            tellings[place].append(entry)
            twin = kept[place]
            if _is_finer(entry, twin):
                entry.absorb(twin)
                kept[place] = entry
            else:
                twin.absorb(entry)
        return kept

    def _is_told(self, twin: Entry, tellings: Sequence[Entry], entry: Entry) -> bool:
        """Tell whether an event is one that was told already; the telling that is shown may be the least like it."""
        if self._same(twin, entry):
            return True
        others = (each for each in tellings if each is not twin and each.first == twin.first)
        near = not self._is_apart(twin, entry) and self._reads(twin, entry, _SHARING)
        return near and any(
            not self._is_apart(each, entry) and self._reads(each, entry) for each in others
        )

    def _is_apart(self, one: Entry, other: Entry) -> bool:
        """Tell whether two cannot be one, however they read: a plan and what came of it, months between them."""
        tellings = [self._telling(each) for each in (one, other)]
        ahead = _is_ahead(one) != _is_ahead(other) and not names_day(*tellings)
        return one.lead is other.lead or ahead or distance(*tellings) > _FAR

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
        if distance(*(self._telling(each) for each in (one, other))) > _FAR:
            return False
        if one.lead is other.lead and part_on(one.lead, one.first) != part_on(
            one.lead, other.first
        ):
            return False  # it tells a cause and its effect, each with its day
        if one.lead is other.lead or one.lead.words == other.lead.words:
            return True
        if _is_ahead(one) != _is_ahead(other) and not names_day(*map(self._telling, (one, other))):
            return False  # a plan and what came of it: see `slips`
        if _dates(one, other) or _dates(other, one):
            return True
        shared = not one.told_by.isdisjoint(other.told_by) and one.first == other.first
        return self._goes_on(one, other) or self._reads(one, other, _SHARING if shared else _SURE)

    def _reads(self, one: Entry, other: Entry, sure: float = _SURE) -> bool:
        """Tell whether the two read as tellings of the same."""
        a, b = self._telling(one), self._telling(other)
        far = distance(a, b) > 1 and not names_day(a, b) and not self._resembles(one, other)
        if distance(a, b) > 0 and names_apart(a, b):
            sure = _SURER if self._resembles(one, other) else _SUREST
        elif far:
            sure = _SURER
        return likelihood(a, b, least=sure) >= sure

    def _goes_on(self, one: Entry, other: Entry) -> bool:
        """Tell whether a page that tells of the one goes on about the other in its next sentence, of one date."""
        if (one.first, one.last) != (other.first, other.last):
            return False
        pairs = product(self._accounts(one), self._accounts(other))
        follows = [(a, b) for a, b in pairs if a.page is b.page and abs(a.order - b.order) == 1]
        return any(len((set(a.words) & set(b.words)) - self._common) >= _NAMED for a, b in follows)

    def _accounts(self, entry: Entry) -> list[Account]:
        """Return the sentence of an event, and what stands for it where it is shown."""
        said = entry.sentences[0].citations[:_TOLD] if entry.sentences else ()
        shown = [self._material.account(each) for each in said]
        return [entry.lead, *(each for each in shown if each is not entry.lead)]

    def _telling(self, entry: Entry) -> Telling:
        """Return an event as its best sentence tells it, under the headline that sums it up."""
        found = self._tellings.get(id(entry))
        if found is None:
            found = telling_of(entry.lead, entry.first, entry.last)
            self._tellings[id(entry)] = found
        return found

    def _resembles(self, one: Entry, other: Entry) -> bool:
        """Tell whether two sentences have enough words in common to be compared at all."""
        a, b = (set(each.lead.words) - self._common for each in (one, other))
        return len(a & b) >= _SHARED * min(len(a), len(b))


def _is_finer(entry: Entry, twin: Entry) -> bool:
    """Tell whether one of two tellings gives the day of what the other puts in a longer time."""
    inside = twin.first <= entry.first and entry.last <= twin.last
    return inside and entry.first == entry.last < twin.last and not entry.by_publication


def _is_ahead(entry: Entry) -> bool:
    return is_plan(entry.lead, entry.first)


def _dates(one: Entry, other: Entry) -> bool:
    """Tell whether the page of one puts the other on the day of the one."""
    said = reduced(one.first, one.precision)
    holder = one.lead.page.evidence.id
    return any(
        each.evidence_id == holder and each.date == said and each.quote == one.lead.text
        for each in other.dates
    )
