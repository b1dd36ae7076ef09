"""What every page is: in three languages, light and dark, strict, and usable without a script."""

from __future__ import annotations

import json
import re
from html import unescape
from html.parser import HTMLParser
from importlib.resources import files

import httpx2
import pytest

from groundwire.doors.ui.render import stamp, static, usd
from groundwire.words import words
from tests.doors.ui.conftest import HOST, Site, words_of

PAGES = ("/", "/runs", "/sign-in", "/nowhere")
LANGUAGES = {
    "en": ("en", "Runs", "Costs"),
    "zh": ("zh-Hans", "任务", "费用"),
    "zh-Hant": ("zh-Hant", "任務", "費用"),
}


class _Strict(HTMLParser):
    """Collects what our CSP would refuse, and addresses elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.faults += [f"{tag} {name}" for name in given if name == "style" or name[:2] == "on"]
        if tag == "style" or (tag == "script" and not given.get("src")):
            self.faults.append(f"inline {tag}")
        for name in ("src", "href", "action"):
            if (value := given.get(name)) and not value.startswith(("/", "#", "?")):
                self.faults.append(f"{tag} {name}={value}")
        if "id" in given:
            self.ids.append(given["id"] or "")


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", sorted(LANGUAGES))
async def test_each_page_in_each_language(browser: httpx2.AsyncClient, path: str, language: str):
    tag, *words = LANGUAGES[language]
    browser.cookies.set("gw_language", language)
    page = await browser.get(path)
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert f'<html lang="{tag}">' in page.text
    assert all(word in words_of(page) for word in words)
    strict = _Strict()
    strict.feed(page.text)
    assert strict.faults == []
    assert len(set(strict.ids)) == len(strict.ids)
    assert page.headers["content-security-policy"].startswith("default-src 'none'")


@pytest.mark.parametrize(
    ("requested", "tag"),
    [
        ("zh-TW,zh;q=0.9", "zh-Hant"),
        ("zh-CN", "zh-Hans"),
        ("en-GB,zh", "en"),
        ("fr", "en"),
        ("fr,zh-Hans", "zh-Hans"),
        (",;q=x", "en"),
    ],
)
async def test_the_language_is_as_the_browser_asks(site: Site, requested: str, tag: str):
    browser = await site.browser(**{"Accept-Language": requested})
    assert f'<html lang="{tag}">' in (await browser.get("/")).text


async def test_a_language_is_chosen_without_a_script(browser: httpx2.AsyncClient):
    given = {"language": "zh-Hant", "next": "/runs?kind=ask"}
    answer = await browser.post("/look/language", data=given)
    assert (answer.status_code, answer.headers["location"]) == (303, "/runs?kind=ask")
    assert "任務" in words_of(await browser.get("/runs?kind=ask"))


async def test_the_theme_is_there_before_the_first_paint(browser: httpx2.AsyncClient):
    assert "data-theme" not in (await browser.get("/")).text.split(">", 2)[1]
    for theme in ("dark", "light"):
        answer = await browser.post("/look/theme", data={"theme": theme, "next": "/"})
        assert answer.status_code == 303
        assert f'data-theme="{theme}"' in (await browser.get("/")).text
    await browser.post("/look/theme", data={"theme": "auto", "next": "/"})
    assert "data-theme=" not in (await browser.get("/")).text
    browser.cookies.set("gw_theme", '"><script>')
    assert "<script>" not in (await browser.get("/")).text


@pytest.mark.parametrize("path", ["/look/theme", "/look/language"])
async def test_looks_are_changed_by_our_own_pages_only(browser: httpx2.AsyncClient, path: str):
    given = {"theme": "dark", "language": "zh", "next": "/"}
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert (await browser.post(path, data=given, headers=headers)).status_code == 403
    assert (await browser.post(path, data=given, headers={"Origin": HOST})).status_code == 303
    away = {**given, "next": "//evil.example"}
    assert (await browser.post(path, data=away)).headers["location"] == "/"
    assert (await browser.post(path, data={"theme": "x", "language": "y"})).status_code == 422
    assert (await browser.post(path, json=given)).status_code == 422
    assert (await browser.post(path, data={"next": "x" * 500_000})).status_code == 413


async def test_assets_are_kept_for_ever_under_the_stamp_of_all(browser: httpx2.AsyncClient):
    first = await browser.get(static("base.css"))
    assert first.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert first.headers["content-type"].startswith("text/css")
    stale = await browser.get("/static/0123456789ab/base.css")
    assert (stale.status_code, stale.headers["cache-control"]) == (200, "no-store")
    for path in (f"/static/{stamp()}/nothing.js", f"/static/{stamp()}/..%2frender.py"):
        assert (await browser.get(path)).status_code == 404
    assert {static("app.js").split("/")[2], static("tokens.css").split("/")[2]} == {stamp()}


async def test_modules_import_only_what_is_there(browser: httpx2.AsyncClient):
    folder = files("groundwire.doors.ui").joinpath("static")
    names = {each.name for each in folder.iterdir()}
    for name in names:
        if name.endswith(".js"):
            text = folder.joinpath(name).read_text(encoding="utf-8")
            wanted = re.findall(r"""(?:from|import)\s*\(?["']([^"']+)["']""", text)
            assert {each.removeprefix("./") for each in wanted} <= names, name
            assert not re.search(r"\beval\(|new Function|https?://", text), name
        kind = (await browser.get(static(name))).headers["content-type"]
        if name.endswith(".js"):
            assert "javascript" in kind


async def test_a_page_shows_no_secret_of_ours(site: Site):
    secret = "sk-planted-0123456789"
    site.app.known.learn([secret])  # as a reload does; it looks like nothing else that is masked
    await site.queued("ask", {"question": f"What is {secret} for?"})
    browser = await site.browser()
    for path in ("/", "/runs", f"/runs?q={secret}", f"/?text={secret}", f"/nowhere/{secret}"):
        page = await browser.get(path)
        assert secret not in page.text, path
    assert "What is" in words_of(await browser.get("/runs"))


def test_money_as_people_read_it():
    shown = [usd(each) for each in (0, 0.0004, 0.01, 1.5, 12345.678)]
    assert shown == ["$0.00", "$0.0004", "$0.01", "$1.50", "$12,345.68"]


def test_spans_as_people_say_them():
    shown = [words("en").span(each) for each in (0, 9.96, 12.3, 119, 150, 7199, 7200, 90_000)]
    assert shown == ["0.0 s", "10.0 s", "12 s", "119 s", "2 min", "120 min", "2 h", "25 h"]
    assert words("zh").span(12.3) == "12 秒"
    assert words("zh-Hant").span(150) == "2 分鐘"
    assert words("en").span(3.9, whole=True) == "3 s"


async def test_scripts_have_what_went_wrong_in_the_readers_language(site: Site):
    for language, expected in (
        ("en", "The desk cannot be reached."),
        ("zh-CN", "无法连接到工作台。"),
    ):
        page = await (await site.browser(**{"Accept-Language": language})).get("/")
        (held,) = re.findall(r'<meta name="faults" content="([^"]+)">', page.text)
        data = json.loads(unescape(held))
        assert data["0"].startswith(expected)
        # The desk's own sentences are English: who reads that gets them.
        assert ("请求过于频繁" in data.get("429", "")) is (language != "en")


async def test_an_error_page_tells_people_nothing_that_is_for_programs(site: Site):
    browser = await site.browser()
    for path in ("/runs/ask-0000000000", "/evidence/nope"):
        page = await browser.get(path)
        assert page.status_code == 404
        assert "/api" not in words_of(page)
