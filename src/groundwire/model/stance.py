"""What a passage says about a claim."""

from __future__ import annotations

from typing import Literal, TypeAlias

from groundwire.model.base import Value
from groundwire.model.phrase import Phrase

StanceLabel: TypeAlias = Literal["supports", "contradicts", "qualifies", "unrelated"]
# What a reader says. Talk that nobody answers for qualifies a claim and makes no part of it true.
ReadLabel: TypeAlias = Literal["supports", "contradicts", "qualifies", "rumour", "unrelated"]


HEARSAY = Phrase(code="problem.hearsay", params={})


class StanceScores(Value):
    """How much speaks for each label; together they are one."""

    supports: float
    contradicts: float
    qualifies: float
    unrelated: float


class Stance(Value):
    """The stance of one passage, the words it was taken from, and why.

    `passage[start:end]` reads as `quote`; both are empty when the passage is unrelated.
    """

    label: StanceLabel
    scores: StanceScores
    quote: str
    start: int
    end: int
    reasons: tuple[Phrase, ...] = ()

    @property
    def is_hearsay(self) -> bool:
        """Whether the passage only passes the claim on: shown, counted for nothing."""
        return any(each.code == HEARSAY.code for each in self.reasons)


# The stance of a page that says nothing about the claim.
SILENT = Stance(
    label="unrelated",
    scores=StanceScores(supports=0, contradicts=0, qualifies=0, unrelated=1),
    quote="",
    start=0,
    end=0,
)
