"""A report as a card on a terminal: at most 100 columns, readable without colour, quotes shown.

Styles are names of tokens and states; whoever prints the card knows how they look.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.style import Style
from rich.table import Table as Grid
from rich.text import Text

from groundwire.report import blocks
from groundwire.report.plain import cut, one_line
from groundwire.report.statements import CHANGES, Weight
from groundwire.report.tokens import SHAPES
from groundwire.report.waterfall import signed
from groundwire.report.wrapping import Wrapped

_BAR = 10
_PARTS = " ▏▎▍▌▋▊▉█"
_QUOTE = 320  # characters of a quote that a card shows; files hold all of it
_MESSAGE = 600
_STOPS = ".。"
_CHANGE_STYLES = {"added": "supported", "removed": "contradicted", "changed": "contested"}
_STRIP = 60  # cells
_HEIGHTS = " ·•●"
_DOTS: dict[Weight, str] = {"low": "·", "medium": "•", "high": "●"}
_WEIGHTS = {"high": "bold", "medium": "", "low": "soft"}


def card(report: blocks.Report, *, links: bool = True) -> Group:
    """Build the card; `links` puts addresses behind titles, where the terminal can follow them."""
    return Group(*_Card(report, links).parts())


def bar(value: float) -> str:
    """Draw a share of one, ten cells wide, in eighths of a cell; readable without colour."""
    eighths = round(min(max(value, 0.0), 1.0) * _BAR * 8)
    full, rest = divmod(eighths, 8)
    return ("█" * full + (_PARTS[rest] if rest else "")).ljust(_BAR, "·")


def judged(tone: str, word: str) -> Text:
    """Write a judgement as shape and word in its colour."""
    return Text(f"{SHAPES.get(tone, '▨')} {word}".rstrip(), tone or "unverified")


class _Card:
    """One report on its way to a card."""

    def __init__(self, report: blocks.Report, links: bool) -> None:
        self.report = report
        self.links = links
        self.entries = report.entries()
        self.told: dict[int, list[str]] = {}  # what is on the card already, by its source

    def parts(self) -> Iterator[RenderableType]:
        yield _rule()
        yield from self._head()
        for heading, members in self.report.sections():
            if heading is None or heading.brief:
                yield from self._section(heading, members)
        yield _rule()
        yield from (Wrapped(Text(line, "soft")) for line in self.report.imprint)
        for block in self.report.blocks:
            if isinstance(block, blocks.NextSteps):
                yield _next_steps(block)

    def _head(self) -> Iterator[RenderableType]:
        report = self.report
        if report.tone:
            line = judged(report.tone, report.word)
            line.stylize("bold")
            if report.score is not None:
                line.append(f" · {report.score:.2f} ", "bold")
                line.append(bar(report.score), report.tone)
            yield line
        yield Wrapped(Text(report.title, "bold"))
        for number, line in enumerate(report.meta):
            sample = f" · {report.sample}" if report.sample and number == 0 else ""
            yield Wrapped(Text(line + sample, "degraded" if line.startswith("⚑") else "soft"))

    def _section(
        self, heading: blocks.Heading | None, members: Sequence[blocks.Block]
    ) -> Iterator[RenderableType]:
        rendered = [each for block in members if block.brief for each in self._block(block)]
        if rendered:
            yield Text("")
            if heading is not None:
                yield Text(heading.text, "bold")
            yield from rendered

    def _block(self, block: blocks.Block) -> Iterator[RenderableType]:
        match block:
            case blocks.Sentences():
                yield self._sentences(block)
            case blocks.Points():
                yield from self._points(block.items, block.quoted, block.most, block.more)
            case blocks.Origins():
                leads = [each.statements() for each in block.informative]
                shown = leads[: block.most or None]
                yield from self._points([each for group in shown for each in group])
                if len(shown) < len(leads):
                    yield Text(f"  {block.more}", "soft")
            case blocks.Sides():
                yield from self._sides(block)
            case blocks.Paragraph(spans=spans):
                stretches = (Text(each.text).append_text(_marks(each.marks)) for each in spans)
                yield Wrapped(Text("").join(stretches))
            case blocks.Quotation():
                yield from self._quotation(block)
            case blocks.Prose(text=text) | blocks.Code(text=text):
                yield Wrapped(Text(text))
            case blocks.Notice(tone=tone, title=title, text=text):
                line = judged(tone, title) if tone else Text(title, "degraded")
                yield Wrapped(line.append(f" — {text}" if text else "", "soft"))
            case blocks.FactList(items=items):
                rows = grid("left", "fill")
                for each in items:
                    rows.add_row(Text(each.name, "soft"), Wrapped(Text(each.value)))
                yield rows
            case blocks.Table():
                yield _table(block)
            case blocks.Course():
                yield _table(block.table)
            case blocks.Figure(caption=caption, marks=marks, table=table):
                yield Wrapped(Text(caption).append_text(_marks(marks)))
                if table is not None:
                    yield _table(table)
            case blocks.Overview():
                yield Padding(Text(_strip(block), "accent"), (0, 0, 0, 2))
                yield Padding(Wrapped(Text(block.line, "soft")), (0, 0, 0, 2))
            case blocks.Timeline(items=items):
                yield self._timeline(items)
            case blocks.Diff():
                yield from self._diff(block)
            case blocks.Waterfall():
                yield self._waterfall(block)
            case blocks.Sources(items=items):
                rows = grid("right", "fill", gap=1)
                for each in items:
                    rows.add_row(Text(f"[{each.number}]", "accent"), Wrapped(self._source(each)))
                yield rows
            case blocks.Heading() | blocks.NextSteps():
                return  # handled with sections, and below the card
            case _:
                assert_never(block)

    def _sentences(self, block: blocks.Sentences) -> Grid:
        rows = grid("left", "fill")
        for item in block.items:
            line = Text(item.text).append_text(_marks(item.marks))
            if item.about:
                line.append(f"\n{item.about}", "soft")
            if block.quoted:
                line.append_text(self._quotes(item.marks, named=True))
            rows.add_row(judged(item.tone, item.word) if item.tone else "·", Wrapped(line))
        return rows

    def _points(
        self, items: Sequence[blocks.Statement], quoted: bool = False, most: int = 0, more: str = ""
    ) -> Iterator[RenderableType]:
        rows = grid("left", "fill", gap=1)
        shown = items[: most or None]
        for item in shown:
            line = Text("↳ ", "soft") if item.level else Text("")
            if item.tone:
                line.append_text(judged(item.tone, item.word)).append(" ")
            line.append_text(Text(item.text)).append_text(_marks(item.marks))
            if item.about:
                line.append(f" — {item.about}", "soft")
            if quoted:
                line.append_text(self._quotes(item.marks))
            self._note_told(item)
            rows.add_row(
                Text("" if item.level else "·", "soft"),
                Padding(Wrapped(line), (0, 0, 0, 2 * max(0, item.level - 1))),
            )
        if shown:
            yield rows
        if len(shown) < len(items):
            yield Text(f"  {more}", "soft")

    def _quotes(self, marks: Sequence[blocks.Mark], *, named: bool = False) -> Text:
        """Write the quotes behind a sentence, each once on a card; `named`: with who says them."""
        lines = Text("")
        for mark in marks:
            for quote in self._new(mark.number, mark.quotes):
                source = self.entries.get(mark.number)
                lines.append("\n")
                if named and source is not None and source.tone:
                    lines.append_text(judged(source.tone, source.word)).append(" ")
                lines.append_text(_quote(quote))
                if named:
                    lines.append(f" [{mark.number}]", "accent")
                if named and source is not None:
                    day = f" · {source.about[0]}" if source.about else ""
                    lines.append(f" {source.publisher}{day}", "soft")
        return lines

    def _note_told(self, item: blocks.Statement) -> None:
        """Note what a statement has just told: its sources do not repeat it, whole or in part."""
        for mark in item.marks:
            self.told.setdefault(mark.number, []).append(item.text)

    def _new(self, number: int, quotes: Sequence[blocks.Excerpt]) -> Iterator[str]:
        told = self.told.setdefault(number, [])
        for each in quotes:
            # A quote may end before or after the stop of its sentence.
            if not any(each.text.rstrip(_STOPS) in known for known in told):
                told.append(each.text)
                yield each.text

    def _sides(self, block: blocks.Sides) -> Iterator[RenderableType]:
        """Set the sides next to each other, equally wide: none is the right one."""
        yield Wrapped(Text.assemble(("◐ ", "contested"), block.point))
        sides = Grid.grid(padding=(0, 2, 0, 0), expand=True)
        for _ in block.items:
            sides.add_column(ratio=1)
        texts = (
            Text(item.text).append_text(_marks(item.marks)).append(f"\n{item.about}", "soft")
            for item in block.items
        )
        sides.add_row(*map(Wrapped, texts))
        yield Padding(sides, (0, 0, 0, 2))

    def _quotation(self, block: blocks.Quotation) -> Iterator[RenderableType]:
        line = Text("")
        if one_line(block.text) != self.report.title:  # it is shown above
            line = _quote(block.text, _MESSAGE)
        if block.about:
            line.append(f"\n{block.about}" if line else block.about, "soft")
        if line:
            yield Padding(Wrapped(line), (0, 0, 0, 2))

    def _timeline(self, items: Sequence[blocks.TimelineNode]) -> Grid:
        rows = grid("left", "fill")
        for node in items:
            if node.era:
                rows.add_row(Text(node.era, "bold"), Text(""))
            line = Text(node.text, _WEIGHTS[node.weight]).append_text(_marks(node.marks))
            if node.tone:
                line = judged(node.tone, node.word).append(" ").append_text(line)
            for told in node.told:
                line.append(f"\n{told.text}", "soft").append_text(_marks(told.marks))
            about = " · ".join(part for part in (node.thread, node.about) if part)
            line.append(f"\n{about}" if about else "", "soft")
            for other in node.dates[1:]:
                who = f" {other.who}" if other.who else ""
                line.append(f"\n{other.when}{who}", "soft").append_text(_marks(other.marks))
            first = node.dates[0]
            rows.add_row(Text(first.when, "accent").append_text(_marks(first.marks)), Wrapped(line))
        return rows

    def _diff(self, block: blocks.Diff) -> Iterator[RenderableType]:
        rows = grid("left", "left", "fill", gap=1)
        for each in block.rows[: block.most or None]:
            style = _CHANGE_STYLES.get(each.change, "soft")
            line = Text(each.before, "soft").append_text(_marks(each.before_marks))
            if each.before and each.after:
                line.append(" → ", "soft")
            line.append(each.after).append_text(_marks(each.after_marks))
            if each.about:
                line.append(f" — {each.about}", "soft")
            rows.add_row(Text(CHANGES[each.change], style), Text(each.word, style), Wrapped(line))
        if any(block.head):
            yield Text(" → ".join(block.head), "soft")
        yield rows
        if block.most and len(block.rows) > block.most:
            yield Text(f"  {block.more}", "soft")

    def _waterfall(self, block: blocks.Waterfall) -> Grid:
        """Draw a receipt: every row with its sign and the sum after it."""
        rows = grid("left", "right", "left", "right", "fill", gap=1)
        for step in block.steps:
            style = "contradicted" if step.delta < 0 else "supported" if step.delta > 0 else "soft"
            rows.add_row(
                Text(f"  {step.rule}"),
                Text(signed(step.delta), style),
                Text(bar(step.total), "accent"),
                Text(f"{step.total:.2f}", "bold"),
                Wrapped(Text(step.reason, "soft").append_text(_marks(step.marks))),
            )
        return rows

    def _source(self, entry: blocks.SourceEntry) -> Text:
        lines = Text(entry.publisher, "bold")
        about = [*entry.about, *([f"{SHAPES[entry.tone]} {entry.word}"] if entry.word else [])]
        if about:
            lines.append((" · " if entry.publisher else "") + " · ".join(about), "soft")
        title = Text(entry.title)
        if self.links and entry.link is not None:
            title.stylize(Style(link=entry.link))
        lines.append("\n" if lines else "").append_text(title)
        for quote in self._new(entry.number, entry.quotes):
            lines.append("\n").append_text(_quote(quote))
        return lines.append(f"\n{entry.where}" if entry.where else "", "faint")


def _strip(overview: blocks.Overview) -> str:
    """Draw the steps in one line, the weightiest of each place."""
    cells = [" "] * _STRIP
    for dot in overview.dots:
        place = round(dot.at * (_STRIP - 1))
        cells[place] = max(cells[place], _DOTS[dot.weight], key=_HEIGHTS.index)
    return "".join(cell if cell != " " else "─" for cell in cells)


def _rule() -> Rule:
    return Rule(style="faint", characters="─")


def grid(*columns: str, gap: int = 2) -> Grid:
    """Build a table without lines; a column that fills takes what the others leave."""
    rows = Grid.grid(padding=(0, gap, 0, 0))
    for each in columns:
        if each == "fill":
            rows.add_column(ratio=1)
        else:
            rows.add_column(no_wrap=True, justify="right" if each == "right" else "left")
    return rows


def table(head: Sequence[str], rows: Iterable[Iterable[Text]]) -> Grid:
    """Build a quiet table: a head, no frame."""
    quiet = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=any(head))
    for name in head:
        quiet.add_column(Text(name, "soft"), overflow="fold")
    for row in rows:
        quiet.add_row(*row)
    return quiet


def _table(block: blocks.Table) -> Grid:
    return table(block.head, (map(Text, row) for row in block.rows))


def _marks(marks: Sequence[blocks.Mark]) -> Text:
    numbers = "".join(f"[{mark.number}]" for mark in marks)
    return Text(f" {numbers}" if numbers else "", "accent")


def _quote(text: str, most: int = _QUOTE) -> Text:
    return Text.assemble(("“", "soft"), (cut(text, most), "italic"), ("”", "soft"))


def _next_steps(block: blocks.NextSteps) -> Grid:
    """List commands to go on with, each with its purpose."""
    rows = Grid.grid(padding=(0, 2, 0, 0))
    rows.add_column(no_wrap=True)
    rows.add_column(overflow="fold")
    rows.add_column(ratio=1)
    for number, each in enumerate(block.items):
        title = Text("" if number else block.title, "soft")
        rows.add_row(title, Text(each.command, "accent"), Text(each.why, "soft"))
    return rows
