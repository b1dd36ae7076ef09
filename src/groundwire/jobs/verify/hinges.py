"""The readings that a verdict hinges on: where rules and a decider differ, and the other reading would change it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groundwire.jobs.verify.features import claim_sides, claim_verdict
from groundwire.jobs.verify.passages import Shown
from groundwire.jobs.verify.stances import Counted, Pair, Reading, decide
from groundwire.jobs.verify.types import State
from groundwire.model.claim import Verdict


def worth_again(
    state: State, shown: Sequence[Shown], read: Sequence[Reading]
) -> tuple[Reading, ...]:
    """List the readings that are worth a second one.

    Those against which the rules see a hard sign, and those without which a claim's verdict would be another.
    """
    counted = {each.pair: Counted(each.first) for each in read}
    verdicts: dict[int, Verdict] = {}
    found: list[Reading] = []
    for each in read:
        if each.against is None:
            continue
        if not each.opposed:
            if each.claim not in verdicts:
                verdicts[each.claim] = _verdict(state, shown, counted, each.claim)
            other = {**counted, each.pair: Counted(each.against)}
            if _verdict(state, shown, other, each.claim) == verdicts[each.claim]:
                continue
        found.append(each)
    return tuple(found)


def _verdict(
    state: State, shown: Sequence[Shown], counted: Mapping[Pair, Counted], claim: int
) -> Verdict:
    """Return the verdict of a claim if these stances counted."""
    sides = claim_sides(decide(state, shown, counted, ""), claim - 1)
    return claim_verdict(sides, state.limits.multi_source_threshold)
