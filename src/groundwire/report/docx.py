"""A report as a Word file: real headings, tables and links, with the faces of both scripts named.

python-docx has the empty document, its styles and its packaging; the text is written by a template,
because python-docx searches the styles and the whole body for every paragraph: ten thousand take
minutes.
"""

from __future__ import annotations

import io
import zipfile
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from docx import Document as new_document
from docx import oxml
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_TAB_ALIGNMENT
from docx.opc.constants import RELATIONSHIP_TYPE as RELATION
from docx.oxml.ns import nsdecls, qn
from docx.shared import Mm, Pt, RGBColor
from markupsafe import Markup

from groundwire.report.blocks import FigureImage, Report
from groundwire.report.html import environment
from groundwire.report.plain import cut
from groundwire.report.statements import CHANGES
from groundwire.report.tokens import LIGHT, SHAPES
from groundwire.report.waterfall import printed_bars

if TYPE_CHECKING:
    from docx.document import Document
    from docx.styles.style import ParagraphStyle
    from docx.text.font import Font

_RUNNING = 90
_WIDTH = 160.0  # millimetres of text
_PIXEL = 25.4 / 96  # millimetres of a pixel of the screen
_TWIPS = 1440 / 25.4  # a millimetre
_COLORS = {name: value.removeprefix("#") for name, value in LIGHT.items()}
_EPOCH = (1980, 1, 1, 0, 0, 0)
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
_SIMPLIFIED = _Faces("SimSun", "Microsoft YaHei", "zh-CN")
_TRADITIONAL = _Faces("PMingLiU", "Microsoft JhengHei", "zh-TW")


def render(report: Report) -> bytes:
    document: Document = new_document()
    _properties(document, report)
    _style(document, _TRADITIONAL if report.language == "zh-Hant" else _SIMPLIFIED)
    _write(document, report)
    return _save(document)


def _properties(document: Document, report: Report) -> None:
    """Set only what the report says of itself: nothing about the machine or the person."""
    core = document.core_properties
    core.title = cut(report.title, 200)
    core.author = core.last_modified_by = "Groundwire"
    core.comments = core.keywords = core.category = ""
    core.subject = report.run_id
    core.language = report.language
    core.created = core.modified = report.made_at.replace(tzinfo=None)
    core.revision = 1


def _style(document: Document, faces: _Faces) -> None:
    _set_language(document, "en-US", faces.language)
    for name in ("GWSmall", "GWSource", "GWSentence"):
        style = cast("ParagraphStyle", document.styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH))
        style.base_style = document.styles["Normal"]
    styles = {style.style_id: cast("ParagraphStyle", style) for style in document.styles}
    for name, serif, size, color, before, after in _STYLES:
        latin, chinese = (_SERIF, faces.serif) if serif else (_SANS, faces.sans)
        _set_font(styles[name].font, latin, chinese, size, _COLORS[color])
        form = styles[name].paragraph_format
        form.space_before, form.space_after, form.line_spacing = Pt(before), Pt(after), 1.25
    for name in ("Heading1", "Heading2", "GWSource"):
        styles[name].paragraph_format.keep_with_next = True
    _without_rule(styles["Title"])
    quote = styles["Quote"]
    quote.font.italic = False
    quote.paragraph_format.left_indent = Mm(6)
    _left_rule(quote, _COLORS["line"])
    sentence = styles["GWSentence"].paragraph_format
    sentence.left_indent, sentence.first_line_indent = Mm(6), Mm(-6)
    sentence.tab_stops.add_tab_stop(Mm(6))
    stops = styles["GWSmall"].paragraph_format.tab_stops
    stops.add_tab_stop(Mm(_WIDTH), WD_TAB_ALIGNMENT.RIGHT)
    styles["ListBullet2"].paragraph_format.left_indent = Mm(12)
    styles["Normal"].paragraph_format.widow_control = True


