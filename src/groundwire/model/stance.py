"""What a passage says about a claim."""

from __future__ import annotations

from typing import Literal, TypeAlias

from groundwire.model.base import Value
from groundwire.model.phrase import Phrase

StanceLabel: TypeAlias = Literal["supports", "contradicts", "qualifies", "unrelated"]


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


# The stance of a page that says nothing about the claim.
SILENT = Stance(
    label="unrelated",
    scores=StanceScores(supports=0, contradicts=0, qualifies=0, unrelated=1),
    quote="",
    start=0,
    end=0,
)
