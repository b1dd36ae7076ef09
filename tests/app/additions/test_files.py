"""The user's own files: each kind by its ending, every record a document, every failure named."""

from __future__ import annotations

import json
import os
from email.message import EmailMessage
from pathlib import Path

import pytest

from groundwire.app import App
from groundwire.app.additions.files import add_files, address, files_in
from groundwire.model.query import Query
from groundwire.report.links import local_name
from tests.app.additions.site import SENTENCES, Site, page
from tests.fetch.test_office import excel, word

ZH = "灯笼大桥于2021年5月4日正式通车，总造价为2.12亿美元，全部由维尔莫拉市政府承担。"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One file of each kind, in a folder."""
    made = tmp_path / "papers"
    made.mkdir()
    (made / "page.html").write_bytes(page("Bridge opens"))
    (made / "posts.csv").write_text(f"标题,正文\n通车,{ZH}\n空,\n", "utf-8")
    (made / "old.csv").write_bytes(f"标题,正文\n旧闻,{ZH}旧\n".encode("gb18030"))
    (made / "rows.json").write_text(
        json.dumps({"data": [{"title": "A", "body": SENTENCES, "url": "https://n.example/a/"}]})
    )
    (made / "lines.jsonl").write_text(json.dumps({"text": SENTENCES + "Lines."}) + "\n{broken\n")
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "Ada <ada@post.example>", "Bridge"
    mail.set_content(SENTENCES + "By mail.")
    (made / "mail.eml").write_bytes(mail.as_bytes())
    chat = {"name": "频道", "type": "public_channel", "id": 1, "username": "pindao"}
    messages = [{"id": 5, "type": "message", "date_unixtime": "1620122400", "text": ZH + "频道。"}]
    (made / "result.json").write_text(json.dumps({**chat, "messages": messages}), "utf-8")
    (made / "feed.xml").write_text(
        f'<rss version="2.0"><channel><title>F</title><item><title>E</title>'
        f"<link>https://f.example/1</link><description>{SENTENCES} In a feed.</description>"
        "</item></channel></rss>"
    )
    return made


async def test_every_kind_comes_in_and_what_fails_is_named(app: App, folder: Path) -> None:
    files, skipped = files_in([folder])
    found = await add_files(app, files)
    assert skipped == {}
    assert found.added.new == 8
    assert sorted(each.what.rpartition("/")[2] for each in found.added.failed) == [
        "lines.jsonl, line 2",
        "posts.csv, row 3",
    ]
    again = await add_files(app, files)
    assert (again.added.new, again.added.known) == (0, 8)


async def test_a_record_stands_under_the_address_it_names(app: App, folder: Path) -> None:
    await add_files(app, files_in([folder])[0])
    for url in ("https://n.example/a", "https://t.me/pindao/5", "https://f.example/1"):
        assert await app.store.index.by_url(url) is not None
    named = await app.store.index.by_url("https://n.example/a")
    assert named is not None
    assert local_name(named.url) == "rows.json/data[0]"  # where it was read


async def test_a_record_without_an_address_is_known_by_file_and_row(app: App, folder: Path) -> None:
    await add_files(app, [folder / "posts.csv"])
    document = await app.store.index.by_url(address(folder / "posts.csv", "row 2"))
    assert document is not None
    assert local_name(document.canonical_url) == "posts.csv/row 2"
    assert str(folder) not in document.model_dump_json()
    hits = await app.store.index.search(Query(text="大桥 通车"), app.clock())
    assert hits[0].document.id == document.id


async def test_a_file_of_lines_may_be_larger_than_a_page(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.app.additions.files._CHUNK", 4096)
    rows = [json.dumps({"text": f"{SENTENCES} Number {n}."}) for n in range(60)]
    rows[40] = "{broken"
    (tmp_path / "many.jsonl").write_text("\n".join(rows))
    found = await add_files(app, [tmp_path / "many.jsonl"])
    assert found.added.new == 59
    assert [each.what.rpartition(", ")[2] for each in found.added.failed] == ["line 41"]


async def test_lists_on_the_disk_name_what_to_read(app: App, tmp_path: Path, site: Site) -> None:
    (tmp_path / "mine.opml").write_text(
        f'<opml><body><outline text="x" xmlUrl="{site.url}/feed"/></body></opml>'
    )
    (tmp_path / "map.xml").write_text(f"<urlset><url><loc>{site.url}/a</loc></url></urlset>")
    found = await add_files(app, [tmp_path / "mine.opml", tmp_path / "map.xml"])
    assert found.feeds == (f"{site.url}/feed",)
    assert found.pages == (f"{site.url}/a",)
    assert site.requested == []


@pytest.mark.parametrize(
    ("name", "body", "reason"),
    [
        ("a.csv", b"price,volume\n1,2\n", "No column is named as a text"),
        ("a.json", b"{", "not JSON"),
        ("a.json", b"[" * 200_000, "nested too deeply"),
        ("a.jsonl", b"", "empty"),
        ("a.jsonl", b"\n \n", "empty"),
        ("a.eml", b"words", "no mail"),
        ("a.mbox", b"words", "no mailbox"),
        ("a.xml", b"<note/>", "no feed"),
        ("a.xml", b'<!DOCTYPE rss [<!ENTITY a "b">]><rss/>', "document type"),
        ("a.opml", b"<opml/>", "no feed"),
        ("a.csv", b"\x00\x01" * 900, "binary"),
    ],
)
async def test_a_file_that_holds_none_says_why(
    app: App, tmp_path: Path, name: str, body: bytes, reason: str
) -> None:
    (tmp_path / name).write_bytes(body)
    found = await add_files(app, [tmp_path / name])
    assert found.added.new == 0
    (failed,) = found.added.failed
    assert reason in failed.reason


async def test_a_pipe_is_passed_over_in_a_folder_and_refused_by_name(
    app: App, folder: Path
) -> None:
    pipe = folder / "waits.txt"
    os.mkfifo(pipe)
    files, _ = files_in([folder])
    assert pipe not in files
    found = await add_files(app, [pipe])
    (failed,) = found.added.failed
    assert "pipe" in failed.reason


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
async def test_lines_are_read_however_a_program_wrote_them(
    app: App, tmp_path: Path, encoding: str
) -> None:
    rows = [{"text": f"{ZH}{number}"} for number in range(3)]
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\r\n" for row in rows)
    (tmp_path / "lines.jsonl").write_bytes(lines.encode(encoding))
    found = await add_files(app, [tmp_path / "lines.jsonl"])
    assert (found.added.new, found.added.failed) == (3, ())


async def test_files_of_word_and_excel_come_in(app: App, tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(word(ZH, ZH))
    (tmp_path / "b.xlsx").write_bytes(excel(SENTENCES))
    found = await add_files(app, files_in([tmp_path])[0])
    assert (found.added.new, found.added.failed) == (2, ())
    assert await app.store.index.search(Query(text="灯笼大桥"), app.clock())
