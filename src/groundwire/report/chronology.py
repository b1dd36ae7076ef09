"""What happened, in its order: the blocks that set steps in time, and show them at a glance."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from groundwire.model.base import Value
from groundwire.report.statements import BlockPart, Mark, Statement, Text, Tone, Weight


class NodeDate(Value):
    """A date of a step as somebody gives it."""

    when: Text  # as precise as it is known: 2023, 2023-05, 2023-05-06
    who: Text = ""
    marks: tuple[Mark, ...] = ()


class TimelineNode(Value):
    """A step of a timeline; it stands at its first date, the others are what others say."""

    dates: tuple[NodeDate, ...] = Field(min_length=1)
    text: Text
    told: tuple[Statement, ...] = ()  # what is told beneath it, each a paragraph
    about: Text = ""
    marks: tuple[Mark, ...] = ()
    weight: Weight = "medium"
    thread: Text = ""
    strand: int = Field(default=0, ge=0)  # the place of its thread, from 1; 0: it has none
    era: Text = ""  # that begins with it
    part: int = Field(default=0, ge=0)  # the place of its era, from 1
    year: int = Field(
        default=0, ge=0
    )  # the place of its year among those to choose from; 0: there are none
    name: str = ""  # to link to
    tone: Tone = ""
    word: Text = ""
    details: tuple[Statement, ...] = ()  # shown when asked for; a card leaves them out


class Timeline(BlockPart):
    """What happened, in the order in which it did."""

    type: Literal["timeline"] = "timeline"
    items: tuple[TimelineNode, ...]
    more: Text = ""  # the word for the details


class Choice(Value):
    """What of a timeline is shown: the first option is all of it."""

    name: Literal["thread", "weight", "era", "year", "zoom"]
    title: Text
    options: tuple[Text, ...] = Field(min_length=1)


class Dot(Value):
    """A step in an overview."""

    at: float = Field(ge=0, le=1)  # between its first and its last day
    weight: Weight
    strand: int = 0
    part: int = 0  # the places of its era and year, as those of the step
    year: int = 0
    name: str = ""  # of the step that it leads to
    text: Text


class Arc(Value):
    """A step that brought about another, in an overview."""

    begin: float = Field(ge=0, le=1)
    end: float = Field(ge=0, le=1)
    text: Text


class Overview(BlockPart):
    """A timeline at a glance: its threads, its span, a dot for each step; and ways to see a part of it."""

    type: Literal["overview"] = "overview"
    begin: Text
    end: Text
    threads: tuple[Text, ...]
    dots: tuple[Dot, ...]
    arcs: tuple[Arc, ...] = ()
    choices: tuple[Choice, ...] = ()  # only where one can choose

    @property
    def line(self) -> str:
        """Write the span and the threads in one line."""
        span = self.begin if self.begin == self.end else f"{self.begin} – {self.end}"
        return " · ".join((span, *self.threads))
