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
    (run,) = await site.app.runs.recent()
    assert answer.headers["location"] == f"/runs/{run.id}"
    wanted, field, given = started
    assert run.kind == wanted
    assert given is None or run.input[field] == given
    assert run.owner == "local"


@pytest.mark.parametrize("kind", ["ask", "verify"])
async def test_a_day_up_to_which_evidence_counts_can_be_chosen(site: Site, kind: str):
    browser = await site.browser()
    assert '<input type="date" name="as_of"' in (await browser.get("/")).text
    answer = await _sent(browser, text="USDC 脱锚", kind=kind, as_of="2023-03-11")
    assert answer.status_code == 303
    (run,) = await site.app.runs.recent()
    assert run.input["as_of"] == "2023-03-11T23:59:59Z"
    refused = await _sent(browser, text="USDC 脱锚", kind=kind, as_of="banana")
    assert refused.status_code == 422


@pytest.mark.parametrize(
    ("text", "kind"), [("", ""), ("  ", "ask"), ("x" * 5000, "ask"), ("A question?", "nothing")]
)
async def test_what_is_wrong_stands_under_the_bar(site: Site, text: str, kind: str):
    browser = await site.browser()
    page = await _sent(browser, text=text, kind=kind)
    assert page.status_code == 422
    assert '<p class="error" role="alert">' in page.text
    assert f">{text}</textarea>" in page.text
    assert await site.app.runs.recent() == []


async def test_a_page_of_another_session_starts_nothing(site: Site):
    browser, other = await site.browser(), await site.browser()
    csrf = csrf_of(await other.get("/"))
    await browser.get("/")
    for wrong in (csrf, "", "é" * 64):
        answer = await browser.post("/command", data={"csrf": wrong, "text": "Why?"})
        assert answer.status_code == 403
        assert "This is not allowed here" in words_of(answer)
    assert await site.app.runs.recent() == []


async def test_who_may_only_read_has_no_bar(locked: Site):
    browser = await locked.signed_in("read")
    page = await browser.get("/")
    assert "data-command" not in page.text
    assert "data-command" not in (await browser.get("/runs")).text
    assert "Ask for one with the scope run" in words_of(page)
    answer = await _sent(browser, text="Why?")
    assert answer.status_code == 422
    assert await locked.app.runs.recent() == []


PAGE = "https://www.gangwan-daily.example/finance/2023-03-11/usdc"


@pytest.mark.parametrize(
    ("text", "kind"), [(PAGE, ""), (f" {PAGE}\n", "ask"), (f"verify: {PAGE}", "")]
)
async def test_an_address_is_read_first(site: Site, text: str, kind: str):
    browser = await site.browser()
    answer = await _sent(browser, text=text, kind=kind)
    (run,) = await site.app.runs.recent()
    assert answer.headers["location"] == f"/runs/{run.id}"
    assert (run.kind, run.input["tool"], run.input["arguments"]) == ("tool", "read", {"url": PAGE})
    guessed = await browser.get("/command/guess", params={"text": text})
    assert guessed.json()["page"] is True


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
async def test_what_can_be_done_with_the_page_stands_on_its_page(site: Site, language: str):
    await site.app.archive.add_sample()
    browser, say = await site.browser(), words(language)
    browser.cookies.set("gw_language", language)
    answer = await _sent(browser, text=PAGE)
    run = await site.app.ended(answer.headers["location"].rpartition("/")[2])
    page = await browser.get(f"/runs/{run.id}")
    shown = words_of(page)
    assert say("run.page.title") in shown
    assert say("ask.page") in shown and say("verify.page") in shown
    for kind, field in (("ask", "question"), ("verify", "text")):
        given = {"csrf": csrf_of(page), "run": run.id, "kind": kind}
        answer = await browser.post("/command/offer", data=given)
        assert answer.status_code == 303, answer.text
        started = await site.app.runs.find(answer.headers["location"].rpartition("/")[2])
        assert started.kind == kind
        assert "穩定幣USDC失守一美元" in started.input[field]
    assert (started.input["source"], started.input["published_at"][:10]) == (
        "gangwan-daily.example",
        "2023-03-11",
    )


async def test_only_what_was_offered_is_started_from_a_page(site: Site):
    browser = await site.browser()
    csrf = csrf_of(await browser.get("/"))
    run = await site.queued("ask", {"question": "Why?"})
    given = {"csrf": csrf, "run": run.id, "kind": "ask"}
    assert (await browser.post("/command/offer", data=given)).status_code == 409
    given["run"] = "tool-0000000000"
    assert (await browser.post("/command/offer", data=given)).status_code == 404
    assert len(await site.app.runs.recent()) == 1


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
