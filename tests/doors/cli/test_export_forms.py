"""`gw export` in every form: real runs of the sample, files by their ending, no secret in any."""

from __future__ import annotations

import io
import json
from pathlib import Path

import docx
import pytest
from docx.oxml.ns import qn

from tests.doors.cli.conftest import Gw
from tests.pdf_text import text_of, tight

TEXT = ("md", "html", "json", "csv")
BINARY = {"pdf": b"%PDF", "docx": b"PK", "bundle": b"PK"}


def words_of(data: bytes) -> str:
    body = docx.Document(io.BytesIO(data)).element.body
    return "".join(node.text or "" for node in body.iter(qn("w:t")))


def test_an_answer_leaves_in_every_form(gw: Gw, tmp_path: Path) -> None:
    given = json.loads(gw("ask", "USDC 在2023年3月为什么脱锚？", "--json").out)
    sentences = [each["text"] for each in given["answer"]]
    quotes = [cited["quote"] for each in given["answer"] for cited in each["citations"]]
    assert sentences
    for form in TEXT:
        result = gw("export", "last", "-f", form)
        assert result.code == 0, result.err
    assert all(text in gw("export", "last", "-f", "html").out for text in sentences)
    for form, start in BINARY.items():
        assert gw("export", "last", "-f", form).raw.startswith(start)
    # The ending of the file says the form.
    for name in ("a.pdf", "a.docx", "a.html", "a.csv", "a.zip", "a.json", "a.MD"):
        assert gw("export", "last", "-o", name).code == 0
    pdf = text_of((tmp_path / "a.pdf").read_bytes())
    word = words_of((tmp_path / "a.docx").read_bytes())
    for text in (*sentences, *quotes):
        assert tight(text) in pdf
        assert text in word
    assert "示例" in word
    assert (tmp_path / "a.csv").read_bytes().startswith(b"\xef\xbb\xbfrun,")
    assert (tmp_path / "a.MD").read_text().startswith("# USDC")
    assert gw("check", "a.zip").code == 0


def test_a_signal_has_a_picture_and_an_answer_has_none(gw: Gw, tmp_path: Path) -> None:
    assert gw("verify", "USDC has lost its dollar peg, Circle says", "--json").code == 0
    result = gw("export", "last", "-o", "card.png")
    assert result.code == 0
    assert (tmp_path / "card.png").read_bytes().startswith(b"\x89PNG")
    assert "card.png" in result.err
    assert gw("search", "USDC peg", "--json").code == 0
    for form in ("md", "html", "csv", "pdf", "docx"):
        assert gw("export", "last", "-f", form).code == 0
    refused = gw("export", "last", "-f", "png")
    assert refused.code == 2
    assert "has no picture" in refused.err


def test_an_ending_that_says_nothing_is_a_report(gw: Gw, tmp_path: Path) -> None:
    assert gw("search", "USDC peg", "--json").code == 0
    assert gw("export", "last", "-o", "notes.txt").code == 0
    assert (tmp_path / "notes.txt").read_text().startswith("# USDC peg")


@pytest.mark.parametrize(
    ("form", "nearest"), [("htm", "html"), ("word", "known: "), ("docs", "docx"), ("PDF", "pdf")]
)
def test_an_unknown_form_is_refused_with_the_nearest(gw: Gw, form: str, nearest: str) -> None:
    result = gw("export", "last", "-f", form)
    assert result.code == 2
    assert nearest in result.err


def test_a_secret_of_the_user_is_in_no_form(empty: Gw, tmp_path: Path) -> None:
    planted = "marzipan-lantern-42"
    page = "---\ntitle: Ferrow party\ndate: 2026-01-05\n---\n\n"
    page += f"The launch code word of the Ferrow party was {planted} on that day.\n"
    (tmp_path / "ferrow.md").write_text(page)
    assert empty("archive", "add", "ferrow.md").code == 0
    ask_result = empty("ask", f"Was the launch code word of the Ferrow party {planted}?", "--json")
    assert planted in ask_result.out  # it is in the result, and known as a secret only later
    for form in (*TEXT, *BINARY):
        result = empty("export", "last", "-f", form, TAVILY_API_KEY=planted)
        assert result.code == 0, result.err
        data = result.raw
        shown = text_of(data) if form == "pdf" else words_of(data) if form == "docx" else ""
        assert planted not in shown
        assert planted.encode() not in data
