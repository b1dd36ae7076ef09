"""The slider of a signal: dragged, the page shows what was known then."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.doors.browser.conftest import Look
from tests.doors.browser.room import Room

SAID = "2024-01-09T21:30:00Z"


def test_dragging_shows_what_was_known_then(look: Look, room: Room) -> None:
    run = room.submit("verify", text="SEC已批准比特币现货ETF", published_at=SAID)
    room.finished(run)
    page = look().open(f"/runs/{run}")
    big, slider = page.locator(".verdict-head .verdict"), page.locator(".course-range")
    counts, crosses = page.locator(".run-evidence .sides-line"), page.locator(".said .verdict")
    expect(big).to_have_attribute("data-verdict", "contradicted")
    expect(slider).to_have_attribute("aria-valuetext", "now: contradicted 0.20 · 3 contradict")
    assert big.bounding_box()["y"] < slider.bounding_box()["y"]  # pyright: ignore
    assert slider.bounding_box()["y"] < page.locator(".said").first.bounding_box()["y"]  # pyright: ignore
    slider.focus()
    page.keyboard.press("Home")
    expect(big).to_have_text("insufficient")
    expect(big).to_have_attribute("data-verdict", "insufficient")
    expect(page.locator(".confidence")).to_contain_text("0.40")
    spoken = slider.get_attribute("aria-valuetext") or ""
    assert spoken.startswith("2024-01-09 21:30 UTC, when it was said · insufficient 0.40")
    expect(counts).to_have_attribute("data-then", "nobody yet")
    for cross in crosses.all():
        expect(cross).to_be_hidden()  # nobody had said it yet
    expect(page.locator(".course-table tbody tr").first).to_have_attribute("aria-current", "step")
    page.keyboard.press("ArrowRight")
    expect(big).to_have_text("contradicted")
    expect(counts).to_have_attribute("data-then", "1 contradicts")
    expect(page.locator(".said .verdict:visible")).to_have_count(1)
    page.keyboard.press("End")
    expect(counts).not_to_have_attribute("data-then", "1 contradicts")
    expect(crosses.first).to_be_visible()


def test_tables_become_rows_of_their_own_on_a_phone(look: Look, room: Room) -> None:
    run = room.submit("verify", text="SEC has approved spot bitcoin ETFs", published_at=SAID)
    room.finished(run)
    page = look(viewport={"width": 390, "height": 844}).open(f"/runs/{run}")
    new = page.locator(".course-table td:last-child:not(:empty)").first
    box = new.bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390
    expect(new).to_have_css("display", "grid")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
