"""Word's XML where python-docx has no words for it: fonts of two scripts, links, bookmarks, fields."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Any, cast

from docx import oxml
from docx.opc.constants import RELATIONSHIP_TYPE as RELATION
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor

if TYPE_CHECKING:
    from docx.document import Document
    from docx.styles.style import ParagraphStyle
    from docx.table import Table
    from docx.text.font import Font
    from docx.text.paragraph import Paragraph
    from docx.text.run import Run

_EPOCH = (1980, 1, 1, 0, 0, 0)


def element(tag: str, /, **attributes: str) -> Any:
    """An element such as `w:tab`, its attributes in the same name space."""
    found = cast(Any, oxml).OxmlElement(tag)
    for key, value in attributes.items():
        found.set(qn(f"w:{key}"), value)
    return found


def xml(part: Any) -> Any:
    """The element behind a part of python-docx, which types none of them."""
    return part._element


def set_font(font: Font, latin: str, chinese: str, size: float, color: str) -> None:
    """A face for each script: without one for Chinese, Word takes whatever it finds first."""
    font.name = latin
    font.size = Pt(size)
    font.color.rgb = RGBColor.from_string(color.removeprefix("#"))
    fonts = xml(font).rPr.rFonts
    for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
        fonts.attrib.pop(qn(f"w:{theme}"), None)
    for script, name in (("eastAsia", chinese), ("cs", latin)):
        fonts.set(qn(f"w:{script}"), name)


def set_spacing(style: ParagraphStyle, before: float, after: float, line: float = 1.25) -> None:
    form = style.paragraph_format
    form.space_before, form.space_after, form.line_spacing = Pt(before), Pt(after), line


def face(run: Run, name: str) -> None:
    """One face for whatever script: that of the shapes."""
    fonts = element("w:rFonts", ascii=name, hAnsi=name, eastAsia=name, cs=name)
    xml(run).get_or_add_rPr().insert(0, fonts)


def moved_into(link: Any, run: Run) -> None:
    """The run becomes what the link shows, at the place where it stood."""
    xml(run).addprevious(link)
    link.append(xml(run))


def link_out(run: Run, address: str) -> None:
    """An address of the web behind a run."""
    link = element("w:hyperlink")
    link.set(qn("r:id"), run.part.relate_to(address, RELATION.HYPERLINK, is_external=True))
    moved_into(link, run)


def link_within(run: Run, bookmark: str) -> None:
    moved_into(element("w:hyperlink", anchor=bookmark, history="1"), run)


def bookmark(paragraph: Paragraph, name: str, number: int) -> None:
    xml(paragraph).append(element("w:bookmarkStart", id=str(number), name=name))
    xml(paragraph).append(element("w:bookmarkEnd", id=str(number)))


def field(paragraph: Paragraph, code: str) -> None:
    """A figure that Word fills in, such as PAGE."""
    for kind in ("begin", "separate", "end"):
        xml(paragraph.add_run()).append(element("w:fldChar", fldCharType=kind))
        if kind == "begin":
            said = element("w:instrText")
            said.text = f" {code} "
            xml(paragraph.add_run()).append(said)
        if kind == "separate":
            paragraph.add_run("1")


def left_rule(style: ParagraphStyle, color: str, size: int = 12) -> None:
    """A line at the left of what is quoted."""
    borders = element("w:pBdr")
    borders.append(
        element("w:left", val="single", sz=str(size), space="8", color=color.removeprefix("#"))
    )
    form = xml(style).get_or_add_pPr()
    form.insert_element_before(borders, "w:shd", "w:tabs", "w:spacing", "w:ind", "w:jc", "w:rPr")


def without_rule(style: ParagraphStyle) -> None:
    """The line that the template draws under its title."""
    form = xml(style).get_or_add_pPr()
    for border in form.findall(qn("w:pBdr")):
        form.remove(border)


def hairlines(table: Table, color: str, *, around: bool = False) -> None:
    """Lines between the rows, or around every cell."""
    borders = element("w:tblBorders")
    sides = ("top", "left", "bottom", "right", "insideH", "insideV") if around else ("insideH",)
    for side in sides:
        line = element(f"w:{side}", val="single", sz="4", space="0", color=color.removeprefix("#"))
        borders.append(line)
    xml(table).tblPr.append(borders)


def repeated(table: Table) -> None:
    """The first row stands on every page that the table reaches, and no row is torn."""
    for number, row in enumerate(table.rows):
        form = xml(row).get_or_add_trPr()
        form.append(element("w:cantSplit"))
        if number == 0:
            form.append(element("w:tblHeader"))


def set_language(document: Document, latin: str, chinese: str) -> None:
    """Which dictionary and which glyph forms are meant."""
    run = xml(document.styles).find(qn("w:docDefaults")).find(qn("w:rPrDefault")).find(qn("w:rPr"))
    for old in run.findall(qn("w:lang")):
        run.remove(old)
    run.append(element("w:lang", val=latin, eastAsia=chinese))


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
