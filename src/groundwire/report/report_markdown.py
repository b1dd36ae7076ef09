"""Any report as Markdown: for results that have no Markdown of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundwire.report.blocks import (
    Block,
    Code,
    FactList,
    Heading,
    Mark,
    Notice,
    Paragraph,
    Points,
    Prose,
    Quotation,
    Report,
    Sentences,
    Sides,
    SourceEntry,
    Sources,
    Statement,
    Table,
    TextSpan,
    Waterfall,
)
from groundwire.report.markdown import escaped
from groundwire.report.words import SHAPES


def report_markdown(report: Report) -> str:
    """The whole report; text from outside is escaped, and only http(s) addresses become links."""
    score = "" if report.score is None else f" · {report.score:.2f}"
    judged = f"{SHAPES[report.tone]} {escaped(report.word)}{score}" if report.tone else ""
    sample = f" · {escaped(report.sample)}" if report.sample else ""
    parts = [
        f"# {escaped(report.title)}",
        f"*{escaped(report.label)}{sample}*",
        judged,
        "  \n".join(map(escaped, report.meta)),
        *(part for block in report.blocks for part in _block(block)),
        f"---\n\n{escaped(report.foot)}" if report.foot else "",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _block(block: Block) -> Iterator[str]:
    match block:
        case Heading(text=text):
            yield f"## {escaped(text)}"
        case Sentences(items=items) | Points(items=items):
            yield "\n".join(map(_point, items))
        case Sides(point=point, items=items):
            yield f"**{escaped(point)}**"
            yield "\n".join(map(_point, items))
        case Paragraph(spans=spans):
            yield "".join(map(_span, spans)).strip()
        case Quotation(text=text, about=about):
            said = [*text.split("\n"), *([f"— {about}"] if about else [])]
            yield "\n".join(f"> {escaped(line)}  " for line in said)
        case Prose(text=text):
            yield from (escaped(line) for line in text.split("\n") if line)
        case Code(text=text):
            yield _fenced(text)
        case Notice(title=title, text=text):
            yield f"> **{escaped(title)}** {escaped(text)}"
        case FactList(items=items):
            yield "\n".join(f"- {escaped(each.name)}: {escaped(each.value)}" for each in items)
        case Table(head=head, rows=rows):
            yield _table(head, rows)
        case Waterfall(head=head, steps=steps):
            rows = [
                (each.rule, f"{each.delta:+.4f}", f"{each.total:.4f}", each.reason)
                for each in steps
            ]
            yield _table(head, rows)
        case Sources(items=items):
            yield "\n".join(map(_entry, items))


def _point(said: Statement) -> str:
    judged = f"{SHAPES[said.tone]} {escaped(said.word)}: " if said.tone else ""
    about = f" — {escaped(said.about)}" if said.about else ""
    return f"{'  ' * said.level}- {judged}{escaped(said.text)}{_marks(said.marks)}{about}"


def _marks(marks: Sequence[Mark]) -> str:
    return "".join(f" \\[{mark.number}\\]" for mark in marks)


def _span(span: TextSpan) -> str:
    return f"{escaped(span.text)}{_marks(span.marks)} "


def _fenced(text: str) -> str:
    """Longer than any fence in the text, so that nothing in it can end it."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text}\n{fence}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    cells = ([cell if cell == "---" else escaped(cell) for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def _entry(entry: SourceEntry) -> str:
    title = escaped(entry.title)
    named = f"[{title}]({entry.link})" if entry.link else title
    about = " · ".join(escaped(each) for each in (entry.publisher, *entry.about) if each)
    quotes = "".join(f"\n   > “{escaped(quote.text)}”\n" for quote in entry.quotes)
    return f"{entry.number}. {named} — {about}{quotes}"
