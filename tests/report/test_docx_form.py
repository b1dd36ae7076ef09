"""The report as a Word file: headings, tables and links that Word knows, and text that does nothing."""

from __future__ import annotations

import io
import re
import zipfile

import docx
import pytest
from docx.document import Document
from docx.oxml.ns import qn
from tests.made_reports import (
    HOSTILE,
    LANGUAGES,
    QUOTES,
    SEARCHED,
    TITLES,
    answer,
    ask_run,
    failed_run,
    file_as,
    hostile_answer,
    hostile_signal,
    tool_run,
    verify_run,
)

from groundwire.jobs.verify.signal import Signal
from groundwire.model.run import Run
from groundwire.report.plain import one_line
from groundwire.report.waterfall import written
from groundwire.words import words


def opened(data: bytes) -> Document:
    return docx.Document(io.BytesIO(data))


def text_of(data: bytes) -> str:
    """Read the file from top to bottom, links and tables included."""
    body = opened(data).element.body
    lines = []
    for paragraph in body.iter(qn("w:p")):
        lines.append("".join(node.text or "" for node in paragraph.iter(qn("w:t"))))
    return "\n".join(lines)


def parts(data: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {
            name: archive.read(name).decode()
            for name in archive.namelist()
            if name.endswith((".xml", ".rels"))
        }


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_is_all_there(language: str) -> None:
    data = file_as("docx", ask_run(language))
    text = text_of(data)
    result = answer(language)
    for sentence in (*result.answer, *result.contested[0].sides):
        assert sentence.text in text
    for part in (result.question, *QUOTES, *TITLES, "https://site1.example/a?b=1&c=2", "$0.0123"):
        assert part in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_headings_are_headings(language: str) -> None:
    document = opened(file_as("docx", ask_run(language)))
    styles: dict[str, list[str]] = {}
    for paragraph in document.paragraphs:
        assert paragraph.style is not None
        styles.setdefault(paragraph.style.name or "", []).append(paragraph.text)
    say = words(language)
    assert styles["Title"] == [answer(language).question]
    for label in ("answer", "contested", "missing", "sources"):
        assert say(f"report.{label}") in styles["Heading 1"]


@pytest.mark.parametrize(
    ("language", "face", "eastern"),
    [("en", "SimSun", "zh-CN"), ("zh", "SimSun", "zh-CN"), ("zh-Hant", "PMingLiU", "zh-TW")],
)
def test_chinese_has_a_face_of_its_own(language: str, face: str, eastern: str) -> None:
    styles = parts(file_as("docx", ask_run(language)))["word/styles.xml"]
    normal = styles[styles.index('w:styleId="Normal"') :]
    assert f'w:eastAsia="{face}"' in normal[:600]
    assert f'w:eastAsia="{eastern}"' in styles


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_waterfall_is_a_table_whose_head_is_repeated(language: str) -> None:
    run = verify_run(language)
    data = file_as("docx", run)
    signal = Signal.model_validate(run.result)
    table = opened(data).tables[0]
    assert len(table.rows) == len(signal.waterfall) + 1
    last = [cell.text for cell in table.rows[-1].cells]
    assert last[3] == written(signal.confidence)
    assert "█" in last[1]
    assert "<w:tblHeader/>" in parts(data)["word/document.xml"]
    text = text_of(data)
    for each in signal.evidence:
        assert each.quote in text


def test_marks_lead_to_their_source() -> None:
    document = parts(file_as("docx", ask_run()))["word/document.xml"]
    assert '<w:hyperlink w:anchor="source_1" w:history="1">' in document
    assert '<w:bookmarkStart w:id="1" w:name="source_1"/>' in document


def test_it_says_nothing_of_the_machine_and_is_the_same_each_time() -> None:
    run = ask_run("zh")
    data = file_as("docx", run)
    core = opened(data).core_properties
    assert (core.author, core.last_modified_by) == ("Groundwire", "Groundwire")
    assert core.title == answer("zh").question
    assert core.created is not None
    assert core.created.replace(tzinfo=None) == run.now.replace(tzinfo=None)
    assert not [name for name in parts(data) if "thumbnail" in name or name == "docProps/app.xml"]
    assert "python-docx" not in parts(data)["docProps/core.xml"]
    assert file_as("docx", run) == data


@pytest.mark.parametrize(
    "run", [failed_run("ask", "zh"), failed_run("verify"), tool_run("search", SEARCHED)]
)
def test_every_run_has_one(run: Run) -> None:
    assert run.id in text_of(file_as("docx", run))


def external_targets(data: bytes) -> list[str]:
    """List everything that the file points at outside itself."""
    found: list[str] = []
    for name, text in parts(data).items():
        if name.endswith(".rels"):
            for target in re.findall(r'<Relationship [^>]*TargetMode="External"[^>]*>', text):
                found += re.findall(r'Target="([^"]*)"', target)
    return found


@pytest.mark.parametrize("run", [hostile_answer(), hostile_answer("zh"), hostile_signal()])
def test_malice_is_text(run: Run) -> None:
    data = file_as("docx", run)
    shown_text = text_of(data)
    for text in HOSTILE[:7] if run.kind == "ask" else HOSTILE[:4]:
        assert one_line(text) in shown_text
    for link in external_targets(data):
        assert re.match(r"https://a\.example/[!-~]*$", link), link
    document = parts(data)["word/document.xml"]
    fields = set(re.findall(r"<w:instrText>([^<]*)<", document))
    assert fields == set()  # no field in the text: none that fetches, none that runs
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069\ufffe]", document)


def test_the_check_sees_a_link_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groundwire.report.links.web_link", lambda url: url)
    monkeypatch.setattr("groundwire.report.links.destination", lambda url: url)
    assert any(
        link.startswith("javascript:")
        for link in external_targets(file_as("docx", hostile_answer()))
    )


@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_thousands_of_sentences_are_all_there(count: int) -> None:
    text = text_of(file_as("docx", hostile_answer(sentences=count)))
    assert text.count("句。") == count
