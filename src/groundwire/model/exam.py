"""What exams leave: a model's marks in one question, and the standing that they give its answers."""

from __future__ import annotations

from typing import Literal

from groundwire.model.base import Instant, Value
from groundwire.model.phrase import Phrase

# What a model's answers count for: they hold, they may change what is in doubt, or none is wanted.
Grade = Literal["decides", "advises", "not_asked"]


class Marks(Value):
    """How one model did in the exam of one question, beside the embedded answer on the same items."""

    model: str  # vendor:model
    question: str
    prompts: str  # a hash of the prompt's files: under another prompt it would do otherwise
    items: str  # a hash of the items
    reader: str  # the version of the embedded answer that it was compared with
    count: int  # of items
    failures: int  # items without a usable answer
    score: float  # the mean over all items, in [0, 1]
    low: float  # and where it lies with 95 % certainty
    high: float
    embedded: float  # the mean of the embedded answer
    ahead_low: float  # by how much the model is ahead of it, an item, with 95 % certainty
    ahead_high: float
    cost_micro: int
    taken_at: Instant
    run_id: str
    scores: tuple[float, ...]  # by item, in their order


class Standing(Value):
    """What a model's answers to a question count for in a run, and why."""

    model: str
    question: str
    grade: Grade
    why: Phrase
    marks: Marks | None = None  # None: no exam was taken
