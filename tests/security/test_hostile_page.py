"""A stored page full of traps is harmless wherever it is shown, and its words are still readable."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pypdfium2
import pytest
from docx import Document as WordFile

from tests.doors.browser.conftest import Watched
from tests.doors.browser.room import Room
from tests.security.hostile import BIDI, ESCAPE, MESSAGE, PAGE, QUESTION, SENTENCE

_NUMBER = re.compile(r"-?\d+(\.\d+)?")
FORMS = ("md", "html", "pdf", "docx", "csv", "json")


@pytest.fixture
def trapped(new_room: Callable[..., Room]) -> Room:
    room = new_room()
    (room.place / "<b>page.md").write_text(PAGE, "utf-8")
    room.gw("archive", "add", "<b>page.md")
    return room.serve()


def _export(room: Room, run_id: str, form: str) -> bytes:
    connection = HTTPConnection(urlsplit(room.url).netloc, timeout=100)
    try:
        connection.request("GET", f"/api/runs/{run_id}/export?format={form}")
        answer = connection.getresponse()
        data = answer.read()
        assert answer.status == 200, data[:300]
        assert answer.headers["content-disposition"].startswith("attachment")
        return data
    finally:
        connection.close()


def _pdf_text(data: bytes) -> str:
    document = pypdfium2.PdfDocument(data)
    return " ".join(page.get_textpage().get_text_range() for page in document)


def _plain(text: str) -> str:
    return " ".join(text.split())


def test_it_is_harmless_everywhere(
    trapped: Room,
    windows: Callable[..., Watched],
    tmp_path: Path,
) -> None:
    runs = [
        trapped.finished(trapped.submit("ask", question=QUESTION)),
        trapped.finished(trapped.submit("verify", text=MESSAGE + " <script>alert('m')</script>")),
    ]
    assert SENTENCE[:40] in str(runs[0]["result"]["answer"]), "the trap was not cited"
    _in_the_browser(trapped, windows(trapped.url), runs)
    for run in runs:
        files = {form: _export(trapped, run["id"], form) for form in FORMS}
        _in_files(files, tmp_path, windows("file://"))
        _in_the_terminal(trapped.gw("show", run["id"]))
    assert "Traceback" not in trapped.log()


def _in_the_browser(room: Room, window: Watched, runs: list[dict]) -> None:
    document = runs[0]["result"]["evidence"][0]["document_id"]
    places = ["/", "/runs", "/archive?q=Zorbium", f"/evidence/{document}?run={runs[0]['id']}"]
    for path in (*places, *(f"/runs/{run['id']}" for run in runs)):
        page = window.open(path)
        page.wait_for_load_state("networkidle")
        assert (
            page.locator("iframe, object, embed, img[src^=http], [onload], [onerror]").count() == 0
        )
        assert page.locator("a[href^='javascript']").count() == 0
        assert page.locator("body").is_visible()  # its style sheet hides nothing
        assert "\x1b" not in page.content()
        assert "49" not in page.title()  # no template was evaluated
    # The text itself is there, as text.
    page = window.open(places[3])
    assert "<script>alert('script')</script>" in page.locator("main").inner_text()


def _in_files(files: dict[str, bytes], place: Path, window: Watched) -> None:
    page = place / "export.html"
    page.write_bytes(files["html"])
    window.page.goto(page.as_uri())
    assert (
        window.page.locator("script, iframe, object, a[href^='javascript'], [onerror]").count() == 0
    )
    assert window.page.locator("body").is_visible()
    text = _pdf_text(files["pdf"])
    assert "root:" not in text
    assert "Zorbium" in text
    word = WordFile(io.BytesIO(files["docx"]))
    assert "Zorbium" in " ".join(paragraph.text for paragraph in word.paragraphs)
    names = zipfile.ZipFile(io.BytesIO(files["docx"])).namelist()
    assert not [name for name in names if "vba" in name.lower() or "embed" in name.lower()]
    cells = [
        cell for row in csv.reader(io.StringIO(files["csv"].decode("utf-8-sig"))) for cell in row
    ]
    assert cells
    assert not [
        cell
        for cell in cells
        if cell.startswith(("=", "+", "-", "@", "\t", "\r")) and not _NUMBER.fullmatch(cell)
    ]
    for form in ("md", "html", "csv"):
        _in_the_terminal(files[form].decode("utf-8-sig"))


def _in_the_terminal(text: str) -> None:
    assert "\x1b]" not in text
    assert ESCAPE not in text
    assert "\u202e" not in text
    assert BIDI not in text
