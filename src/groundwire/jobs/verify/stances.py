"""The stances that count, by who reads: an adviser settles what rules leave in doubt, a decider reads every page.

Pages that a decider was not shown keep the stance of the rules, but only on a side that somebody took who was read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from groundwire.evidence.pages.injection import injected_instructions
from groundwire.evidence.reading.model_stance import (
    decided,
    is_opposed,
    quoted_in,
    refined,
    settled,
)
from groundwire.jobs.verify.passages import Shown, copies
from groundwire.jobs.verify.read_again import Disputed, Reread
from groundwire.jobs.verify.types import Held, State
from groundwire.jobs.verify.weigh_message import Weighed, Weighing
from groundwire.model.source import Evidence
from groundwire.model.stance import SILENT, Stance, StanceLabel

_NEAR_ORDER = 40  # characters around a quote in which an instruction to a model spoils it
_SIDES: tuple[StanceLabel, ...] = ("supports", "contradicts")
Pair: TypeAlias = tuple[int, int]  # the numbers of a passage and of a claim


class Counted(NamedTuple):
    """The stance that counts for a page and a claim, and whether it is still read differently."""

    stance: Stance | None
    differently: bool = False


def without_instructions(stance: Stance, evidence: Evidence) -> Stance:
    """Drop a stance whose words are beside instructions to a model (law 9)."""
    if "injection" not in evidence.flags or stance.label == "unrelated":
        return stance
    start, end = max(0, stance.start - _NEAR_ORDER), stance.end + _NEAR_ORDER
    return SILENT if injected_instructions(evidence.document.text[start:end]) else stance


def advised(state: State, shown: Sequence[Shown], weighing: Weighing, by: str) -> State:
    """Apply the changes of stance that an adviser may make."""
    changed: dict[str, Held] = {}
    for each in shown:
        place = (each.held.evidence, each.passage)
        stances: list[Stance] = []
        for number, (claim, own) in enumerate(zip(state.claims, each.held.stances, strict=True), 1):
            said = weighing.towards(each.number, number)
            stances.append(
                own if said is None else refined(claim, own, said.stance, said.quote, place)
            )
        if tuple(stances) != each.held.stances:
            update = {"stances": tuple(stances), "read_by": by}
            changed[each.held.evidence.id] = each.held.model_copy(update=update)
    return _with(state, changed)


class TwoReadings(NamedTuple):
    """What a decider says of a page and a claim, and what the rules hold against it."""

    page: Shown
    claim: int
    said: Weighed
    own: Stance  # of the rules
    first: Stance | None  # by the decider's word; None: its words are not there
    checked: Stance | None  # the same without what the rules refuse of it
    against: Stance | None  # what the rules read instead; None where they agree
    opposed: bool = False  # they see a hard sign for the other side

    @property
    def pair(self) -> Pair:
        return self.page.number, self.claim

    def again(self) -> Disputed:
        """Return both readings, for somebody who reads the passage once more."""
        rules = self.against or self.own
        theirs = Weighed(
            passage=self.page.number, claim=self.claim, stance=rules.label, quote=rules.quote
        )
        return Disputed(passage=self.page.shown.passage, model=self.said, rules=theirs)


def readings(state: State, shown: Sequence[Shown], weighing: Weighing) -> tuple[TwoReadings, ...]:
    """Put what a decider says of each page and claim beside what the rules say."""
    found: list[TwoReadings] = []
    for each in shown:
        for number, (claim, own) in enumerate(zip(state.claims, each.held.stances, strict=True), 1):
            silent = Weighed(passage=each.number, claim=number, stance="unrelated", quote="")
            said = weighing.towards(each.number, number) or silent
            found.append(_reading(each, number, claim, said, own))
    return tuple(found)


def _reading(page: Shown, number: int, claim: str, said: Weighed, own: Stance) -> TwoReadings:
    first = _decided(claim, own, said, page, twice=True)
    checked = _decided(claim, own, said, page)
    if first is None or checked is None:
        return TwoReadings(page, number, said, own, first, checked, None)
    opposed = is_opposed(claim, own, first.label, page.held.evidence)
    refused = checked.label != first.label and not opposed
    against = checked if refused else own
    differ = against.label != first.label
    return TwoReadings(
        page, number, said, own, first, checked, against if differ else None, opposed
    )


def _decided(
    claim: str, own: Stance, said: Weighed, page: Shown, *, twice: bool = False
) -> Stance | None:
    place = (page.held.evidence, page.passage)
    return decided(claim, own, said.stance, said.quote, place, twice=twice)


def settle(
    state: State, read: Sequence[TwoReadings], second: Mapping[Pair, Weighed | None]
) -> dict[Pair, Counted]:
    """Return the stance that counts for each page and claim; None where a decider gave none.

    `second` has the second reading of each pair that was read again, None where nobody gave one.
    """
    found: dict[Pair, Counted] = {}
    for each in read:
        if each.first is None or each.against is None or each.pair not in second:
            found[each.pair] = Counted(each.checked)
            continue
        said, claim = second[each.pair], state.claims[each.claim - 1]
        twice = said is not None and said.stance == each.said.stance
        again = None if said is None else _decided(claim, each.own, said, each.page, twice=twice)
        if again is None and not each.opposed:
            found[each.pair] = Counted(each.checked)
        else:
            found[each.pair] = Counted(
                *settled(each.against, each.first, again, opposed=each.opposed)
            )
    return found


def decide(state: State, shown: Sequence[Shown], counted: Mapping[Pair, Counted], by: str) -> State:
    """Give the pages the stances of a decider, and their copies and those it was not shown what follows from them."""
    read = {each.held.evidence.id: _read(each, counted, by) for each in shown}
    first = copies(state.held, state.origins)
    by_text = {first[name]: held for name, held in read.items()}
    for held in state.held:
        original = by_text.get(first[held.evidence.id])
        if held.evidence.id in read or original is None:
            continue
        if copied := _copied(held, original):
            read[held.evidence.id] = copied
    sides = sides_taken(read.values())
    changed = {
        held.evidence.id: read.get(held.evidence.id) or keep_to_sides(held, sides)
        for held in state.held
    }
    return _with(state, changed)


def reread(weighing: Reread | None, asked: Sequence[TwoReadings]) -> dict[Pair, Weighed | None]:
    """Return the second readings by passage and claim; without any, None for each."""
    said = {(each.passage, each.claim): each for each in weighing.stances} if weighing else {}
    return {each.pair: said.get(each.pair) for each in asked}


def _read(each: Shown, counted: Mapping[Pair, Counted], by: str) -> Held:
    """Give a page the stances that count; where a decider gave none, the rules' stand."""
    held = each.held
    taken = [counted[each.number, claim] for claim in range(1, len(held.stances) + 1)]
    stances = tuple(
        without_instructions(own if new.stance is None else new.stance, held.evidence)
        for own, new in zip(held.stances, taken, strict=True)
    )
    differently = any(new.differently for new in taken)
    update = {"stances": stances, "read_differently": differently}
    read = any(new.stance is not None for new in taken)
    return held.model_copy(update={**update, **({"read_by": by} if read else {})})


