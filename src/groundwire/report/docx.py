"""A report as a Word file: real headings, tables and links, with the faces of both scripts named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, assert_never, cast

from docx import Document as new_document
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_TAB_ALIGNMENT
from docx.shared import Mm

from groundwire.report import blocks, ooxml
from groundwire.report.bars import Bar, bars
from groundwire.report.ooxml import RuledLine
from groundwire.report.plain import cut
from groundwire.report.tokens import LIGHT, SHAPES

if TYPE_CHECKING:
    from docx.document import Document
    from docx.styles.style import ParagraphStyle

_SYMBOLS = "Segoe UI Symbol"
_MONO = "Consolas"
_RUNNING = 90
_BAR = 20  # characters of a full bar
_WIDTH = 160.0  # millimetres of text
_PIXEL = 25.4 / 96  # millimetres of a pixel of the screen
# The styles of a report: id, whether it is set in the serif, size, colour, space before and after.
_STYLES = (
    ("Normal", True, 11.0, "ink", 0.0, 6.0),
    ("Title", True, 20.0, "ink", 0.0, 6.0),
    ("Heading1", False, 11.0, "soft", 20.0, 6.0),
    ("Heading2", True, 12.0, "ink", 6.0, 6.0),
    ("ListBullet", False, 10.0, "ink", 0.0, 4.0),
    ("ListBullet2", False, 9.5, "ink", 0.0, 4.0),
    ("Quote", True, 10.5, "ink", 0.0, 6.0),
    ("GWSmall", False, 9.0, "soft", 0.0, 4.0),
    ("GWSource", True, 11.0, "ink", 10.0, 2.0),
    ("GWSentence", True, 11.0, "ink", 0.0, 6.0),
)


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


def render(report: blocks.Report) -> bytes:
    document: Document = new_document()
    _properties(document, report)
    _styled(document, _FACES[report.language])
    _framed(document, report)
    _Writer(report, ooxml.Page(document)).write()
    return ooxml.saved(document)


def _properties(document: Document, report: blocks.Report) -> None:
    """Nothing about the machine or the person: only what the report says of itself."""
    core = document.core_properties
    core.title = cut(report.title, 200)
    core.author = core.last_modified_by = "Groundwire"
    core.comments = core.keywords = core.category = ""
    core.subject = report.run_id
    core.language = report.language
    core.created = core.modified = report.made_at.replace(tzinfo=None)
    core.revision = 1


def _styled(document: Document, faces: _Faces) -> None:
    ooxml.set_language(document, "en-US", faces.language)
    for name in ("GWSmall", "GWSource", "GWSentence"):
        style = cast("ParagraphStyle", document.styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH))
        style.base_style = document.styles["Normal"]
    styles = {style.style_id: cast("ParagraphStyle", style) for style in document.styles}
    for name, serif, size, color, before, after in _STYLES:
        latin, chinese = (_SERIF, faces.serif) if serif else (_SANS, faces.sans)
        ooxml.set_font(styles[name].font, latin, chinese, size, LIGHT[color])
        ooxml.set_spacing(styles[name], before, after)
    for name in ("Heading1", "Heading2", "GWSource"):
        styles[name].paragraph_format.keep_with_next = True
    ooxml.without_rule(styles["Title"])
    quote = styles["Quote"]
    quote.font.italic = False
    quote.paragraph_format.left_indent = Mm(6)
    ooxml.left_rule(quote, LIGHT["line"])
    sentence = styles["GWSentence"].paragraph_format
    sentence.left_indent, sentence.first_line_indent = Mm(6), Mm(-6)
    sentence.tab_stops.add_tab_stop(Mm(6))
    stops = styles["GWSmall"].paragraph_format.tab_stops
    stops.add_tab_stop(Mm(_WIDTH), WD_TAB_ALIGNMENT.RIGHT)
    styles["ListBullet2"].paragraph_format.left_indent = Mm(12)
    styles["Normal"].paragraph_format.widow_control = True


def _framed(document: Document, report: blocks.Report) -> None:
    """Paper, running title, page numbers."""
    section = document.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(25)
    section.top_margin = section.bottom_margin = Mm(24)
    section.different_first_page_header_footer = True
    for part in (section.footer, section.first_page_footer):
        line = RuledLine("GWSmall").add(f"{report.run_id}\t")
        ooxml.fill(part, line.field("PAGE").add(" / ").field("NUMPAGES"))
    ooxml.fill(section.header, RuledLine("GWSmall").add(cut(report.title, _RUNNING)))


class _Writer:
    """One report, block by block."""

    def __init__(self, report: blocks.Report, page: ooxml.Page) -> None:
        self.report = report
        self.page = page
        self.known = report.entries()

    def write(self) -> None:
        self._top()
        for block in self.report.blocks:
            self._block(block)
        if self.report.foot:
            self._put(RuledLine("GWSmall").add(self.report.foot))

    def _put(self, *lines: RuledLine) -> None:
        for line in lines:
            self.page.put(line.xml)

    def _top(self) -> None:
        report = self.report
        sample = f" · {report.sample}" if report.sample else ""
        self._put(RuledLine("GWSmall").add(f"Groundwire · {report.label}{sample}"))
        if report.tone:
            score = "" if report.score is None else f"  {report.score:.2f}"
            self._put(_judged(RuledLine("Normal"), report.tone, f"{report.word}{score}", 14))
        self._put(RuledLine("Title").add(report.title))
        self._put(*(RuledLine("GWSmall").add(meta) for meta in report.meta))

    def _block(self, block: blocks.Block) -> None:
        match block:
            case blocks.Heading(text=text):
                self._put(RuledLine("Heading1").add(text))
            case blocks.Sentences(items=items):
                self._put(*(self._sentence(said) for said in items))
            case blocks.Points(items=items):
                self._put(*(self._point(said) for said in items))
            case blocks.Sides():
                self._sides(block)
            case blocks.Paragraph(spans=spans):
                line = RuledLine("Normal")
                for span in spans:
                    self._marks(line.add(span.text), span.marks)
                self._put(line)
            case blocks.Quotation(text=text, about=about):
                self._put(_lines("Quote", text))
                if about:
                    self._put(RuledLine("GWSmall").add(about))
            case blocks.Prose(text=text):
                self._put(*(RuledLine("Normal").add(part) for part in text.split("\n") if part))
            case blocks.Code(text=text):
                self._put(_lines("Quote", text, face=_MONO, size=8.5))
            case blocks.Notice():
                self._put(_notice(block))
            case blocks.FactList(items=items):
                rows = [(_cell(each.name, soft=True), _cell(each.value)) for each in items]
                self._table(rows, (45.0, 115.0), head=False)
            case blocks.Table():
                self._plain_table(block)
            case blocks.Figure():
                self._figure(block)
            case blocks.Timeline(items=items):
                rows = [(_cell(node.dates[0].when, soft=True), self._node(node)) for node in items]
                self._table(rows, (28.0, 132.0), head=False)
            case blocks.Diff():
                self._diff(block)
            case blocks.Waterfall():
                self._waterfall(block)
            case blocks.Sources(items=items):
                for entry in items:
                    self._put(*self._entry(entry))
            case blocks.Origins():
                self._put(*(self._point(said) for said in block.statements()))
            case blocks.NextSteps():
                return  # for who sits at the desk
            case _:
                assert_never(block)

    def _table(
        self, rows: Sequence[Sequence[RuledLine]], widths: Sequence[float], *, head: bool
    ) -> None:
        if rows:
            cells = [[[line] for line in row] for row in rows]
            self.page.put(ooxml.table(cells, widths, LIGHT["line"], head=head))
            self._put(RuledLine("GWSmall"))  # Word joins two tables that nothing stands between

    def _marks(self, line: RuledLine, marks: Sequence[blocks.Mark]) -> RuledLine:
        """Numbers that lead to their source."""
        for number, mark in enumerate(marks):
            if number:
                line.add(" ", raised=True)
            anchor = f"source_{mark.number}" if mark.number in self.known else ""
            line.add(str(mark.number), raised=True, color=LIGHT["accent"], anchor=anchor)
        return line

    def _sentence(self, said: blocks.Statement) -> RuledLine:
        line = RuledLine("GWSentence")
        if said.tone:
            line.add(f"{SHAPES[said.tone]}\t", color=LIGHT[said.tone], size=9, face=_SYMBOLS)
        self._marks(line.add(said.text), said.marks)
        if said.word:
            line.add(f"  {said.word}", color=LIGHT[said.tone or "soft"], size=8.5)
        return line

    def _point(self, said: blocks.Statement) -> RuledLine:
        line = RuledLine("ListBullet2" if said.level else "ListBullet")
        if said.tone:
            _judged(line, said.tone, f"{said.word}  ", 9)
        self._marks(line.add(said.text), said.marks)
        if said.about:
            line.add(f"  {said.about}", color=LIGHT["soft"], size=9)
        return line

    def _sides(self, block: blocks.Sides) -> None:
        self._put(RuledLine("Heading2").add(block.point))
        columns = max(1, min(2, len(block.items)))
        cells: list[list[RuledLine]] = []
        for said in block.items:
            about = [RuledLine("GWSmall").add(said.about)] if said.about else []
            cells.append([*about, self._sentence(said)])
        cells += [[RuledLine("GWSmall")]] * (-len(cells) % columns)
        rows = [cells[at : at + columns] for at in range(0, len(cells), columns)]
        widths = [_WIDTH / columns] * columns
        self.page.put(ooxml.table(rows, widths, LIGHT["line"], head=False, boxed=True))
        self._put(RuledLine("GWSmall"))

    def _plain_table(self, block: blocks.Table) -> None:
        lines = [[_cell(name, soft=True) for name in block.head]]
        lines += [[_cell(value) for value in row] for row in block.rows]
        self._table(lines, [_WIDTH / len(block.head)] * len(block.head), head=True)

    def _figure(self, block: blocks.Figure) -> None:
        """The picture if Word can draw it; its data in any case."""
        picture = block.picture
        if picture is not None and picture.media_type == "image/png":
            self.page.picture(picture.data, min(_WIDTH, picture.width * _PIXEL))
        self._put(self._marks(RuledLine("GWSmall").add(block.caption), block.marks))
        if block.table is not None:
            self._plain_table(block.table)

    def _node(self, node: blocks.TimelineNode) -> RuledLine:
        line = RuledLine("GWSmall")
        if node.tone:
            _judged(line, node.tone, f"{node.word}  ", 9)
        line.add(node.text, color=LIGHT["ink"], size=10, bold=node.weight == "high")
        self._marks(line, (*node.dates[0].marks, *node.marks))
        for said in (node.thread, node.about):
            if said:
                line.add(f"  {said}", color=LIGHT["soft"], size=9)
        for each in node.dates[1:]:
            line.end_line().add(f"{each.when} {each.who}".strip(), color=LIGHT["soft"], size=9)
            self._marks(line, each.marks)
        return line

    def _diff(self, block: blocks.Diff) -> None:
        before, after = block.head
        rows: list[list[RuledLine]] = []
        if before or after:
            rows.append([_cell(name, soft=True) for name in ("", before, after)])
        for each in block.rows:
            now = self._marks(_cell(each.after), each.after_marks)
            if each.about:
                now.add(f"  {each.about}", color=LIGHT["soft"], size=9)
            rows.append(
                [
                    _cell(f"{blocks.CHANGES[each.change]} {each.word}", soft=True),
                    self._marks(_cell(each.before), each.before_marks),
                    now,
                ]
            )
        self._table(rows, (30.0, 65.0, 65.0), head=bool(before or after))

    def _waterfall(self, block: blocks.Waterfall) -> None:
        rule, delta, total, reason = block.head
        rows: list[list[RuledLine]] = [
            [
                _cell(rule, soft=True),
                _cell("", soft=True),
                _cell(delta, soft=True, right=True),
                _cell(total, soft=True, right=True),
                _cell(reason, soft=True),
            ]
        ]
        for step, bar in zip(block.steps, bars(block), strict=True):
            figures = (_cell(bar.delta, right=True), _cell(bar.total, right=True))
            why = self._marks(_cell(step.reason), step.marks)
            rows.append([_cell(step.rule), _bar(bar), *figures, why])
        self._table(rows, (32.0, 38.0, 18.0, 16.0, 56.0), head=True)

    def _entry(self, entry: blocks.SourceEntry) -> list[RuledLine]:
        title = RuledLine("GWSource").bookmark(f"source_{entry.number}", entry.number)
        title.add(f"{entry.number}  ", color=LIGHT["accent"], size=10)
        if entry.link:
            title.add(entry.title, color=LIGHT["accent"], link=self.page.relation(entry.link))
        else:
            title.add(entry.title)
        known = RuledLine("GWSmall")
        if entry.publisher:
            known.add(entry.publisher, bold=True).add(" · ")
        known.add(" · ".join(entry.about))
        if entry.tone and entry.word:
            _judged(known.add(" · "), entry.tone, entry.word, 9)
        quotes = [RuledLine("Quote").add(f"“{quote.text}”") for quote in entry.quotes]
        where = [RuledLine("GWSmall").add(entry.where)] if entry.where else []
        return [title, known, *quotes, *where]


def _judged(line: RuledLine, tone: str, word: str, size: float) -> RuledLine:
    """Shape and word in their colour."""
    color = LIGHT[tone or "soft"]
    if tone:
        line.add(f"{SHAPES[tone]} ", color=color, size=size, face=_SYMBOLS)
    return line.add(word, color=color, size=size) if word else line


def _lines(style: str, text: str, face: str = "", size: float = 0) -> RuledLine:
    """One paragraph with line breaks."""
    line = RuledLine(style)
    for number, part in enumerate(text.split("\n")):
        if number:
            line.end_line()
        line.add(part, face=face, size=size)
    return line


def _notice(block: blocks.Notice) -> RuledLine:
    line = RuledLine("Quote")
    color = LIGHT[block.tone or "soft"]
    if block.tone:
        line.add(f"{SHAPES[block.tone]} ", color=color, size=10, face=_SYMBOLS)
    line.add(block.title, color=color, size=10, bold=True)
    return line.add(f"  {block.text}", size=10) if block.text else line


def _cell(text: str, *, soft: bool = False, right: bool = False) -> RuledLine:
    return RuledLine("GWSmall", right=right).add(
        text, color=LIGHT["soft" if soft else "ink"], size=9
    )


def _bar(bar: Bar) -> RuledLine:
    """A step's bar, of characters of one width."""
    first = min(_BAR - 1, round(bar.x / 100 * _BAR))
    filled = max(1, round(bar.width / 100 * _BAR))
    rest = max(0, _BAR - first - filled)
    line = RuledLine("GWSmall")
    for text, color in (("·" * first, "faint"), ("█" * filled, bar.tone), ("·" * rest, "faint")):
        line.add(text, color=LIGHT[color], size=6.5, face=_MONO)
    return line
