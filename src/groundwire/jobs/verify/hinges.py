"""The readings that a verdict hinges on: where rules and a decider differ, and the other reading would change it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groundwire.jobs.verify.features import claim_sides, claim_verdict
from groundwire.jobs.verify.passages import Shown
from groundwire.jobs.verify.stances import Counted, Pair, TwoReadings, decide
from groundwire.jobs.verify.types import State
from groundwire.model.claim import Verdict


def worth_again(
    state: State, shown: Sequence[Shown], read: Sequence[TwoReadings]
) -> tuple[TwoReadings, ...]:
    """List the readings that are worth a second one.

    Those against which the rules see a hard sign, and those without which a claim's verdict would be another: as
    things are, or once what is found to matter is read as the rules read it.
    """
    differing = [each for each in read if each.against is not None]
    found = [each for each in differing if each.opposed]
    for _ in range(2):
        counted = {each.pair: Counted(each.first) for each in read}
        counted |= {each.pair: Counted(each.against) for each in found if not each.opposed}
        left = [each for each in differing if each not in found]
        found += _hinging(state, shown, counted, left)
    return tuple(sorted(found, key=lambda each: each.pair))


def _hinging(
    state: State,
    shown: Sequence[Shown],
    counted: Mapping[Pair, Counted],
    read: Sequence[TwoReadings],
) -> list[TwoReadings]:
    """List those readings in whose place the rules' would change the verdict of their claim."""
    numbers = {each.claim for each in read}
    verdicts = {claim: _verdict(state, shown, counted, claim) for claim in sorted(numbers)}
    return [
        each
        for each in read
        if _verdict(state, shown, {**counted, each.pair: Counted(each.against)}, each.claim)
        != verdicts[each.claim]
    ]


def _verdict(
    state: State, shown: Sequence[Shown], counted: Mapping[Pair, Counted], claim: int
) -> Verdict:
    """Return the verdict of a claim if these stances counted."""
    sides = claim_sides(decide(state, shown, counted, ""), claim - 1)
    return claim_verdict(sides, state.limits.multi_source_threshold)
