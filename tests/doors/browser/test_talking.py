"""A conversation: a question that follows an answer, a sentence to verify, and when something was said."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.doors.browser.conftest import Look
from tests.doors.browser.room import MESSAGES, Room

OVER = "#run[data-over]"


def test_on_from_an_answer_by_keyboard(look: Look, room: Room) -> None:
    first = room.newest("ask", question="and why?")
    page = look().open(f"/runs/{first}")
    page.get_by_label("A further question").fill("And who guaranteed the deposits?")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/runs/ask-" in url and first not in url)
    page.wait_for_selector(OVER)
    expect(page.locator("#result")).to_contain_text("USDC")  # completed by the earlier question
    back = page.locator(f"#result a[href='/runs/{first}']")
    expect(back).to_be_visible()
    back.click()
    page.wait_for_url(f"**/runs/{first}")
    sentence = page.locator(".said:has(.said-act)").first
    verify = sentence.locator(".said-act")
    expect(verify).to_have_css("opacity", "0")
    words = sentence.locator(".said-text").inner_text()[:40]
    verify.focus()
    expect(verify).to_have_css("opacity", "1")
    page.keyboard.press("Enter")
    page.wait_for_url("**/runs/verify-*")
    page.wait_for_selector(OVER)
    started = room.ask("GET", f"/api/runs/{page.url.rpartition('/')[2]}")
    assert started["input"]["text"].startswith(words)


def test_a_message_is_said_at_a_moment(look: Look, room: Room) -> None:
    window = look(timezone_id="Asia/Taipei")
    page = window.open("/")
    said_at = page.locator("input[name=said_at]")
    expect(said_at).to_be_hidden()
    page.locator("#command-text").fill(MESSAGES[0])
    expect(said_at).to_be_visible()
    said_at.fill("2999-01-01T00:00")
    page.locator("#command-text").press("Enter")
    expect(page.locator("form[data-command] .error")).to_contain_text("2999-01-01")
    said_at.fill("2023-03-14T09:30")
    page.locator("#command-text").press("Enter")
    page.wait_for_url("**/runs/verify-*")
    page.wait_for_selector(OVER)
    started = room.ask("GET", f"/api/runs/{page.url.rpartition('/')[2]}")
    assert started["input"]["published_at"] == "2023-03-14T01:30:00Z"  # by the reader's clock


def test_what_can_be_done_stands_in_a_narrow_window(look: Look, room: Room) -> None:
    window = look(viewport={"width": 390, "height": 844}, locale="zh-TW", color_scheme="dark")
    page = window.open(f"/runs/{room.newest('ask', question='and why?')}")
    expect(page.locator(".said-act").first).to_have_css("opacity", "1")
    expect(page.get_by_label("繼續提問")).to_be_visible()
    box = page.locator(".said-act").first.bounding_box()
    assert box is not None and box["x"] + box["width"] <= 390
