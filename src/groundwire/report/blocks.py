"""The blocks of a report before it has a form: what is said, in which order, what it rests on.

Jobs make blocks; each form has one renderer for all of them. Every text is cleaned and every
address is checked when a block is made, so that no renderer can forget to.
"""

from __future__ import annotations

from base64 import b64encode
from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field

from groundwire.model.base import Instant, Value
from groundwire.report.chronology import Arc as Arc
from groundwire.report.chronology import Choice as Choice
from groundwire.report.chronology import Dot as Dot
from groundwire.report.chronology import NodeDate as NodeDate
from groundwire.report.chronology import Overview, Timeline
from groundwire.report.chronology import TimelineNode as TimelineNode
from groundwire.report.statements import (
    BlockPart,
    Change,
    Excerpt,
    Lines,
    Link,
    Mark,
    Statement,
    Text,
    TextSpan,
    Tone,
    Verbatim,
)
from groundwire.report.tokens import SHAPES
from groundwire.words import Language


class Heading(BlockPart):
    """Begins a section, which ends at the next heading; a card may leave out the whole section."""

    type: Literal["heading"] = "heading"
    text: Text
    name: str = ""  # of the section, the same in every language: "sources", "missing"


class Sentences(BlockPart):
    """What was written, sentence by sentence."""

    type: Literal["sentences"] = "sentences"
    items: tuple[Statement, ...]
    quoted: bool = False  # show the quotes under each, where nothing else does


class Points(BlockPart):
    """A list."""

    type: Literal["points"] = "points"
    items: tuple[Statement, ...]
    quoted: bool = False
    most: int = 0  # that a card shows; 0: all
    more: Text = ""  # what it says of the rest


class Sides(BlockPart):
    """A point on which sources differ; the sides are set next to each other."""

    type: Literal["sides"] = "sides"
    point: Text
    items: tuple[Statement, ...]


class Paragraph(BlockPart):
    type: Literal["paragraph"] = "paragraph"
    spans: tuple[TextSpan, ...]
    lead: bool = False  # what the reader came for, in one line: a page sets it large


class Quotation(BlockPart):
    """Somebody's own words, as they came."""

    type: Literal["quotation"] = "quotation"
    text: Lines
    about: Text = ""


class Prose(BlockPart):
    """A text of several paragraphs."""

    type: Literal["prose"] = "prose"
    text: Lines


class Code(BlockPart):
    """Data as it came, in its own lines."""

    type: Literal["code"] = "code"
    text: Verbatim


class Notice(BlockPart):
    """What the reader must know before the rest."""

    type: Literal["notice"] = "notice"
    tone: Tone = ""
    title: Text
    text: Text = ""


class Fact(Value):
    name: Text
    value: Text


class FactList(BlockPart):
    """Names and values."""

    type: Literal["facts"] = "facts"
    items: tuple[Fact, ...]


class Table(BlockPart):
    type: Literal["table"] = "table"
    head: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]


class FigureImage(Value):
    """An image as bytes; nothing in it is loaded or run."""

    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")

    media_type: Literal["image/png", "image/svg+xml"]
    data: bytes
    width: int = Field(gt=0)  # of the screen's pixels; a file may have more
    height: int = Field(gt=0)

    @property
    def address(self) -> str:
        """The picture as an address that holds it: nothing is loaded, nothing in it runs."""
        return f"data:{self.media_type};base64,{b64encode(self.data).decode('ascii')}"


class Figure(BlockPart):
    """A picture, the sentence that reads it, and its data for whoever cannot see it."""

    type: Literal["figure"] = "figure"
    picture: FigureImage | None = None
    caption: Text
    marks: tuple[Mark, ...] = ()
    table: Table | None = None


class DiffRow(Value):
    """One claim before and after."""

    change: Change
    word: Text  # for the change
    before: Text = ""
    after: Text = ""
    about: Text = ""
    before_marks: tuple[Mark, ...] = ()
    after_marks: tuple[Mark, ...] = ()


class Diff(BlockPart):
    """What changed since another time."""

    type: Literal["diff"] = "diff"
    head: tuple[Text, Text] = ("", "")  # which times: before, after
    rows: tuple[DiffRow, ...]
    most: int = 0  # that a card shows; 0: all
    more: Text = ""  # what it says of the rest


class WaterfallStep(Value):
    """A row of a waterfall: what a rule did to the sum, and why."""

    rule: Text
    delta: float
    total: float
    reason: Text
    marks: tuple[Mark, ...] = ()


class Waterfall(BlockPart):
    """How a confidence came about, step by step."""

    type: Literal["waterfall"] = "waterfall"
    head: tuple[Text, Text, Text, Text]  # rule, delta, sum, reason
    steps: tuple[WaterfallStep, ...]
    tone: Tone


class CourseMoment(Value):
    """A moment: what was judged by then, who stood where, and which pages were new."""

    when: Text
    tone: Tone
    word: Text
    score: float
    about: Text = ""
    news: tuple[TextSpan, ...] = ()
    known: tuple[str, ...] = ()  # ids of the evidence that was there by then

    @property
    def judged(self) -> str:
        return f"{SHAPES[self.tone]} {self.word} {self.score:.2f}"


