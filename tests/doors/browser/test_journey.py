"""What a person does: asks, watches, looks behind a sentence, exports the answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from lab.stubs import running_stubs
from playwright.sync_api import expect

from tests.doors.browser.conftest import Look, Watched
from tests.doors.browser.room import Room

OVER = "#run[data-over]"


@pytest.mark.parametrize(
    ("locale", "question"),
    [
        pytest.param(
            "en-US", "Why did USDC lose its peg in March 2023?", marks=pytest.mark.slow
        ),  # by default it is asked by keyboard, below
        ("zh-CN", "USDC 为什么脱锚？"),
    ],
)
def test_from_a_question_to_the_passage(look: Look, locale: str, question: str) -> None:
    window = look(locale=locale)
    page = window.open("/")
    page.locator("#command-text").fill(question)
    page.keyboard.press("Enter")
    page.wait_for_url("**/runs/ask-*")
    page.wait_for_selector(OVER)
    mark = page.locator(".said .cite[data-card]").first
    mark.hover()
    card = page.locator("#quote-card")
    expect(card).to_be_visible()
    quote = card.locator("blockquote").first.inner_text().strip("“”「」\"' \n")
    assert quote
    mark.click()
    page.wait_for_url("**/evidence/doc_*")
    marked = page.locator("mark").first
    expect(marked).to_be_in_viewport()
    # The words of the card are those that are marked in the stored page.
    text = "".join(page.locator("mark").all_inner_texts())
    assert quote.split("…")[0].strip()[:40] in text
    expect(page.get_by_text("→").first).to_be_visible()  # articles → origins


def test_a_message_is_guessed_and_the_guess_can_be_changed(look: Look) -> None:
    page = look().open("/")
    page.locator("#command-text").fill("BREAKING: Binance halts all withdrawals after a hack")
    expect(page.locator(".command-says")).to_contain_text(re.compile("verif", re.IGNORECASE))
    page.locator("label:has(input[name=kind][value=ask])").click()
    page.locator("form[data-command] button[data-kind=main]").click()
    page.wait_for_url("**/runs/ask-*")
    page.wait_for_selector(OVER)


@pytest.mark.parametrize(
    ("locale", "guess", "verify"),
    [
        pytest.param("en-US", "Looks like an address", "Verify its claims", marks=pytest.mark.slow),
        ("zh-TW", "看來是網址", "查證其中的說法"),
    ],
)
def test_an_address_is_read_and_its_page_is_offered(
    look: Look, locale: str, guess: str, verify: str
) -> None:
    page = look(locale=locale).open("/")
    page.locator("#command-text").fill("https://www.gangwan-daily.example/finance/2023-03-11/usdc")
    expect(page.locator(".command-says")).to_contain_text(guess)
    page.keyboard.press("Enter")
    page.wait_for_url("**/runs/tool-*")
    page.wait_for_selector(OVER)
    page.locator("#offers").get_by_role("button", name=verify).click()
    page.wait_for_url("**/runs/verify-*")
    page.wait_for_selector(OVER)


@pytest.mark.slow  # by default test_followers.py loads a page again, without a browser
def test_a_reload_in_mid_run_loses_nothing(
    windows: Callable[..., Watched], new_room: Callable[..., Room]
) -> None:
    with running_stubs("tavily", "web") as stubs:
        stubs.latency(search=0.5, page=0.5)
        room = new_room(
            GROUNDWIRE_OFFLINE="",
            GROUNDWIRE_SEARCH__CHAIN="tavily",
            TAVILY_API_KEY="tvly-stub",
            TAVILY_BASE_URL=stubs.url("tavily"),
            GROUNDWIRE_FETCH__ALLOW_PRIVATE="127.0.0.0/8",
            GROUNDWIRE_FETCH__ALLOW_PORTS=stubs.url("web").rpartition(":")[2],
        ).serve()
        window = windows(room.url)
        run_id = room.submit("ask", question="Did USDC lose its peg in March 2023, and why?")
        page = window.open(f"/runs/{run_id}")
        expect(page.locator("#story")).to_contain_text("queries")  # planned, and told live
        page.reload()  # in mid-run: nothing is over yet, or it is and then all is there
        page.wait_for_selector(OVER)
        room.finished(run_id)
        text = page.locator("#result").inner_text()
        page.reload()
        page.wait_for_selector(OVER)
        assert page.locator("#result").inner_text() == text
        result = room.ask("GET", f"/api/runs/{run_id}")["result"]
        for sentence in result["answer"]:
            assert sentence["text"][:60] in text


def test_the_export_is_a_file(look: Look, room: Room, tmp_path: Path) -> None:
    page = look().open(f"/runs/{room.newest('verify', text='Euler')}")
    page.get_by_text("Export", exact=True).first.click()
    for form, begins in (("pdf", b"%PDF"), ("docx", b"PK"), ("png", b"\x89PNG"), ("md", b"#")):
        with page.expect_download() as saving:
            page.locator(f"a[href*='format={form}']").click()
        file = tmp_path / f"export.{form}"
        saving.value.save_as(file)
        assert file.read_bytes().startswith(begins)


def test_by_keyboard_alone(look: Look) -> None:
    window = look()
    page = window.open("/costs")
    page.keyboard.press("g")
    page.keyboard.press("d")
    page.wait_for_url(f"{window.base}/")
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.keyboard.press("/")
    page.keyboard.type("Why did USDC lose its peg in March 2023?")
    page.keyboard.press("Enter")
    page.wait_for_url("**/runs/ask-*")
    page.wait_for_selector(OVER)
    page.wait_for_selector(".said .cite[data-card]")
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.said .cite[data-card]')"):
            break
    else:
        pytest.fail("no citation can be reached by Tab")
    expect(page.locator("#quote-card")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#quote-card")).to_be_hidden()
    page.keyboard.press("Enter")
    page.wait_for_url("**/evidence/doc_*")
    expect(page.locator("mark").first).to_be_in_viewport()


def test_with_a_token_only(windows: Callable[..., Watched], new_room: Callable[..., Room]) -> None:
    room = new_room(GROUNDWIRE_DESK__REQUIRE_TOKEN="1")
    secret = json.loads(room.gw("token", "create", "reader", "--scope", "run", "--json"))["token"]
    room.serve()
    window = windows(room.url, tolerant=True)
    page = window.open("/costs")
    page.wait_for_url("**/sign-in?next=*")
    field = page.locator("input[name=token]")
    field.fill("gw_wrong")
    page.keyboard.press("Enter")
    expect(page.locator("[role=alert], .error").first).to_be_visible()
    page.locator("input[name=token]").fill(secret)
    page.keyboard.press("Enter")
    page.wait_for_url("**/costs")
    assert secret not in page.content()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in*")
    window.open("/costs")
    page.wait_for_url("**/sign-in?next=*")
    window.context.close()
