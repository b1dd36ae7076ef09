"""The area under the ROC curve: how often a yes is ranked above a no."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence


def auc(found: Sequence[tuple[float, int | None]]) -> float:
    """Compute the share of pairs of a yes and a no in the right order; ties count half, answers of None not at all."""
    ranked = sorted(score for score, answer in found if answer == 0)
    yes = [score for score, answer in found if answer == 1]
    if not ranked or not yes:
        return float("nan")
    total = sum(bisect_left(ranked, each) + bisect_right(ranked, each) for each in yes)
    return total / (2 * len(yes) * len(ranked))