def _write(document: Document, report: Report) -> None:
    """Write paper size, running title, page numbers, and all that the report says."""
    section = document.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(25)
    section.top_margin = section.bottom_margin = Mm(24)
    section.different_first_page_header_footer = True
    template = environment().get_template("report-docx.xml.j2")
    written: Any = template.make_module(
        {
            "report": report,
            "running": cut(report.title, _RUNNING),
            "known": report.entries().keys(),
            "colors": _COLORS,
            "shapes": SHAPES,
            "changes": CHANGES,
            "width": _WIDTH,
            "bars": printed_bars,
            "twips": _twips,
            "drawn": partial(_draw, document),
            "relation": _Links(document).relation,
        }
    )
    for part in (section.footer, section.first_page_footer):
        _fill(part, written.footer())
    _fill(section.header, written.header())
    end = _xml(document.element.body).sectPr
    for each in _elements(written.body()):
        end.addprevious(each)


def _twips(millimetres: float) -> int:
    return round(millimetres * _TWIPS)


def _elements(xml: str) -> list[Any]:
    holder = cast(Any, oxml).parse_xml(f"<w:body {nsdecls('w', 'r')}>{xml}</w:body>")
    return list(holder)


def _fill(holder: Any, xml: str) -> None:
    """Put a line in place of the empty paragraph that a header or footer begins with."""
    old = holder.paragraphs[0]._element
    for each in _elements(xml):
        old.addprevious(each)
    old.getparent().remove(old)


def _draw(document: Document, picture: FigureImage) -> Markup:
    """Add a picture to the document, and return its paragraph."""
    width = Mm(min(_WIDTH, picture.width * _PIXEL))
    inline = _xml(document.add_picture(io.BytesIO(picture.data), width=width))._inline
    paragraph = inline.getparent().getparent().getparent()
    paragraph.getparent().remove(paragraph)
    return Markup(paragraph.xml)


class _Links:
    """Addresses of the web by the ids under which they are known in a document."""

    def __init__(self, document: Document) -> None:
        self._relations = document.part.rels
        self._names: dict[str, str] = {}

    def relation(self, address: str) -> str:
        if address not in self._names:
            name = self._names[address] = f"rIdLink{len(self._names) + 1}"
            self._relations.add_relationship(RELATION.HYPERLINK, address, name, True)
        return self._names[address]


def _xml(part: Any) -> Any:
    """Return a value as what python-docx does not type."""
    return part


def _set_font(font: Font, latin: str, chinese: str, size: float, color: str) -> None:
    """Set a face for each script: without a Chinese one, Word takes whatever it finds first."""
    font.name = latin
    font.size = Pt(size)
    font.color.rgb = RGBColor.from_string(color)
    fonts = _xml(font).element.rPr.rFonts
    for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
        fonts.attrib.pop(qn(f"w:{theme}"), None)
    for script, name in (("eastAsia", chinese), ("cs", latin)):
        fonts.set(qn(f"w:{script}"), name)


def _left_rule(style: ParagraphStyle, color: str) -> None:
    """Draw a line at the left of what is quoted."""
    line = f'<w:left w:val="single" w:sz="12" w:space="8" w:color="{color}"/>'
    (borders,) = _elements(f"<w:pBdr>{line}</w:pBdr>")
    form = _xml(style).element.get_or_add_pPr()
    form.insert_element_before(borders, "w:shd", "w:tabs", "w:spacing", "w:ind", "w:jc", "w:rPr")


def _without_rule(style: ParagraphStyle) -> None:
    """Remove the line that the template draws under its title."""
    form = _xml(style).element.get_or_add_pPr()
    form.remove(form.find(qn("w:pBdr")))


def _set_language(document: Document, latin: str, chinese: str) -> None:
    """Set which dictionary and which glyph forms are meant."""
    defaults = _xml(document.styles).element.find(qn("w:docDefaults"))
    run = defaults.find(qn("w:rPrDefault")).find(qn("w:rPr"))
    run.remove(run.find(qn("w:lang")))
    run.extend(_elements(f'<w:lang w:val="{latin}" w:eastAsia="{chinese}"/>'))


def _save(document: Document) -> bytes:
    """Save without what the empty template brought along; the same report, the same bytes."""
    relations = cast(Any, document.part.package).rels
    for relation in list(relations.values()):
        if relation.reltype.endswith(("/thumbnail", "/extended-properties")):
            del relations[relation.rId]
    saved = io.BytesIO()
    document.save(saved)
    out = io.BytesIO()
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in sorted(old.namelist(), key=lambda name: (name != "[Content_Types].xml", name)):
            info = zipfile.ZipInfo(name, date_time=_EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, old.read(name))
    return out.getvalue()
