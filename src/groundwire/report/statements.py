"""What every block of a report is made of: clean texts, marks with their quotes, statements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from groundwire.model.base import Value
from groundwire.report.links import followed
from groundwire.report.plain import flowing, keep_layout, lines, one_line

Text = Annotated[str, AfterValidator(one_line)]
Flowing = Annotated[str, AfterValidator(flowing)]
Lines = Annotated[str, AfterValidator(lines)]
Verbatim = Annotated[str, AfterValidator(keep_layout)]
Link = Annotated[str | None, AfterValidator(followed)]
# The names of the tokens that verdicts have (`report/tokens.py`); "": it is no judgement.
Tone = Literal[
    "supported", "contradicted", "contested", "qualified", "insufficient", "stale", "unverified", ""
]
Weight = Literal["high", "medium", "low"]  # how much a step on a timeline stands out
Change = Literal["added", "removed", "changed", "same"]
# A change is shape and word, as a verdict is.
CHANGES: Mapping[Change, str] = {"added": "+", "removed": "−", "changed": "~", "same": "="}


class Excerpt(Value):
    """Words of a source, and their place in its stored text (0, 0: not known)."""

    text: Text
    start: int = 0
    end: int = 0


class Mark(Value):
    """A number behind a sentence: the source, and the words in it that the sentence rests on."""

    number: int
    quotes: tuple[Excerpt, ...] = ()
    evidence_id: str = ""


class Statement(Value):
    """A sentence with its judgement as tone and word, its marks, and a note about it."""

    text: Text
    tone: Tone = ""
    word: Text = ""
    marks: tuple[Mark, ...] = ()
    about: Text = ""
    level: int = Field(default=0, ge=0, le=3)  # under the one before it


class TextSpan(Value):
    """A stretch of a paragraph, and the marks behind it."""

    text: Flowing = ""
    marks: tuple[Mark, ...] = ()
    run: Text = ""  # the id of a run that the words lead to, where pages can be opened


class BlockPart(Value):
    """What every block has."""

    brief: bool = True  # False: a card, which is read at a glance, leaves it out
