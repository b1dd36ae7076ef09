"""Word and Excel files: their words, in both languages, and none of their bombs."""

from __future__ import annotations

import io
import zipfile

import pytest
from docx import Document

from groundwire.errors import TooLarge, Unreadable
from groundwire.fetch import office
from groundwire.fetch.extract import extract
from groundwire.fetch.extracted import DOCX, XLSX
from groundwire.fetch.office import read_office

EN = "The Lantern Bridge over the river Aske was opened to traffic on 4 May 2021."
ZH = "灯笼大桥于2021年5月4日正式通车，总造价为2.12亿美元，全部由维尔莫拉市政府承担。"
_BOOK = (
    '<workbook xmlns="m" xmlns:r="r"><sheets><sheet name="{name}" sheetId="1" r:id="rId1"/>'
    "</sheets></workbook>"
)
_LINKS = '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>'


def word(*lines: str) -> bytes:
    made = Document()
    for line in lines:
        made.add_paragraph(line)
    table = made.add_table(rows=1, cols=2)
    table.cell(0, 0).text, table.cell(0, 1).text = "cost 造价", "212"
    made.core_properties.title = "Bridge 大桥"
    made.core_properties.author = "Ada"
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def packed(**parts: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), text)
    return out.getvalue()


def excel(text: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", _BOOK.format(name="桥 bridges"))
        archive.writestr("xl/_rels/workbook.xml.rels", _LINKS)
        archive.writestr(
            "xl/sharedStrings.xml", f"<sst><si><t>{text}</t><rPh><t>ping</t></rPh></si></sst>"
        )
        archive.writestr(
            "xl/worksheets/sheet1.xml",
            '<worksheet><sheetData><row><c t="s"><v>0</v></c><c><v>212</v></c>'
            '<c t="inlineStr"><is><t>open 开放</t></is></c></row><row><c/></row></sheetData>'
            "</worksheet>",
        )
    return out.getvalue()


@pytest.mark.parametrize(("text", "language"), [(EN, "en"), (ZH, "zh")])
def test_a_document_gives_its_paragraphs_and_tables(text: str, language: str) -> None:
    found = extract(word(text, text), DOCX, "file:///a.docx")
    assert found.text.splitlines()[0] == text
    assert "cost 造价 | 212" in found.text
    assert (found.title, found.author, found.language) == ("Bridge 大桥", "Ada", language)
    assert found.media_type == DOCX


@pytest.mark.parametrize("text", [EN, ZH])
def test_a_workbook_gives_its_sheets_as_tables(text: str) -> None:
    found = extract(excel(text), XLSX, "file:///a.xlsx")
    assert found.text.splitlines() == ["桥 bridges", f"{text} | 212 | open 开放"]


@pytest.mark.parametrize("kind", [DOCX, XLSX])
@pytest.mark.parametrize("body", [b"PK nothing", b"", packed(a="b")])
def test_what_is_no_such_file_is_refused(kind: str, body: bytes) -> None:
    with pytest.raises(Unreadable):
        read_office(body, kind)


def test_a_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office, "_MOST_PART", 1_000)
    with pytest.raises(TooLarge):
        read_office(packed(word__document_xml="<w><t>" + "x" * 5_000 + "</t></w>"), DOCX)


def test_entities_are_not_unfolded() -> None:
    evil = '<!DOCTYPE a [<!ENTITY b "c">]><a><p><t>&b;</t></p></a>'
    with pytest.raises(Unreadable, match="document type"):
        read_office(packed(word__document_xml=evil), DOCX)