class Course(BlockPart):
    """How a verdict went, moment by moment: on a page one moves through it, elsewhere it is a table."""

    type: Literal["course"] = "course"
    head: tuple[Text, Text, Text, Text]  # when, verdict, sides, what was new
    moments: tuple[CourseMoment, ...] = Field(min_length=1)
    unknown: Text = ""  # the word for evidence that was not there yet

    @property
    def table(self) -> Table:
        """The course for whoever reads it on paper, or listens to it."""
        return Table(
            head=self.head,
            rows=tuple(
                (each.when, each.judged, each.about, "; ".join(map(_marked, each.news)))
                for each in self.moments
            ),
        )


def _marked(span: TextSpan) -> str:
    return " ".join((span.text, *(f"[{mark.number}]" for mark in span.marks)))


class SourceEntry(Value):
    """A piece of evidence: its number if it is cited, what is known of it, what is quoted."""

    number: int = 0  # 0: nothing cites it
    title: Text
    link: Link = None
    where: Text = ""  # the address, or the name of a file of the reader's own
    publisher: Text = ""
    about: tuple[Text, ...] = ()  # day, tier, flags
    tone: Tone = ""  # with its word: the side that it takes
    word: Text = ""
    quotes: tuple[Excerpt, ...] = ()
    lineage: Text = ""  # how it descends from another of its origin, in words
    evidence_id: str = ""
    document_id: str = ""  # "": it is not stored
    tier: Text = ""
    flags: tuple[Text, ...] = ()

    @property
    def name(self) -> str:
        """Publisher and title in one."""
        return f"{self.publisher}: {self.title}" if self.publisher else self.title

    @property
    def more(self) -> tuple[str, ...]:
        """What is known of it besides its day, its tier and its flags."""
        return self.about[2 + len(self.flags) :]


class Sources(BlockPart):
    """What is cited, under its numbers."""

    type: Literal["sources"] = "sources"
    items: tuple[SourceEntry, ...]


class OriginGroup(Value):
    """One independent origin: its lead first, then what descends from it."""

    id: str
    items: tuple[SourceEntry, ...] = Field(min_length=1)

    def statements(self) -> tuple[Statement, ...]:
        """Write the origin as lines of a list: its lead with its side, the others below."""
        lead, *rest = self.items
        return (
            Statement(
                text=lead.name, tone=lead.tone, word=lead.word, about=" ".join(lead.about[:1])
            ),
            *(Statement(text=each.name, about=each.lineage, level=1) for each in rest),
        )


class Origins(BlockPart):
    """All evidence by independent origin; only the page shows those that are not `informative`."""

    type: Literal["origins"] = "origins"
    items: tuple[OriginGroup, ...]
    most: int = 0  # that a card shows; 0: all
    more: Text = ""
    supporting: int = 0  # that count for a claim, where one is judged
    contradicting: int = 0

    @property
    def informative(self) -> tuple[OriginGroup, ...]:
        """The origins that add something to the other lists."""
        return tuple(each for each in self.items if each.items[1:] or each.items[0].tone)

    def statements(self) -> tuple[Statement, ...]:
        return tuple(line for each in self.informative for line in each.statements())


class NextStep(Value):
    """Something to do next: a command, and what it is for."""

    command: Text
    why: Text


class NextSteps(BlockPart):
    """What to do next, for a user at the desk: files leave it out."""

    type: Literal["next_steps"] = "next_steps"
    title: Text
    items: tuple[NextStep, ...]


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
    | FactList
    | Table
    | Figure
    | Overview
    | Timeline
    | Diff
    | Waterfall
    | Course
    | Sources
    | Origins
    | NextSteps,
    Field(discriminator="type"),
]


class Report(Value):
    """A run as people read it."""

    run_id: Text
    kind: Text
    language: Language
    title: Text
    label: Text = ""  # the job and the moment, over the title
    tone: Tone = ""
    word: Text = ""
    score: float | None = None
    state: str = ""  # of the run
    meta: tuple[Text, ...] = ()  # lines under the title
    sample: Text = ""  # the word for it, where something of the sample is in it
    made_at: Instant
    blocks: tuple[Block, ...] = ()
    foot: Text = ""  # who made it, and what it warrants
    imprint: tuple[Text, ...] = ()  # lines under a card: by whom, for how much, what else was read
    unseen: Text = ""  # what to say where a form cannot draw a character

    def entries(self) -> dict[int, SourceEntry]:
        """Index the cited sources by their numbers."""
        lists = (block for block in self.blocks if isinstance(block, Sources))
        return {entry.number: entry for block in lists for entry in block.items}

    def sections(self) -> list[tuple[Heading | None, list[Block]]]:
        """Group the blocks under their headings; those before the first one under None."""
        found: list[tuple[Heading | None, list[Block]]] = [(None, [])]
        for block in self.blocks:
            if isinstance(block, Heading):
                found.append((block, []))
            else:
                found[-1][1].append(block)
        return [each for each in found if each != (None, [])]
