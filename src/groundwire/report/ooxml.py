"""Word's XML as reports need it: lines, links, bookmarks, fields and tables, each made once.

python-docx has the empty document, its styles and its packaging. The text is built here, because
there every paragraph looks through the styles and the whole body: ten thousand take minutes.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from docx import oxml
from docx.opc.constants import RELATIONSHIP_TYPE as RELATION
from docx.oxml.ns import qn
from docx.shared import Mm, Pt, RGBColor

if TYPE_CHECKING:
    from docx.document import Document
    from docx.styles.style import ParagraphStyle
    from docx.text.font import Font

_EPOCH = (1980, 1, 1, 0, 0, 0)
_PRESERVE = "{http://www.w3.org/XML/1998/namespace}space"
_TWIPS = 1440 / 25.4  # a millimetre


def element(tag: str, /, **attributes: str) -> Any:
    """An element such as `w:tab`, its attributes in the same name space."""
    found = cast(Any, oxml).OxmlElement(tag)
    for key, value in attributes.items():
        found.set(qn(f"w:{key}"), value)
    return found


def within(parent: Any, tag: str, /, **attributes: str) -> Any:
    """A new last child."""
    child = element(tag, **attributes)
    parent.append(child)
    return child


class RuledLine:
    """A paragraph under a style."""

    def __init__(self, style: str, *, right: bool = False) -> None:
        self.xml = element("w:p")
        form = within(self.xml, "w:pPr")
        within(form, "w:pStyle", val=style)
        if right:
            within(form, "w:jc", val="right")

    def add(
        self,
        text: str,
        *,
        color: str = "",
        size: float = 0,
        face: str = "",
        bold: bool = False,
        raised: bool = False,
        anchor: str = "",
        link: str = "",
    ) -> RuledLine:
        """A stretch of text; `anchor` leads to a bookmark, `link` is the id of a relation."""
        holder = self.xml
        if anchor:
            holder = within(holder, "w:hyperlink", anchor=anchor, history="1")
        elif link:
            holder = within(holder, "w:hyperlink")
            holder.set(qn("r:id"), link)
        run = within(holder, "w:r")
        form = within(run, "w:rPr")
        if face:
            within(form, "w:rFonts", ascii=face, hAnsi=face, eastAsia=face, cs=face)
        if bold:
            within(form, "w:b")
        if color:
            within(form, "w:color", val=color.removeprefix("#"))
        if size:
            within(form, "w:sz", val=str(round(size * 2)))
        if raised:
            within(form, "w:vertAlign", val="superscript")
        for number, piece in enumerate(text.split("\t")):
            if number:
                within(run, "w:tab")
            if piece:
                said = within(run, "w:t")
                said.set(_PRESERVE, "preserve")
                said.text = piece
        return self

    def end_line(self) -> RuledLine:
        within(within(self.xml, "w:r"), "w:br")
        return self

    def bookmark(self, name: str, number: int) -> RuledLine:
        within(self.xml, "w:bookmarkStart", id=str(number), name=name)
        within(self.xml, "w:bookmarkEnd", id=str(number))
        return self

    def field(self, code: str) -> RuledLine:
        """A figure that Word fills in, such as PAGE."""
        self._mark("begin")
        within(within(self.xml, "w:r"), "w:instrText").text = f" {code} "
        self._mark("separate")
        self.add("1")
        self._mark("end")
        return self

    def _mark(self, kind: str) -> None:
        within(within(self.xml, "w:r"), "w:fldChar", fldCharType=kind)


Rows = Sequence[Sequence[Sequence[RuledLine]]]  # rows of cells of lines


def table(
    rows: Rows, widths: Sequence[float], color: str, *, head: bool, boxed: bool = False
) -> Any:
    """A table of so many millimetres, with hairlines between its rows or around every cell."""
    made = element("w:tbl")
    form = within(made, "w:tblPr")
    within(form, "w:tblW", w=str(round(sum(widths) * _TWIPS)), type="dxa")
    borders = within(form, "w:tblBorders")
    sides = ("top", "left", "bottom", "right", "insideH", "insideV") if boxed else ("insideH",)
    for side in sides:
        within(borders, f"w:{side}", val="single", sz="4", space="0", color=color.removeprefix("#"))
    within(form, "w:tblLayout", type="fixed")
    grid = within(made, "w:tblGrid")
    for width in widths:
        within(grid, "w:gridCol", w=str(round(width * _TWIPS)))
    for number, cells in enumerate(rows):
        row = within(made, "w:tr")
        kept = within(row, "w:trPr")
        within(kept, "w:cantSplit")
        if head and number == 0:
            within(kept, "w:tblHeader")  # it stands on every page that the table reaches
        for cell, width in zip(cells, widths, strict=True):
            holder = within(row, "w:tc")
            within(within(holder, "w:tcPr"), "w:tcW", w=str(round(width * _TWIPS)), type="dxa")
            for line in cell:
                holder.append(line.xml)
    return made


class Page:
    """The body of a document, written from top to bottom."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._end = _xml(document.element.body).sectPr
        self._links: dict[str, str] = {}

    def put(self, part: Any) -> None:
        self._end.addprevious(part)

    def picture(self, data: bytes, width: float) -> None:
        """A picture of so many millimetres."""
        self.document.add_picture(io.BytesIO(data), width=Mm(width))

    def relation(self, address: str) -> str:
        """The id under which an address of the web is known in this document."""
        if address not in self._links:
            name = f"rIdLink{len(self._links) + 1}"
            self.document.part.rels.add_relationship(RELATION.HYPERLINK, address, name, True)
            self._links[address] = name
        return self._links[address]


