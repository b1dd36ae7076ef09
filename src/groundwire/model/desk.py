"""What a job may declare for the desk: its entry in the command bar, and how its finished runs are
listed. A job that declares nothing still gets an entry and a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Typed:
    """A typed text, classified by its form."""

    text: str
    asks: bool  # wants an answer: a question, "explain …"
    doubts: bool  # wants to know whether a statement is true
    tells: bool  # says that something happened
    topic: bool  # only names something
    message: bool  # long, or of several sentences: written by somebody for others


@dataclass(frozen=True)
class CommandBar:
    """What a job is to the command bar, under the words `KIND.command`, `.says` and `.guess`."""

    field: str = ""  # of its input, for the text; "": the first required one
    said: str = ""  # of its input, for when the text was said; "": it does not matter
    # How likely a text is meant for it, from 0 (chosen by the user only) to 1.
    fits: Callable[[Typed], float] = lambda _typed: 0.0
    names: tuple[str, ...] = ()  # "NAME: …" chooses it; the kind itself always does
    place: int = 50  # in the row of choices
    examples: tuple[str, ...] = ()  # words of texts to begin with


@dataclass(frozen=True)
class Entry:
    """A finished run in a list: what it is about, what it came to."""

    title: str = ""  # "": what the run is about
    text: str = ""
    missing: str = ""  # what it could not say, where there is no text
    verdict: str = ""
    confidence: float | None = None
    cells: tuple[str, ...] = ()  # under the columns of the section
    articles: int = 0
    origins: int = 0


@dataclass(frozen=True)
class DeskSection:
    """The latest runs of a job on the desk, under the words `KIND.section`, `.none` and `.next`."""

    entry: Callable[[Any], Entry]  # of a result
    place: int = 50  # on the page
    columns: tuple[str, ...] = ()  # words: a table of verdicts with these besides; (): a list
    most: int = 8