def _copied(held: Held, original: Held) -> Held | None:
    """Give a copy the stances of the page that was read; None where it lacks the words of one of them."""
    pairs = zip(original.stances, held.stances, strict=True)
    stances = [quoted_in(taken, own, held.evidence) for taken, own in pairs]
    if any(each is None for each in stances):
        return None
    update = {"stances": tuple(stances), "read_by": original.read_by}
    differently = {"read_differently": original.read_differently}
    return held.model_copy(update={**update, **differently})


# The sides that pages took that were read, by the number of the claim and the origin.
_Taken = Mapping[int, Mapping[str, set[StanceLabel]]]


def sides_taken(read: Iterable[Held]) -> _Taken:
    """Collect the sides that pages take towards each claim."""
    found: dict[int, dict[str, set[StanceLabel]]] = {}
    for held in read:
        for number, stance in enumerate(held.stances):
            origin = found.setdefault(number, {}).setdefault(held.evidence.origin_id, set())
            if stance.label in _SIDES:
                origin.add(stance.label)
    return found


def keep_to_sides(held: Held, taken: _Taken) -> Held:
    """Keep an unread page to the sides that its origin's read pages took, else to those that anybody's did."""

    def kept(number: int, stance: Stance) -> Stance:
        origins = taken.get(number, {})
        everybody = {label for labels in origins.values() for label in labels}
        open_sides = origins.get(held.evidence.origin_id, everybody)
        if stance.label not in _SIDES or stance.label in open_sides:
            return stance
        return stance.model_copy(update={"label": "qualifies"})

    stances = tuple(kept(number, stance) for number, stance in enumerate(held.stances))
    return held.model_copy(update={"stances": stances})


def _with(state: State, changed: Mapping[str, Held]) -> State:
    held = tuple(changed.get(each.evidence.id, each) for each in state.held)
    return state.model_copy(update={"held": held})
