"""Whether an answer has the words that an examiner asks for, and how far it is what is wanted."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from groundwire.language.text.characters import folded, simplify
from groundwire.model.base import Value

T = TypeVar("T")
W = TypeVar("W")
_FALSE = 0.5  # what is left of a score when a text tells what is not so, or of something else


class Telling(Value):
    """What a right text tells, each fact in one of several ways, and what none may say."""

    facts: tuple[tuple[str, ...], ...]
    never: tuple[str, ...] = ()

    def left_of(self, worth: float, told: str) -> float:
        """Return what is left of a score for a text."""
        return worth * _FALSE if has_any(told, self.never) else worth


def has(text: str, wanted: str) -> bool:
    """Tell whether a text has these words: either script, any case, no part of another figure.

    Latin words may go on ("acqui" is in "acquired"), since examiners write stems.
    """
    flat, form = folded(simplify(text)), folded(simplify(wanted))
    if not form:
        return False
    before = r"(?<![0-9a-z])(?<![0-9][.,])" if re.match("[0-9a-z]", form) else ""
    after = r"(?![0-9])(?![.,][0-9])" if form[-1].isdigit() else ""
    return re.search(f"{before}{re.escape(form)}{after}", flat) is not None


def has_any(text: str, alternatives: Sequence[str]) -> bool:
    """Tell whether a text has one of these."""
    return any(has(text, each) for each in alternatives)


def share(text: str, groups: Sequence[Sequence[str]]) -> float:
    """Return the share of groups of which a text has one; 1 where nothing is asked for."""
    return sum(has_any(text, group) for group in groups) / len(groups) if groups else 1.0


def clean_share(text: str, unwanted: Sequence[str]) -> float:
    """Return the share of unwanted words that a text does not have."""
    return sum(not has(text, each) for each in unwanted) / len(unwanted) if unwanted else 1.0


def agreement(
    told: Sequence[T], wanted: Sequence[W], same: Callable[[T, W], bool], most: int | None = None
) -> float:
    """Return how far what is told is what is wanted (F1), of which at most some is to be had.

    Each wanted one is met once; 1 where nothing is told and nothing wanted.
    """
    asked = len(wanted[:most])
    if not asked or not told:
        return float(not asked and not told)
    left = list(wanted)
    right = 0
    for each in told:
        met = next((one for one in left if same(each, one)), None)
        if met is not None:
            left.remove(met)
            right += 1
    return 2 * right / (len(told) + asked)
