"""The command bar: a guess, and a start without a script."""

from __future__ import annotations

import httpx2
import pytest

from groundwire.words import words
from tests.doors.ui.conftest import Site, csrf_of, words_of


async def _sent(browser: httpx2.AsyncClient, **given: str) -> httpx2.Response:
    csrf = csrf_of(await browser.get("/"))
    return await browser.post("/command", data={"csrf": csrf, **given})


@pytest.mark.parametrize(
    ("text", "kind", "started"),
    [
        ("Why did USDC lose its peg?", "", ("ask", "question", "Why did USDC lose its peg?")),
        ("网传币安将下架 USDT", "", ("verify", "text", "网传币安将下架 USDT")),
        ("網傳幣安將下架 USDT", "ask", ("ask", "question", "網傳幣安將下架 USDT")),
        ("verify: is USDC safe?", "", ("verify", "text", "is USDC safe?")),
        ("verify: is USDC safe?", "ask", ("ask", "question", "verify: is USDC safe?")),
        ("One line\r\nand another one.\r\n", "verify", ("verify", "text", None)),
    ],
)
async def test_what_is_typed_is_started(
    site: Site, text: str, kind: str, started: tuple[str, str, str | None]
):
    browser = await site.browser()
    answer = await _sent(browser, text=text, kind=kind)
    assert answer.status_code == 303
    (run,) = await site.app.store.runs.recent()
    assert answer.headers["location"] == f"/runs/{run.id}"
    wanted, field, given = started
    assert run.kind == wanted
    assert given is None or run.input[field] == given
    assert run.owner == "local"


@pytest.mark.parametrize(
    ("text", "kind"), [("", ""), ("  ", "ask"), ("x" * 5000, "ask"), ("A question?", "nothing")]
)
async def test_what_is_wrong_stands_under_the_bar(site: Site, text: str, kind: str):
    browser = await site.browser()
    page = await _sent(browser, text=text, kind=kind)
    assert page.status_code == 422
    assert '<p class="error" role="alert">' in page.text
    assert f">{text}</textarea>" in page.text
    assert await site.app.store.runs.recent() == []


async def test_a_page_of_another_session_starts_nothing(site: Site):
    browser, other = await site.browser(), await site.browser()
    csrf = csrf_of(await other.get("/"))
    await browser.get("/")
    for wrong in (csrf, "", "é" * 64):
        answer = await browser.post("/command", data={"csrf": wrong, "text": "Why?"})
        assert answer.status_code == 403
        assert "This is not allowed here" in words_of(answer)
    assert await site.app.store.runs.recent() == []


async def test_who_may_only_read_has_no_bar(locked: Site):
    browser = await locked.signed_in("read")
    page = await browser.get("/")
    assert "data-command" not in page.text
    assert "data-command" not in (await browser.get("/runs")).text
    assert "Ask for one with the scope run" in words_of(page)
    answer = await _sent(browser, text="Why?")
    assert answer.status_code == 422
    assert await locked.app.store.runs.recent() == []


async def test_the_guess_is_asked_for_while_one_types(browser: httpx2.AsyncClient):
    for text, kind, skip in (
        ("USDC 为什么脱锚", "ask", 0),
        ("核实：月亮是奶酪", "verify", 3),
        ("", "ask", 0),
    ):
        answer = await browser.get("/command/guess", params={"text": text})
        assert answer.json() == {"kind": kind, "skip": skip}
    assert (await browser.get("/command/guess?text=" + "a" * 601)).status_code == 422


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
async def test_examples_are_put_into_the_bar_without_a_script(
    browser: httpx2.AsyncClient, language: str
):
    example = words(language)("desk.example.2")
    browser.cookies.set("gw_language", language)
    page = await browser.get("/", params={"text": example})
    assert page.text.count(example) >= 3  # in the bar, in the list, in what a click fills in
