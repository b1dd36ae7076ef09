"""Which milestones are one event: told twice, in two languages, or on two dates; pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import product

from groundwire.jobs.timeline.causes import part_on
from groundwire.jobs.timeline.entries import Entry, Material, place_of
from groundwire.jobs.timeline.likeness import (
    FAR,
    Telling,
    distance,
    is_one,
    likelihood,
    names_day,
    telling_of,
)
from groundwire.jobs.timeline.pages import Account, words_of
from groundwire.jobs.timeline.periods import interval_of
from groundwire.jobs.timeline.plans import is_plan
from groundwire.jobs.timeline.result import DatedBy

_TOLD = 2  # sentences that are shown of an event beside its best
_NAMED = 2  # words in common, where a page goes on about an event in its next sentence
_SEVERAL = 2  # pages that name a day
_NEXT = timedelta(days=2)  # within which pages tell of an event as news, some by their own day
_NIGHT = timedelta(days=1)  # it is another day elsewhere
_SHARING = 0.3  # how likely two are one event that a third telling joins


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

    def dated_apart(self, entries: Sequence[Entry]) -> None:
        """Leave out who dates an event otherwise by what another event of that day is likelier to be."""
        for entry in entries:
            entry.dates = tuple(
                each for each in entry.dates if not self._is_of_another(each, entry, entries)
            )

    def _is_of_another(self, given: DatedBy, entry: Entry, entries: Sequence[Entry]) -> bool:
        first, last = interval_of(given.date, given.precision)
        if first <= entry.last and entry.first <= last:
            return False
        begin, end = first - _NEXT, last + _NEXT
        others = [e for e in entries if e is not entry and e.first <= end and begin <= e.last]
        accounts = self._material.page(given.evidence_id).accounts if others else ()
        account = next((each for each in accounts if each.text == given.quote), None)
        if account is None:
            return False
        said = telling_of(account, first, last)
        own = likelihood(said, self._telling(entry))
        return any(
            account is each.lead or likelihood(said, self._telling(each)) > own for each in others
        )

    def _is_told(self, twin: Entry, tellings: Sequence[Entry], entry: Entry) -> bool:
        """Tell whether an event is one that was told already; the telling that is shown may be the least like it."""
        if self._same(twin, entry):
            return True
        if self._is_apart(twin, entry) or self._likelihood(twin, entry) < _SHARING:
            return False
        others = (each for each in tellings if each is not twin and each.first == twin.first)
        return any(self._same(each, entry) for each in others)

    def _is_apart(self, one: Entry, other: Entry) -> bool:
        """Tell whether two cannot be one, however they read: a plan and what came of it, weeks between them."""
        tellings = self._telling(one), self._telling(other)
        ahead = _is_ahead(one) != _is_ahead(other) and not names_day(*tellings)  # see `slips`
        return ahead or distance(*tellings) > FAR or _on_two_days(one, other)

    def _likelihood(self, one: Entry, other: Entry) -> float:
        return likelihood(self._telling(one), self._telling(other))

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
        if one.lead is other.lead:
            parts = [part_on(each.lead, each.first) for each in (one, other)]
            # A sentence that tells a cause and its effect tells two events, each with its day.
            return parts[0] == parts[1] and distance(*map(self._telling, (one, other))) <= FAR
        if self._is_apart(one, other):
            return False
        if one.lead.words == other.lead.words or _tells(one, other) or _tells(other, one):
            return True
        return self._goes_on(one, other) or is_one(self._telling(one), self._telling(other))

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


def _on_two_days(one: Entry, other: Entry) -> bool:
    """Tell whether several name the day of each: one who errs dates an event otherwise, two on each side tell two."""
    if one.first <= other.last + _NIGHT and other.first <= one.last + _NIGHT:
        return False
    if any(_names(each.lead, one) and _names(each.lead, other) for each in (one, other)):
        return False  # announced on the 17th, in force since the 15th
    return all(len(_naming(each)) >= _SEVERAL for each in (one, other))


def _names(account: Account, entry: Entry) -> bool:
    return any(entry.first <= each.first and each.last <= entry.last for each in account.times)


def _naming(entry: Entry) -> set[str]:
    """Return the pages that name the day on which an event is told."""
    spans = ((each.evidence_id, interval_of(each.date, each.precision)) for each in entry.dates)
    return {name for name, (first, last) in spans if entry.first <= first and last <= entry.last}


def _is_finer(entry: Entry, twin: Entry) -> bool:
    """Tell whether one of two tellings gives the day of what the other puts in a longer time."""
    inside = twin.first <= entry.first and entry.last <= twin.last
    return inside and entry.first == entry.last < twin.last and not entry.by_publication


def _is_ahead(entry: Entry) -> bool:
    return is_plan(entry.lead, entry.first)


def _tells(one: Entry, other: Entry) -> bool:
    """Tell whether the sentence of one was found to tell the other."""
    overlap = one.first <= other.last and other.first <= one.last
    return overlap and place_of(one.lead) in other.told_by
