"""A report as a Word file: real headings, tables and links, with the faces of both scripts named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from docx import Document as new_document
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_BREAK, WD_TAB_ALIGNMENT
from docx.shared import Mm, Pt, RGBColor

from groundwire.report import ooxml
from groundwire.report.bars import Bar, bars
from groundwire.report.document import (
    Block,
    Code,
    Entry,
    Facts,
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
    Sources,
    Statement,
    Table,
    Waterfall,
)
from groundwire.report.plain import cut
from groundwire.report.tokens import LIGHT
from groundwire.report.words import SHAPES

if TYPE_CHECKING:
    from docx.document import Document
    from docx.styles.style import ParagraphStyle
    from docx.table import Table as DocxTable
    from docx.text.paragraph import Paragraph as DocxParagraph
    from docx.text.run import Run

_SYMBOLS = "Segoe UI Symbol"
_RUNNING = 90
_BAR = 20  # characters of a full bar


class _Faces(NamedTuple):
    serif: str
    sans: str
    language: str


# Latin faces are the same everywhere; of the Chinese ones Word takes its own if they are missing.
_SERIF, _SANS = "Georgia", "Calibri"
_FACES = {
    "en": _Faces("SimSun", "Microsoft YaHei", "zh-CN"),
    "zh": _Faces("SimSun", "Microsoft YaHei", "zh-CN"),
    "zh-Hant": _Faces("PMingLiU", "Microsoft JhengHei", "zh-TW"),
}


def render(report: Report) -> bytes:
    return ooxml.saved(_Writer(report).written())


class _Writer:
    """One document, written from top to bottom."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.faces = _FACES[report.language]
        self.doc: Document = new_document()
        self.known = {
            entry.number
            for block in report.blocks
            if isinstance(block, Sources)
            for entry in block.items
        }

    def written(self) -> Document:
        self._properties()
        self._styles()
        self._frame()
        self._top()
        for block in self.report.blocks:
            self._block(block)
        if self.report.foot:
            self._line("GW Small", self.report.foot)
        return self.doc

    # --- what surrounds the text -----------------------------------------------------------------

    def _properties(self) -> None:
        """Nothing about the machine or the person: only what the report says of itself."""
        core = self.doc.core_properties
        core.title = cut(self.report.title, 200)
        core.author = core.last_modified_by = "Groundwire"
        core.comments = core.keywords = core.category = ""
        core.subject = self.report.run_id
        core.language = self.report.language
        core.created = core.modified = self.report.made_at.replace(tzinfo=None)
        core.revision = 1

    def _styles(self) -> None:
        latin = "en-US"
        ooxml.set_language(self.doc, latin, self.faces.language)
        for name, serif, size, color, before, after in (
            ("Normal", True, 11, "ink", 0, 6),
            ("Title", True, 20, "ink", 0, 6),
            ("Heading 1", False, 11, "soft", 20, 6),
            ("Heading 2", True, 12, "ink", 6, 6),
            ("List Bullet", False, 10, "ink", 0, 4),
            ("List Bullet 2", False, 9.5, "ink", 0, 4),
            ("Quote", True, 10.5, "ink", 0, 6),
        ):
            self._style(name, serif, size, color, before, after)
        for name, serif, size, color, after in (
            ("GW Small", False, 9, "soft", 4),
            ("GW Source", True, 11, "ink", 2),
            ("GW Sentence", True, 11, "ink", 6),
        ):
            self.doc.styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
            self._style(name, serif, size, color, 0, after)
        ooxml.without_rule(self._named("Title"))
        quote = self._named("Quote")
        quote.font.italic = False
        quote.paragraph_format.left_indent = Mm(6)
        ooxml.left_rule(quote, LIGHT["line"])
        for name in ("Heading 1", "Heading 2"):
            self._named(name).paragraph_format.keep_with_next = True
        source = self._named("GW Source").paragraph_format
        source.keep_with_next, source.space_before = True, Pt(10)
        sentence = self._named("GW Sentence").paragraph_format
        sentence.left_indent, sentence.first_line_indent = Mm(6), Mm(-6)
        sentence.tab_stops.add_tab_stop(Mm(6))

    def _style(
        self, name: str, serif: bool, size: float, color: str, before: float, after: float
    ) -> None:
        style = self._named(name)
        latin, chinese = (_SERIF, self.faces.serif) if serif else (_SANS, self.faces.sans)
        ooxml.set_font(style.font, latin, chinese, size, LIGHT[color])
        ooxml.set_spacing(style, before, after)

    def _named(self, name: str) -> ParagraphStyle:
        return cast("ParagraphStyle", self.doc.styles[name])

    def _frame(self) -> None:
        """Paper, running title, page numbers."""
        section = self.doc.sections[0]
        section.page_width, section.page_height = Mm(210), Mm(297)
        section.left_margin = section.right_margin = Mm(25)
        section.top_margin = section.bottom_margin = Mm(24)
        section.different_first_page_header_footer = True
        for part in (section.footer, section.first_page_footer):
            line = part.paragraphs[0]
            line.style = self._named("GW Small")
            line.paragraph_format.tab_stops.add_tab_stop(Mm(160), WD_TAB_ALIGNMENT.RIGHT)
            line.add_run(f"{self.report.run_id}\t")
            ooxml.field(line, "PAGE")
            line.add_run(" / ")
            ooxml.field(line, "NUMPAGES")
        head = section.header.paragraphs[0]
        head.style = self._named("GW Small")
        head.add_run(cut(self.report.title, _RUNNING))

    def _top(self) -> None:
        report = self.report
        sample = f" · {report.sample}" if report.sample else ""
        self._line("GW Small", f"Groundwire · {report.label}{sample}")
        if report.tone:
            line = self.doc.add_paragraph()
            score = "" if report.score is None else f"  {report.score:.2f}"
            self._judged(line, report.tone, f"{report.word}{score}", size=14)
        self.doc.add_paragraph(report.title, style="Title")
        for meta in report.meta:
            self._line("GW Small", meta)

    # --- blocks ----------------------------------------------------------------------------------

    def _block(self, block: Block) -> None:
        match block:
            case Heading(text=text):
                self.doc.add_paragraph(text, style="Heading 1")
            case Sentences(items=items):
                for said in items:
                    self._sentence(self.doc.add_paragraph(style="GW Sentence"), said)
            case Points(items=items):
                for said in items:
                    self._point(said)
            case Sides():
                self._sides(block)
            case Paragraph(spans=spans):
                line = self.doc.add_paragraph()
                for span in spans:
                    line.add_run(span.text)
                    self._marks(line, span.marks)
            case Quotation(text=text, about=about):
                self._lines(text, "Quote")
                if about:
                    self._line("GW Small", about)
            case Prose(text=text):
                for paragraph in text.split("\n"):
                    if paragraph:
                        self.doc.add_paragraph(paragraph)
            case Code(text=text):
                self._lines(text, "Quote", mono=True)
            case Notice():
                self._notice(block)
            case Facts(items=items):
                self._table([], [(each.name, each.value) for each in items], widths=(45, 115))
            case Table(head=head, rows=rows):
                self._table(head, rows)
            case Waterfall():
                self._waterfall(block)
            case Sources(items=items):
                for entry in items:
                    self._entry(entry)

    def _line(self, style: str, text: str) -> DocxParagraph:
        return self.doc.add_paragraph(text, style=style)

    def _lines(self, text: str, style: str, *, mono: bool = False) -> None:
        """One paragraph with line breaks."""
        paragraph = self.doc.add_paragraph(style=style)
        for number, line in enumerate(text.split("\n")):
            run = paragraph.add_run()
            if number:
                run.add_break(WD_BREAK.LINE)
            run.add_text(line)
            if mono:
                ooxml.face(run, "Consolas")
                run.font.size = Pt(8.5)

    def _judged(self, line: DocxParagraph, tone: str, word: str, size: float = 9) -> None:
        """Shape and word in their colour."""
        if tone:
            self._shape(line, tone, size)
        if word:
            self._colored(line.add_run(word), LIGHT[tone or "soft"], size)

    def _shape(self, line: DocxParagraph, tone: str, size: float, after: str = " ") -> None:
        shape = line.add_run(f"{SHAPES[tone]}{after}")
        ooxml.face(shape, _SYMBOLS)
        self._colored(shape, LIGHT[tone], size)

    def _colored(self, run: Run, color: str, size: float) -> Run:
        run.font.color.rgb = RGBColor.from_string(color.removeprefix("#"))
        run.font.size = Pt(size)
        return run

    def _marks(self, line: DocxParagraph, marks: Sequence[Mark]) -> None:
        """Numbers that lead to their source."""
        for number, mark in enumerate(marks):
            if number:
                line.add_run(" ").font.superscript = True
            run = line.add_run(str(mark.number))
            run.font.superscript = True
            self._colored(run, LIGHT["accent"], 11)
            if mark.number in self.known:
                ooxml.link_within(run, f"source_{mark.number}")

    def _sentence(self, line: DocxParagraph, said: Statement) -> None:
        if said.tone:
            self._shape(line, said.tone, 9, after="\t")
        line.add_run(said.text)
        self._marks(line, said.marks)
        if said.word:
            self._colored(line.add_run(f"  {said.word}"), LIGHT[said.tone or "soft"], 8.5)

    def _point(self, said: Statement) -> None:
        line = self.doc.add_paragraph(style="List Bullet 2" if said.level else "List Bullet")
        if said.tone:
            self._judged(line, said.tone, said.word)
            line.add_run("  ")
        line.add_run(said.text)
        self._marks(line, said.marks)
        if said.about:
            self._colored(line.add_run(f"  {said.about}"), LIGHT["soft"], 9)

    def _sides(self, block: Sides) -> None:
        self.doc.add_paragraph(block.point, style="Heading 2")
        columns = max(1, min(2, len(block.items)))
        rows = -(-len(block.items) // columns)
        table = self.doc.add_table(rows=rows, cols=columns)
        ooxml.hairlines(table, LIGHT["line"], around=True)
        for number, said in enumerate(block.items):
            cell = table.cell(number // columns, number % columns)
            first = cell.paragraphs[0]
            if said.about:
                first.style = self._named("GW Small")
                first.add_run(said.about)
                first = cell.add_paragraph()
            first.style = self._named("GW Sentence")
            self._sentence(first, said)
        self._after_table()

    def _notice(self, block: Notice) -> None:
        line = self.doc.add_paragraph(style="Quote")
        self._judged(line, block.tone, block.title, size=10)
        line.runs[-1].font.bold = True
        if block.text:
            self._colored(line.add_run(f"  {block.text}"), LIGHT["ink"], 10)

    def _waterfall(self, block: Waterfall) -> None:
        drawn = bars(block)
        rows = [
            (step.rule, "", bar.delta, bar.total, step.reason)
            for step, bar in zip(block.steps, drawn, strict=True)
        ]
        rule, delta, total, reason = block.head
        head = (rule, "", delta, total, reason)
        table = self._table(head, rows, widths=(32, 38, 18, 16, 56), figures=(2, 3))
        for step, bar, row in zip(block.steps, drawn, table.rows[1:], strict=True):
            self._bar(row.cells[1].paragraphs[0], bar)
            self._marks(row.cells[4].paragraphs[0], step.marks)

    def _bar(self, line: DocxParagraph, bar: Bar) -> None:
        """The step's bar, of characters of one width."""
        first = round(bar.x / 100 * _BAR)
        filled = max(1, round(bar.width / 100 * _BAR))
        rest = max(0, _BAR - first - filled)
        for text, color in (
            ("·" * first, "faint"),
            ("█" * filled, bar.tone),
            ("·" * rest, "faint"),
        ):
            run = self._colored(line.add_run(text), LIGHT[color], 6.5)
            ooxml.face(run, "Consolas")

    def _table(
        self,
        head: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        widths: Sequence[float] = (),
        figures: Sequence[int] = (),
    ) -> DocxTable:
        lines = [*([head] if head else []), *rows]
        columns = len(lines[0]) if lines else 1
        table = self.doc.add_table(rows=len(lines), cols=columns)
        ooxml.hairlines(table, LIGHT["line"])
        widths = widths or [160 / columns] * columns
        table.autofit = False
        for column, width in zip(table.columns, widths, strict=True):
            column.width = Mm(width)
        for number, (row, values) in enumerate(zip(table.rows, lines, strict=True)):
            soft = bool(head) and number == 0
            for column, (cell, value) in enumerate(zip(row.cells, values, strict=True)):
                cell.width = Mm(widths[column])
                name = soft or (not head and column == 0)
                self._cell(cell.paragraphs[0], value, soft=name, right=column in figures)
        if head:
            ooxml.repeated(table)
        self._after_table()
        return table

    def _cell(self, line: DocxParagraph, value: str, *, soft: bool, right: bool) -> None:
        line.style = self._named("GW Small")
        self._colored(line.add_run(value), LIGHT["soft" if soft else "ink"], 9)
        if right:
            line.alignment = WD_ALIGN_PARAGRAPH.RIGHT

    def _after_table(self) -> None:
        """Word joins two tables that nothing stands between."""
        self.doc.add_paragraph(style="GW Small")

    def _entry(self, entry: Entry) -> None:
        line = self.doc.add_paragraph(style="GW Source")
        ooxml.bookmark(line, f"source_{entry.number}", entry.number)
        self._colored(line.add_run(f"{entry.number}  "), LIGHT["accent"], 10)
        title = line.add_run(entry.title)
        if entry.link:
            title.font.color.rgb = RGBColor.from_string(LIGHT["accent"].removeprefix("#"))
            ooxml.link_out(title, entry.link)
        known = self.doc.add_paragraph(style="GW Small")
        if entry.publisher:
            known.add_run(entry.publisher).font.bold = True
            known.add_run(" · ")
        known.add_run(" · ".join(entry.about))
        if entry.tone and entry.word:
            known.add_run(" · ")
            self._judged(known, entry.tone, entry.word)
        for quote in entry.quotes:
            self.doc.add_paragraph(f"“{quote}”", style="Quote")
        if entry.where:
            self._line("GW Small", entry.where)
