"""The page of the archive: found, marked, narrowed down, added to; whatever pages say is text."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime
from typing import Any

import httpx2
import pytest

from groundwire.errors import StoreBusy
from groundwire.model.base import short_id
from groundwire.model.source import LOCAL_FILE, Document
from tests.doors.ui.conftest import Site, csrf_of, words_of
from tests.doors.ui.scrutiny import faults

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
EVIL = '"><img src=x onerror=alert(1)><script>alert(2)</script>'


def document(url: str, title: str, text: str, **more: Any) -> Document:
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    values: dict[str, Any] = {
        "publisher": "Alpha Post",
        "published_at": NOW,
        "language": "en",
        "fetched_at": NOW,
    }
    return Document(
        id=short_id("doc", [url, sha256]),
        url=url,
        canonical_url=url,
        title=title,
        text=text,
        sha256=sha256,
        **{**values, **more},
    )


PEG = document("https://a.example/peg", "USDC slips", "USDC lost its peg on Saturday.")
RATES = document("https://a.example/rates", "Rates", "The bank raised its rates on Saturday.")
ZH = document(
    "https://b.example/1",
    "稳定币脱锚",
    "稳定币USDC脱锚，跌至0.88美元。",
    language="zh",
    publisher="乙报",
    published_at=datetime(2025, 3, 1, tzinfo=UTC),
    tier="wire",
    sample=True,
)
FILE = document(
    "https://f0123456789abcdef.invalid/my%20notes.txt",
    "my notes.txt",
    "My own notes about money.",
    publisher=LOCAL_FILE,
    published_at=None,
)
OLD_FILE = document(
    "https://f1123456789abcdef.invalid/old.txt",
    "old.txt",
    "Older notes about money.",
    publisher="local file",  # as older versions stored it
    published_at=None,
)


@pytest.fixture
async def filled(site: Site) -> httpx2.AsyncClient:
    await site.app.archive.add([PEG, RATES, ZH, FILE])
    return await site.browser()


@pytest.mark.parametrize(
    ("language", "name"), [("en", "local file"), ("zh-CN", "本地文件"), ("zh-TW", "本機檔案")]
)
async def test_a_file_is_named_in_the_readers_words(site: Site, language: str, name: str):
    await site.app.archive.add([FILE, OLD_FILE])
    browser = await site.browser()
    page = await browser.get("/archive", headers={"accept-language": language})
    assert page.text.count(f"<strong>{name}</strong>") == 2
    for each in (FILE, OLD_FILE):
        one = await browser.get(f"/evidence/{each.id}", headers={"accept-language": language})
        assert name in words_of(one)
        assert LOCAL_FILE not in one.text


def titles(page: httpx2.Response) -> list[str]:
    return re.findall(r'<h3 class="serif"[^>]*><a href="/evidence/[^"]+">(.*?)</a></h3>', page.text)


def links(page: httpx2.Response) -> list[str]:
    return [each.replace("&amp;", "&") for each in re.findall(r'href="(/archive[^"]*)"', page.text)]


async def test_an_empty_archive_offers_the_sample_and_loads_it(site: Site):
    browser = await site.browser()
    page = await browser.get("/archive")
    assert "The archive is empty" in words_of(page)
    answer = await browser.post("/archive/sample", data={"csrf": csrf_of(page)})
    assert (answer.status_code, answer.headers["location"]) == (303, "/archive")
    after = await browser.get("/archive")
    assert "208 documents · 35 publishers" in words_of(after)
    assert "sample" in words_of(after)
    assert "page 1 of 11" in words_of(after)


async def test_the_sample_needs_the_pages_own_form(site: Site):
    browser = await site.browser()
    await browser.get("/archive")
    assert (await browser.post("/archive/sample", data={"csrf": "0" * 64})).status_code == 403
    assert (await site.app.store.index.stats()).documents == 0


async def test_documents_are_listed_with_what_they_are(filled: httpx2.AsyncClient):
    page = await filled.get("/archive")
    assert "4 documents, newest first" in words_of(page)
    assert "稳定币脱锚" in words_of(page)
    assert "乙报 · 2025-03-01 · Simplified Chinese wire sample b.example" in words_of(page)
    assert "undated, read 2026-06-15" in words_of(page)
    assert 'href="https://a.example/peg" rel="noopener noreferrer nofollow"' in page.text
    assert "f0123456789abcdef" not in words_of(page)  # a file is known by its name
    assert "my notes.txt" in words_of(page)


async def test_words_are_marked_in_title_and_text(filled: httpx2.AsyncClient):
    page = await filled.get("/archive", params={"q": "usdc peg"})
    assert titles(page) == ["<mark>USDC</mark> slips"]
    assert "<mark>USDC</mark> lost its <mark>peg</mark> on Saturday." in page.text
    assert "1 document has what you typed" in words_of(page)
    assert "1 more have some of the words." in words_of(page)
    start, end = PEG.text.index("USDC"), len(PEG.text)
    assert f"/evidence/{PEG.id}?start={start}&amp;end={end}" in page.text
    assert 'value="usdc peg"' in page.text


@pytest.mark.parametrize("language", ["zh", "zh-Hant"])
async def test_chinese_words_are_found_and_marked(filled: httpx2.AsyncClient, language: str):
    query = "脱锚" if language == "zh" else "脫錨"
    page = await filled.get("/archive", params={"q": query}, headers={"Accept-Language": language})
    assert titles(page) == ["稳定币<mark>脱锚</mark>"]  # a title is never translated
    expected = {"zh": "1 篇文档包含所搜内容", "zh-Hant": "1 篇文件包含所搜內容"}[language]
    assert expected in words_of(page)


async def test_a_facet_is_a_link_that_narrows_and_takes_back(filled: httpx2.AsyncClient):
    page = await filled.get("/archive", params={"q": "USDC"})
    narrowed = next(each for each in links(page) if "language=zh" in each)
    assert narrowed == "/archive?q=USDC&language=zh"
    page = await filled.get(narrowed)
    assert titles(page) == ["稳定币脱锚"]
    assert "/archive?q=USDC" in links(page)  # the same facet again takes it back
    assert "Without filters" in words_of(page)
    assert 'href="/archive?q=USDC" aria-current="true"' in page.text


async def test_years_and_days_narrow_down(filled: httpx2.AsyncClient):
    page = await filled.get("/archive")
    assert "/archive?since=2025-01-01&until=2025-12-31" in links(page)
    page = await filled.get("/archive", params={"since": "2025-03-01", "until": "2025-03-01"})
    assert titles(page) == ["稳定币脱锚"]
    page = await filled.get("/archive", params={"since": "soon", "until": "2025-13-01"})
    assert "A date could not be read" in words_of(page)
    assert len(titles(page)) == 4


async def test_sources_that_share_a_name_are_told_apart(site: Site):
    twin = document("https://fake.example/1", "Twin", "Something else.", publisher="Alpha Post")
    await site.app.archive.add([PEG, twin])
    page = await (await site.browser()).get("/archive")
    assert "Alpha Post a.example" in words_of(page)
    assert "Alpha Post fake.example" in words_of(page)


async def test_pages_follow_each_other(site: Site):
    await site.app.archive.add(
        [document(f"https://a.example/{n}", f"No {n:02}", f"Page number {n}.") for n in range(45)]
    )
    browser = await site.browser()
    seen: list[str] = []
    for number in (1, 2, 3):
        page = await browser.get("/archive", params={"page": number})
        assert f"page {number} of 3" in words_of(page)
        seen += titles(page)
    assert len(set(seen)) == 45
    beyond = await browser.get("/archive", params={"page": 9})
    assert "The list is not that long." in words_of(beyond)


@pytest.mark.parametrize(
    "params",
    [
        {"page": "0"},
        {"page": "-1"},
        {"page": "²"},
        {"page": "9" * 40},
        {"q": "x" * 5000},
        {"q": "\0", "source": "\0", "language": "\0"},
        {"q": "？！"},
        {"source": "nobody.example"},
        {"order": "sideways", "words": "none"},
    ],
)
async def test_any_address_has_an_answer(filled: httpx2.AsyncClient, params: dict[str, str]):
    assert (await filled.get("/archive", params=params)).status_code == 200


async def test_nothing_found_says_what_to_do(filled: httpx2.AsyncClient):
    page = await filled.get("/archive", params={"q": "zeppelin"})
    assert "No document here fits that. Try fewer or other words, or see everything" in words_of(
        page
    )
    page = await filled.get("/archive", params={"q": "rates", "language": "zh"})
    assert "Without filters" in words_of(page)


async def test_what_pages_and_people_say_is_text(site: Site):
    evil = document(
        "https://evil.example/1",
        f"Bank {EVIL} bank",
        f"The bank said {EVIL} of its bank and javascript:alert(1).",
        publisher=EVIL,
        language='en" onmouseover="x',
    )
    await site.app.archive.add([evil])
    browser = await site.browser()
    for params in ({"q": "bank"}, {"q": EVIL}, {"source": EVIL}, {"language": EVIL}, {}):
        page = await browser.get("/archive", params=params)
        assert page.status_code == 200
        assert faults(page.text) == []


async def test_an_address_that_is_none_is_no_link(site: Site):
    odd = document("javascript:alert(1)//x", "Odd", "Odd words.")
    await site.app.archive.add([odd])
    page = await (await site.browser()).get("/archive")
    assert "Odd" in words_of(page)
    assert faults(page.text) == []


async def test_who_may_only_read_adds_nothing(locked: Site):
    reader = await locked.signed_in("read")
    page = await reader.get("/archive")
    assert "Your token may only read" in words_of(page)
    assert "archive.js" not in page.text
    for path in ("/archive/sample", "/archive/addresses"):
        answer = await reader.post(path, data={"csrf": csrf_of(page), "urls": "https://a.example/"})
        assert answer.status_code == 403
    runner = await locked.signed_in("run")
    page = await runner.get("/archive")
    assert "Add files or pages" in words_of(page)
    assert 'data-most="20000000"' in page.text


async def test_addresses_of_a_plain_form_become_runs(site: Site):
    browser = await site.browser()
    csrf = csrf_of(await browser.get("/archive"))
    sent = {"csrf": csrf, "urls": " https://a.example/1 \nhttps://a.example/1\n"}
    answer = await browser.post("/archive/addresses", data=sent)
    assert answer.status_code == 303
    assert re.fullmatch(r"/runs/tool-[0-9a-f]{10}", answer.headers["location"])
    assert len(await site.app.runs.recent()) == 1
    for bad in ("", "no address", "https://user:word@a.example/"):
        answer = await browser.post("/archive/addresses", data={"csrf": csrf, "urls": bad})
        assert answer.status_code == 422
    assert len(await site.app.runs.recent()) == 1


async def test_a_store_that_is_away_gives_the_page_of_errors(
    site: Site, monkeypatch: pytest.MonkeyPatch
):
    browser = await site.browser()
    await browser.get("/archive")

    async def away(*_: object) -> None:
        raise StoreBusy("the database is away")

    monkeypatch.setattr(type(site.app.store.catalogue), "look", away)
    page = await browser.get("/archive")
    assert page.status_code == 503
    assert "The store cannot be reached just now" in words_of(page)
