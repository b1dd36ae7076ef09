"""A report before it has a form: what is said, in which order, and what it rests on.

Jobs make it, renderers give it its looks. Every text is cleaned and every address is checked when
a part is made, so that no renderer can forget to.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field

from groundwire.model.base import Instant, Value
from groundwire.report.markdown import destination
from groundwire.report.outline import web_link
from groundwire.report.plain import as_set, flowing, lines, one_line


def _followed(url: str | None) -> str | None:
    """The address if a reader can follow it, with nothing in it that could end a link."""
    if url is None or one_line(url) != url or web_link(url) is None:
        return None
    return destination(url)


Text = Annotated[str, AfterValidator(one_line)]
Flowing = Annotated[str, AfterValidator(flowing)]
Lines = Annotated[str, AfterValidator(lines)]
Verbatim = Annotated[str, AfterValidator(as_set)]
Link = Annotated[str | None, AfterValidator(_followed)]
# The names of the tokens that verdicts have (`report/tokens.py`); "": it is no judgement.
Tone = Literal[
    "supported", "contradicted", "contested", "qualified", "insufficient", "stale", "unverified", ""
]


class Mark(Value):
    """A number behind a sentence: the source, and the words in it that the sentence rests on."""

    number: int
    quotes: tuple[Text, ...] = ()


class Statement(Value):
    """Something said: its judgement as tone and word, its marks, and what is to be known of it."""

    text: Text
    tone: Tone = ""
    word: Text = ""
    marks: tuple[Mark, ...] = ()
    about: Text = ""
    level: int = Field(default=0, ge=0, le=3)  # under the one before it


class Heading(Value):
    type: Literal["heading"] = "heading"
    text: Text


class Sentences(Value):
    """What was written, sentence by sentence."""

    type: Literal["sentences"] = "sentences"
    items: tuple[Statement, ...]


class Points(Value):
    """A list."""

    type: Literal["points"] = "points"
    items: tuple[Statement, ...]


class Sides(Value):
    """A point on which sources differ; the sides stand next to each other."""

    type: Literal["sides"] = "sides"
    point: Text
    items: tuple[Statement, ...]


class Span(Value):
    """A stretch of a paragraph, and the marks behind it."""

    text: Flowing = ""
    marks: tuple[Mark, ...] = ()


class Paragraph(Value):
    type: Literal["paragraph"] = "paragraph"
    spans: tuple[Span, ...]


class Quotation(Value):
    """Somebody's own words, as they came."""

    type: Literal["quotation"] = "quotation"
    text: Lines
    about: Text = ""


class Prose(Value):
    """A text of several paragraphs."""

    type: Literal["prose"] = "prose"
    text: Lines


class Code(Value):
    """Data as it came, in its own lines."""

    type: Literal["code"] = "code"
    text: Verbatim


class Notice(Value):
    """What the reader must know before the rest."""

    type: Literal["notice"] = "notice"
    tone: Tone = ""
    title: Text
    text: Text = ""


class Fact(Value):
    name: Text
    value: Text


class Facts(Value):
    """Names and values."""

    type: Literal["facts"] = "facts"
    items: tuple[Fact, ...]


class Table(Value):
    type: Literal["table"] = "table"
    head: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]


class Step(Value):
    """A row of a waterfall: what a rule did to the sum, and why."""

    rule: Text
    delta: float
    total: float
    reason: Text
    marks: tuple[Mark, ...] = ()


class Waterfall(Value):
    """How a confidence came about, step by step."""

    type: Literal["waterfall"] = "waterfall"
    head: tuple[Text, Text, Text, Text]  # rule, delta, sum, reason
    steps: tuple[Step, ...]
    tone: Tone


class Entry(Value):
    """A source in the list: its number, what is known of it, and what is quoted from it."""

    number: int
    title: Text
    link: Link = None
    where: Text = ""  # the address, or the name of a file of the reader's own
    publisher: Text = ""
    about: tuple[Text, ...] = ()  # day, tier, flags
    tone: Tone = ""
    word: Text = ""
    quotes: tuple[Text, ...] = ()


class Sources(Value):
    type: Literal["sources"] = "sources"
    items: tuple[Entry, ...]


Block: TypeAlias = Annotated[
    Heading
    | Sentences
    | Points
    | Sides
    | Paragraph
    | Quotation
    | Prose
    | Code
    | Notice
    | Facts
    | Table
    | Waterfall
    | Sources,
    Field(discriminator="type"),
]


class Report(Value):
    """A run as people read it."""

    run_id: Text
    kind: Text
    language: Literal["en", "zh", "zh-Hant"]
    title: Text
    label: Text = ""  # the job and the moment, over the title
    tone: Tone = ""
    word: Text = ""
    score: float | None = None
    meta: tuple[Text, ...] = ()  # lines under the title
    sample: Text = ""  # the word for it, where something of the sample is in it
    made_at: Instant
    blocks: tuple[Block, ...] = ()
    foot: Text = ""  # who made it, and what it warrants
    unseen: Text = ""  # what to say where a form cannot draw a character


Cell: TypeAlias = str | int | float | None


class Sheet(Value):
    """A table for programs: names that never change, values as they are."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
