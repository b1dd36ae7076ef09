"""Markdown and HTML from outside sanitised, terminal output stripped, Rich markup escaped, CSV cells
guarded: what is hostile in a title, a publisher, a file name, an error or a question, at each door.

Published hole: stored XSS through a report.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

import pytest

from groundwire.app import exports
from groundwire.model.run import Run
from groundwire.model.source import Document
from tests.doors.api.conftest import Api
from tests.made_reports import hostile_answer, hostile_signal
from tests.security.doors import HTML, signed_in

XSS = (
    '<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '"><svg onload=alert(1)>',
    "'-alert(1)-'", '</title></textarea></style></script><script>alert(1)</script>',
    "javascript:alert(1)", "{{ 7 * 7 }}{% include 'x' %}", "[bold red]x[/bold red][link=http://e/]y",
)  # fmt: skip
TERMINAL = "\x1b[2J\x1b]0;owned\x07\x9b2J\u202egnorw\u2066\u2069\u200b\r\b"
NAME = "".join(XSS) + TERMINAL + "=1+1"


class _Seen(HTMLParser):
    """The page as a browser would read it."""

    def __init__(self) -> None:
        super().__init__()
        self.bad: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "script" and not (given.get("src") or given.get("type") == "application/json"):
            self.bad.append(f"<{tag}>")
        if tag in ("iframe", "object", "embed", "base"):
            self.bad.append(f"<{tag}>")
        for name, value in attrs:
            link = re.sub(r"\s", "", value or "").lower()
            leads = name in ("href", "src", "action", "formaction", "xlink:href")
            if name.startswith("on") or (
                leads and link.startswith(("javascript:", "data:text", "vbscript:"))
            ):
                self.bad.append(f"{tag} {name}={value}")


def harmless(page: str) -> None:
    seen = _Seen()
    seen.feed(page)
    assert seen.bad == []


def plain(text: str) -> None:
    """Check that nothing moves a cursor or turns the order of the words."""
    for char in text:
        kind = unicodedata.category(char)
        assert char in "\n\t" or kind != "Cc", hex(ord(char))
        assert char not in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", hex(ord(char))


async def _document(api: Api) -> Document:
    """Build a page whose every field is hostile."""
    now = datetime(2026, 11, 16, tzinfo=UTC)
    text = f"Zorbium closed its doors on 4 May 2024. {NAME}"
    made: dict[str, Any] = {
        **(await api.app.store.index.get(await _first(api))).model_dump(),  # type: ignore[union-attr]
        "id": "doc_00000000000000aa",
        "canonical_url": "javascript:alert(1)//" + "<script>",
        "title": NAME,
        "publisher": NAME,
        "author": NAME,
        "language": '"><script>alert(1)</script>',
        "text": text,
        "fetched_at": now,
    }
    return Document.model_validate(made)


async def _first(api: Api) -> str:
    client = await api.caller("read", name="looker")
    return (await client.get("/api/evidence?limit=1")).json()["hits"][0]["page"]["id"]


async def test_a_hostile_title_publisher_and_author(api: Api) -> None:
    document = await _document(api)
    await api.app.store.index.add([document])
    client, _ = await signed_in(api, "admin")
    for path in ("/archive?q=Zorbium", "/archive", f"/evidence/{document.id}", "/trust"):
        answer = await client.get(path, headers=HTML)
        assert answer.status_code == 200, path
        harmless(answer.text)
        assert "49" not in re.findall(r"<title>(.*?)</title>", answer.text)[0]
    assert "alert(1)" in (await client.get(f"/evidence/{document.id}", headers=HTML)).text
    response = await client.get(f"/api/evidence/{document.id}")
    assert response.headers["content-type"] == "application/json"


async def test_a_hostile_file_name(api: Api) -> None:
    client = await api.caller("run")
    browser, _ = await signed_in(api, "admin")
    note = b"Zorbium closed its doors on 4 May 2024, and nobody was told of it in time."
    for number, name in enumerate((*XSS, TERMINAL, NAME)):
        sent = {"file": (f"{name}.md", note + str(number).encode())}
        answer = await client.post("/api/archive", files=sent)
        assert answer.status_code == 200, (name, answer.text)
        sent = {"file": (f"{name}.exe", note)}
        plain((await client.post("/api/archive", files=sent)).json()["added"]["failed"][0]["what"])
    for path in ("/archive?q=Zorbium", "/archive?order=newest", "/trust"):
        harmless((await browser.get(path, headers=HTML)).text)
    for hit in (await client.get("/api/evidence?q=Zorbium&limit=50")).json()["hits"]:
        page = (await browser.get(f"/evidence/{hit['page']['id']}", headers=HTML)).text
        harmless(page)


@pytest.mark.parametrize("words", [*XSS, NAME], ids=range(len(XSS) + 1))
async def test_a_hostile_question_is_only_shown(api: Api, words: str) -> None:
    """What is typed comes back in lists, in the page of the run, and in the bar when it is wrong."""
    client, csrf = await signed_in(api, "admin")
    question = words.replace("\x00", "")
    run = await api.row(question=f"why {question}")
    for path in ("/", "/runs", f"/runs/{run.id}", "/desk/now", f"/runs/{run.id}/parts"):
        answer = await client.get(path, headers=HTML)
        assert answer.status_code == 200
        if "json" not in answer.headers["content-type"]:
            harmless(answer.text)
    back = await client.post(
        "/command", data={"csrf": csrf, "text": words, "kind": words}, headers=HTML
    )
    assert back.status_code == 422
    harmless(back.text)
    for path in ("/archive", "/runs", "/costs", "/trust", "/sign-in", "/nothing"):
        given = {"q": words, "next": words, "period": words, "source": words, "kind": words}
        answer = await client.get(path, params=given, headers=HTML)
        harmless(answer.text)
    wrong = await client.get(f"/api/runs/{words[:20].replace('/', '')}x", headers=HTML)
    assert "html" not in wrong.headers["content-type"]


async def test_a_hostile_error_of_a_model_or_a_tool(api: Api) -> None:
    """What a vendor said of a failure stands in the run's page, in lists, and over MCP as text."""
    from groundwire.doors.mcp.running import answer_of

    run = await api.row(question="why")
    failed = run.model_copy(update={"state": "failed", "error": NAME})
    plain_row = Run.model_validate(failed.model_dump())
    for form in ("md", "html", "csv"):
        made = await exports.export(api.app, plain_row, form)
        text = made.data.decode("utf-8-sig")
        plain(text.replace("\r\n", "\n"))
        if form == "html":
            harmless(text)
    answer = answer_of(plain_row)
    assert answer.failed
    plain(answer.text)


@pytest.mark.parametrize("made", [hostile_answer, hostile_signal], ids=["ask", "verify"])
async def test_a_hostile_report_over_mcp_and_as_files(api: Api, made: Any) -> None:
    from groundwire.doors.mcp.running import answer_of

    run = made()
    plain(answer_of(run).text)
    for form in ("md", "html", "csv"):
        text = (await exports.export(api.app, run, form)).data.decode("utf-8-sig")
        plain(text.replace("\r\n", "\n"))
        if form == "html":
            harmless(text)
        if form == "md":
            assert not re.search(r"\]\(\s*(javascript|data|vbscript):", text, re.IGNORECASE)
            assert "<script" not in text.lower().replace("\\<script", "").replace("&lt;script", "")
        if form == "csv":
            cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
            assert not [
                cell
                for cell in cells
                if (cell[:1] in "=+@\t\r" and cell) or re.match(r"-(?![\d.]+$)", cell)
            ]