def _xml(part: Any) -> Any:
    """What python-docx does not type."""
    return part


def fill(holder: Any, line: RuledLine) -> None:
    """The line in place of the empty paragraph that a header or footer begins with."""
    old = holder.paragraphs[0]._element
    old.addprevious(line.xml)
    old.getparent().remove(old)


def set_font(font: Font, latin: str, chinese: str, size: float, color: str) -> None:
    """A face for each script: without one for Chinese, Word takes whatever it finds first."""
    font.name = latin
    font.size = Pt(size)
    font.color.rgb = RGBColor.from_string(color.removeprefix("#"))
    fonts = _xml(font).element.rPr.rFonts
    for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
        fonts.attrib.pop(qn(f"w:{theme}"), None)
    for script, name in (("eastAsia", chinese), ("cs", latin)):
        fonts.set(qn(f"w:{script}"), name)


def set_spacing(style: ParagraphStyle, before: float, after: float, line: float = 1.25) -> None:
    form = style.paragraph_format
    form.space_before, form.space_after, form.line_spacing = Pt(before), Pt(after), line


def left_rule(style: ParagraphStyle, color: str) -> None:
    """A line at the left of what is quoted."""
    borders = element("w:pBdr")
    within(borders, "w:left", val="single", sz="12", space="8", color=color.removeprefix("#"))
    form = _xml(style).element.get_or_add_pPr()
    form.insert_element_before(borders, "w:shd", "w:tabs", "w:spacing", "w:ind", "w:jc", "w:rPr")


def without_rule(style: ParagraphStyle) -> None:
    """The line that the template draws under its title."""
    form = _xml(style).element.get_or_add_pPr()
    for border in form.findall(qn("w:pBdr")):
        form.remove(border)


def set_language(document: Document, latin: str, chinese: str) -> None:
    """Which dictionary and which glyph forms are meant."""
    run = _xml(document.styles).element.find(qn("w:docDefaults"))
    run = run.find(qn("w:rPrDefault")).find(qn("w:rPr"))
    for old in run.findall(qn("w:lang")):
        run.remove(old)
    within(run, "w:lang", val=latin, eastAsia=chinese)


def saved(document: Document) -> bytes:
    """The file without what the empty template brought along; the same report, the same bytes."""
    relations = cast(Any, document.part.package).rels
    for relation in list(relations.values()):
        if relation.reltype.endswith(("/thumbnail", "/extended-properties")):
            del relations[relation.rId]
    made = io.BytesIO()
    document.save(made)
    out = io.BytesIO()
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in sorted(old.namelist(), key=lambda name: (name != "[Content_Types].xml", name)):
            info = zipfile.ZipInfo(name, date_time=_EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, old.read(name))
    return out.getvalue()
