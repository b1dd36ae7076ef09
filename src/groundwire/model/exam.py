"""What exams leave: a model's marks in one question, and the standing that they give its answers."""

from __future__ import annotations

from typing import Literal

from groundwire.model.base import Instant, Value
from groundwire.model.phrase import Phrase, phrase

# What a model's answers count for: they hold, they may change what is in doubt, or none is wanted.
Grade = Literal["decides", "advises", "not_asked"]


def question_name(question: str) -> Phrase:
    """Return a question's name for people: `group/name` is `group.question.name`."""
    group, _, name = question.partition("/")
    return phrase(f"{group}.question.{name}")


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


class ExamRow(Value):
    """One line of the table of exams: the embedded answer to a question, or a model's."""

    question: str
    who: str  # a model, or `embedded`
    items: int
    score: float | None = None  # None: it has not sat the exam
    low: float | None = None
    high: float | None = None
    ahead_low: float | None = None  # of the embedded answer
    ahead_high: float | None = None
    grade: Grade | None = None  # None: of a model that has not sat it yet
    why: Phrase | None = None
    failures: int = 0
    cost_micro: int = 0
    taken_at: Instant | None = None
    run_id: str = ""
