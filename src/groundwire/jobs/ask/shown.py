"""Which passages a model is shown: few, no report twice. The embedded reasoner reads all of them."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.language.text.tokens import shingles
from groundwire.model.source import NumberedPassage

MOST = 14
_SAME = (
    0.6  # share of the shorter text's word pairs from which two passages of an origin say the same
)


def worth_showing(passages: Sequence[NumberedPassage]) -> tuple[NumberedPassage, ...]:
    """Choose the first passages, under their own numbers, but none that repeats one of its origin."""
    chosen: list[NumberedPassage] = []
    for each in passages:
        if len(chosen) == MOST:
            break
        if not any(_repeats(each, other) for other in chosen):
            chosen.append(each)
    return tuple(chosen)


def _repeats(one: NumberedPassage, other: NumberedPassage) -> bool:
    """Tell whether a passage says nothing that another of its origin does not: a wire copy, a part of it."""
    if one.origin_id != other.origin_id:
        return False
    mine, theirs = shingles(one.text), shingles(other.text)
    return len(mine & theirs) >= _SAME * max(1, len(mine))
