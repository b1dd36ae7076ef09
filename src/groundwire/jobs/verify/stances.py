"""The stances that count, by who reads: an adviser settles what rules leave in doubt, a decider reads every page.

Pages that a decider was not shown keep the stance of the rules, but only on a side that somebody took who was read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

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


def disputed(state: State, shown: Sequence[Shown], weighing: Weighing) -> tuple[Disputed, ...]:
    """Find where a decider takes a side and the rules see a hard sign for the other one."""
    found: list[Disputed] = []
    for each in shown:
        for number, (claim, own) in enumerate(zip(state.claims, each.held.stances, strict=True), 1):
            said = weighing.towards(each.number, number)
            taken = None if said is None else _decided(claim, own, said, each)
            if taken and said and is_opposed(claim, own, taken.label, each.held.evidence):
                rules = Weighed(
                    passage=each.number, claim=number, stance=own.label, quote=own.quote
                )
                found.append(Disputed(passage=each.shown.passage, model=said, rules=rules))
    return tuple(found)


def decide(
    state: State,
    shown: Sequence[Shown],
    weighing: Weighing,
    again: Mapping[tuple[int, int], Weighed | None],
    by: str,
) -> State:
    """Give the pages the stances of a decider.

    `again` has the second reading of each disputed passage and claim, None where nobody gave one.
    """
    read = {each.held.evidence.id: _read(state, each, weighing, again, by) for each in shown}
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


def reread(weighing: Reread, pairs: Sequence[Disputed]) -> dict[tuple[int, int], Weighed | None]:
    """Return the second readings by passage and claim."""
    said = {(each.passage, each.claim): each for each in weighing.stances}
    keys = [(each.passage.number, each.model.claim) for each in pairs]
    return {key: said.get(key) for key in keys}


def _decided(claim: str, own: Stance, said: Weighed, each: Shown) -> Stance | None:
    return decided(claim, own, said.stance, said.quote, (each.held.evidence, each.passage))


def _read(
    state: State,
    each: Shown,
    weighing: Weighing,
    again: Mapping[tuple[int, int], Weighed | None],
    by: str,
) -> Held:
    """Give a page the stances that a decider read in it; where it gave none, the rules' stand."""
    stances: list[Stance] = []
    differently, counted = False, False
    for number, (claim, own) in enumerate(zip(state.claims, each.held.stances, strict=True), 1):
        silent = Weighed(passage=each.number, claim=number, stance="unrelated", quote="")
        taken = _decided(claim, own, weighing.towards(each.number, number) or silent, each)
        counted = counted or taken is not None
        pair = (each.number, number)
        if taken is not None and pair in again:
            second = again[pair]
            reading = None if second is None else _decided(claim, own, second, each)
            taken, differs = settled(own, taken, reading)
            differently = differently or differs
        stances.append(without_instructions(own if taken is None else taken, each.held.evidence))
    update = {"stances": tuple(stances), "read_differently": differently}
    return each.held.model_copy(update={**update, **({"read_by": by} if counted else {})})


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
