"""A report as Markdown: for people to keep, with every quote as a footnote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import assert_never, cast

from groundwire.model.base import Value
from groundwire.report import blocks
from groundwire.report.tokens import SHAPES
from groundwire.report.waterfall import signed, written

# `1. ` and `- ` at the start of a line, `*`, `_`, brackets and tags anywhere: only these can
# turn text into structure. Dots and hyphens inside a line are left readable.
_INLINE = re.compile(r"([\\`*_\[\]<>|~])")
_OPENING = re.compile(r"^([#+=-])")
_NUMBERED = re.compile(r"^(\d+)([.)])(?=\s|$)")
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)


def escaped(text: str) -> str:
    """Escape text to read as it is: no Markdown, no HTML, no unseen characters, one line."""
    line = " ".join(_UNSEEN.sub(" ", text).split())
    line = _INLINE.sub(r"\\\1", line).replace("&", "&amp;")
    # An address that stands in the text must not become a link of its own accord.
    line = re.sub(r"(?i)\b(https?|ftp|mailto|javascript|data):", r"\1&#58;", line)
    line = re.sub(r"(?i)\bwww\.", "www&#46;", line)
    return _NUMBERED.sub(r"\1\\\2", _OPENING.sub(r"\\\1", line))


def render(report: blocks.Report) -> bytes:
    """Render the report; text from outside is escaped, and only http(s) addresses are links."""
    return text(report).encode()


def text(report: blocks.Report) -> str:
    score = "" if report.score is None else f" · {report.score:.2f}"
    judged = f"{_tag(report.tone, report.word)}{score}" if report.tone else ""
    sample = f" · {escaped(report.sample)}" if report.sample else ""
    writer = _Writer(report)
    parts = [
        # A judgement is read before what it is about.
        f"# {judged or escaped(report.title)}",
        f"**{escaped(report.title)}**" if judged else "",
        f"*{escaped(report.label)}{sample}*",
        "  \n".join(map(escaped, report.meta)),
        *(part for block in report.blocks for part in writer.block(block)),
        f"---\n\n{escaped(report.foot)}" if report.foot else "",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


class _Writer:
    """One report, block by block; a mark is a footnote where its source is in the list."""

    def __init__(self, report: blocks.Report) -> None:
        # Renderers hide a footnote that nothing refers to.
        self.known = report.entries().keys() & set(_cited_numbers(report.blocks))

    def block(self, block: blocks.Block) -> Iterator[str]:
        match block:
            case blocks.Heading(text=text):
                yield f"## {escaped(text)}"
            case blocks.Sentences(items=items):
                yield from map(self._sentence, items)
            case blocks.Points(items=items):
                yield "\n".join(map(self._point, items))
            case blocks.Origins():
                yield "\n".join(map(self._point, block.statements()))
            case blocks.Sides(point=point, items=items):
                yield f"**{escaped(point)}**"
                yield _rows(
                    [escaped(statement.about) for statement in items],
                    [[self._marked_text(statement) for statement in items]],
                )
            case blocks.Paragraph(spans=spans):
                marked = (f"{_flowing(each.text)}{self._marks(each.marks)}" for each in spans)
                yield "".join(marked).strip()
            case blocks.Quotation(text=text, about=about):
                quoted = [*text.split("\n"), *([f"— {about}"] if about else [])]
                yield "\n".join(f"> {escaped(line)}  " for line in quoted)
            case blocks.Prose(text=text):
                yield from (escaped(line) for line in text.split("\n") if line)
            case blocks.Code(text=text):
                yield _fenced(text)
            case blocks.Notice(tone=tone, title=title, text=text):
                shape = f"{SHAPES[tone]} " if tone else ""
                yield f"> {shape}**{escaped(title)}** {escaped(text)}".rstrip()
            case blocks.FactList(items=items):
                yield "\n".join(f"- {escaped(each.name)}: {escaped(each.value)}" for each in items)
            case blocks.Table():
                yield _table(block)
            case blocks.Course():
                yield _table(block.table)
            case blocks.Figure(caption=caption, marks=marks, table=table):
                yield f"*{escaped(caption)}*{self._marks(marks)}"
                if table is not None:
                    yield _table(table)
            case blocks.Overview():
                yield f"*{escaped(block.line)}*"
            case blocks.Timeline(items=items):
                yield from self._timeline(items)
            case blocks.Diff():
                yield self._diff(block)
            case blocks.Waterfall():
                yield self._waterfall(block)
            case blocks.Sources(items=items):
                yield from map(self._source, items)
            case blocks.NextSteps():
                return  # only for a user at the desk
            case _:
                assert_never(block)

    def _marks(self, marks: Sequence[blocks.Mark]) -> str:
        return "".join(
            f"[^{mark.number}]" if mark.number in self.known else f" \\[{mark.number}\\]"
            for mark in marks
        )

    def _marked_text(self, statement: blocks.Statement) -> str:
        return f"{escaped(statement.text)}{self._marks(statement.marks)}"

    def _sentence(self, statement: blocks.Statement) -> str:
        tag = f"  \n<sub>{_tag(statement.tone, statement.word)}</sub>" if statement.tone else ""
        return f"{self._marked_text(statement)}{tag}"

    def _point(self, statement: blocks.Statement) -> str:
        judged = f"{_tag(statement.tone, statement.word)} " if statement.tone else ""
        about = f" — {escaped(statement.about)}" if statement.about else ""
        return f"{'  ' * statement.level}- {judged}{self._marked_text(statement)}{about}"

    def _timeline(self, items: Sequence[blocks.TimelineNode]) -> Iterator[str]:
        """Write a list for each era, under its name."""
        lines: list[str] = []
        for node in items:
            if node.era:
                if lines:
                    yield "\n".join(lines)
                yield f"### {escaped(node.era)}"
                lines = []
            lines += [self._node(node), *(f"  {self._point(each)}" for each in node.details)]
        yield "\n".join(lines)

    def _node(self, node: blocks.TimelineNode) -> str:
        first, *others = node.dates
        judged = f"{_tag(node.tone, node.word)} " if node.tone else ""
        text = f"**{escaped(node.text)}**" if node.weight == "high" else escaped(node.text)
        about = [escaped(each) for each in (node.thread, node.about) if each]
        about += [
            f"{escaped(' '.join(part for part in (each.when, each.who) if part))}"
            f"{self._marks(each.marks)}"
            for each in others
        ]
        tail = f" — {' · '.join(about)}" if about else ""
        tail += "".join(f"  \n  {self._marked_text(each)}" for each in node.told)
        head = f"{escaped(first.when)}{self._marks(first.marks)}"
        return f"- {head} · {judged}{text}{self._marks(node.marks)}{tail}"

    def _diff(self, block: blocks.Diff) -> str:
        return _rows(
            ["", *(escaped(each) for each in block.head), ""],
            [
                [
                    escaped(each.word),
                    f"{escaped(each.before)}{self._marks(each.before_marks)}",
                    f"{escaped(each.after)}{self._marks(each.after_marks)}",
                    escaped(each.about),
                ]
                for each in block.rows
            ],
        )

    def _waterfall(self, block: blocks.Waterfall) -> str:
        rows = [
            [
                escaped(each.rule),
                signed(each.delta),
                written(each.total),
                f"{escaped(each.reason)}{self._marks(each.marks)}",
            ]
            for each in block.steps
        ]
        return _rows([escaped(each) for each in block.head], rows, right=(1, 2))

    def _source(self, entry: blocks.SourceEntry) -> str:
        title = escaped(entry.title)
        if entry.link:
            title = f"[{title}]({entry.link})"
        elif entry.where:
            title = f"{title} ({escaped(entry.where)})"
        about = [escaped(each) for each in (entry.publisher, *entry.about) if each]
        about += [_tag(entry.tone, entry.word)] if entry.word else []
        noted = entry.number in self.known
        head = f"[^{entry.number}]: " if noted else f"{entry.number}. "
        indent = "    " if noted else "   "
        quotes = "".join(f"\n\n{indent}> “{escaped(quote.text)}”" for quote in entry.quotes)
        return f"{head}{title} — {' · '.join(about)}{quotes}"


def _tag(tone: str, word: str) -> str:
    return f"{SHAPES.get(tone, '')} {escaped(word)}".strip()


def _flowing(text: str) -> str:
    """Escape a part of a line, keeping the blanks at its ends."""
    before = " " if text[:1] == " " else ""
    after = " " if text.strip() and text[-1:] == " " else ""
    return f"{before}{escaped(text)}{after}"


def _fenced(text: str) -> str:
    """Fence text with a longer fence than any inside, so that nothing in it can end it."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text}\n{fence}"


def _table(block: blocks.Table) -> str:
    return _rows(
        [escaped(each) for each in block.head], [[escaped(e) for e in row] for row in block.rows]
    )


def _rows(head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    rule = ["---:" if place in right else "---" for place in range(len(head))]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *rows))


def _cited_numbers(value: object) -> Iterator[int]:
    """Yield the source numbers that are cited anywhere."""
    if isinstance(value, blocks.Mark):
        yield value.number
    elif isinstance(value, Value):
        for name in type(value).model_fields:
            yield from _cited_numbers(getattr(value, name))
    elif isinstance(value, tuple):
        for each in cast("tuple[object, ...]", value):
            yield from _cited_numbers(each)
