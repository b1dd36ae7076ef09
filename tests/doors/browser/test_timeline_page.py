"""A timeline in a browser: seen in part by keyboard, opened, followed to the page, whole without a script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.doors.browser.conftest import Look, Watched
from tests.doors.browser.room import PATIENCE, Room

TOPIC = "DeepSeek"


@pytest.fixture(scope="module")
def told(room: Room) -> Iterator[str]:
    """Tell a history on the sample."""
    run = room.tell(TOPIC)
    assert run["state"] == "complete"
    yield run["id"]


def test_parts_are_chosen_by_keyboard_and_details_lead_to_their_page(look: Look, told: str) -> None:
    page = look().open(f"/runs/{told}")
    nodes = page.locator(".node")
    everything = nodes.count()
    assert everything >= 10
    assert page.locator(".strip .tick").count() == everything
    page.locator(".tl-thread-0").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".tl-thread-1")).to_be_checked()
    shown = page.locator(".node:visible")
    expect(shown).not_to_have_count(everything)
    assert {each.get_attribute("data-strand") for each in shown.all()} == {"1"}
    page.locator(".tl-thread-0").check()
    page.locator(".tl-weight-2").check()
    assert {each.get_attribute("data-weight") for each in shown.all()} == {"high"}
    page.locator(".tl-weight-0").check()
    page.locator(".tl-year-1").check()
    expect(page.locator(".era:visible")).to_have_count(1)
    expect(shown).not_to_have_count(everything)
    assert {each.get_attribute("data-year") for each in shown.all()} == {"1"}
    assert {e.get_attribute("data-year") for e in page.locator(".tick:visible").all()} == {"1"}
    page.locator(".tl-year-0").check()
    expect(shown).to_have_count(everything)


def test_farther_away_more_fits(look: Look, told: str) -> None:
    page = look().open(f"/runs/{told}")
    heights: list[float] = []
    for place in range(3):
        page.locator(f".tl-zoom-{place}").check()
        box = page.locator(".timeline").bounding_box()
        assert box is not None
        heights.append(box["height"])
    assert heights[0] > 1.8 * heights[1] > 1.8 * heights[2] > 0
    expect(page.locator(".node-told:visible")).to_have_count(0)
    assert page.locator(".node[data-weight=low]:visible").count() == 0


def test_an_event_opens_beside_the_history_by_keyboard(look: Look, told: str) -> None:
    page = look().open(f"/runs/{told}")
    summary = page.locator(".node-more > summary").first
    summary.focus()
    page.keyboard.press("Enter")
    drawer = page.locator("#drawer")
    expect(drawer).to_be_visible()
    expect(drawer.locator(".drawer-more .said").first).to_be_visible()
    expect(drawer.locator(".drawer-passage mark").first).to_be_visible()
    expect(page.locator(".node-more[open]")).to_have_count(0)
    first = drawer.locator(".drawer-what").inner_text()
    page.keyboard.press("ArrowDown")
    expect(drawer.locator(".drawer-what")).not_to_have_text(first, use_inner_text=True)
    page.keyboard.press("ArrowUp")
    expect(drawer.locator(".drawer-what")).to_have_text(first, use_inner_text=True)
    found = Axe().run(page).response["violations"]
    assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []
    page.keyboard.press("Escape")
    expect(drawer).not_to_be_visible()
    expect(summary).to_be_focused()
    page.keyboard.press("Enter")
    drawer.locator(".quote-open a").first.click()
    expect(page.locator("mark").first).to_be_visible()


def test_without_a_script_details_open_in_their_place(look: Look, told: str) -> None:
    page = look(java_script_enabled=False).open(f"/runs/{told}")
    more = page.locator(".node-more").first
    more.locator("summary").click()
    expect(more.locator(".said").first).to_be_visible()
    expect(page.locator("#drawer")).not_to_be_visible()


@pytest.mark.parametrize(
    "dress",
    [
        {"viewport": {"width": 390, "height": 844}, "has_touch": True},
        {"locale": "zh-TW", "color_scheme": "dark"},
    ],
)
def test_it_is_whole_and_open_to_all(look: Look, told: str, dress: dict[str, Any]) -> None:
    page = look(**dress).open(f"/runs/{told}")
    page.wait_for_load_state("load")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    found = Axe().run(page).response["violations"]
    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    assert [(each["id"], each["nodes"][0]["html"][:120]) for each in serious] == []


def test_without_a_script_it_is_the_same_list(look: Look, told: str) -> None:
    page = look(java_script_enabled=False).open(f"/runs/{told}")
    assert page.locator(".node").count() >= 10
    page.locator(".tl-weight-2").check()
    assert {each.get_attribute("data-weight") for each in page.locator(".node:visible").all()} == {
        "high"
    }


def test_a_finished_timeline_is_offered_on_the_page_of_the_next(
    look: Look, room: Room, told: str
) -> None:
    run = room.proposed("timeline", topic=TOPIC, level="light")
    run_id = run["id"]
    assert [each["run_id"] for each in run["waiting"]["offers"]] == [told]
    page = look().open(f"/runs/{run_id}")
    page.locator(".offered a").click()
    expect(page).to_have_url(f"{room.url}/runs/{told}")
    room.ask("POST", f"/api/runs/{run_id}/cancel")


def test_the_file_is_seen_in_part_without_a_script(
    windows: Callable[..., Watched], room: Room, told: str, tmp_path: Path
) -> None:
    file = tmp_path / "told.html"
    room.gw("export", told, "-f", "html", "-o", str(file))
    window = windows(room.url, tolerant=True)  # the file itself is no page of the desk
    page = window.page
    page.goto(file.as_uri())
    everything = page.locator(".step").count()
    page.locator(".tl-weight-2").check()
    expect(page.locator(".step:visible")).not_to_have_count(everything)
    page.locator("details.more summary").locator("visible=true").first.click()
    expect(page.locator("details[open] li").first).to_be_visible()
    assert (window.elsewhere(), window.console) == ([file.as_uri()], [])
    window.context.close()


def test_a_plan_is_edited_row_by_row_and_the_history_grows_on_the_page(
    look: Look, room: Room
) -> None:
    run_id = room.proposed("timeline", topic="USDC", level="light")["id"]
    page = look().open(f"/runs/{run_id}")
    rows = page.locator("[data-row]")
    expect(rows).to_have_count(2)
    rows.last.locator("[data-drop-row]").click()
    expect(rows).to_have_count(1)
    page.locator("[data-add-row]").click()
    page.keyboard.type("redemptions")
    rows.last.locator("[name=estimated_nodes]").fill("3")
    page.locator(".proposal [type=submit]").click()
    expect(page.locator(".proposal")).to_have_count(0)
    expect(page.locator(".node").first).to_be_visible(timeout=PATIENCE * 1000)
    threads = room.finished(run_id)["result"]["threads"]
    assert [(each["name"], each["estimated_nodes"]) for each in threads] == [
        ("development", 10),
        ("redemptions", 3),
    ]


def test_a_plan_that_somebody_else_confirms_is_asked_no_more(look: Look, room: Room) -> None:
    run_id = room.proposed("timeline", topic="Euler", level="light")["id"]
    page = look().open(f"/runs/{run_id}")
    page.locator("[name=topic]").fill("Euler Finance")
    room.ask("POST", f"/api/runs/{run_id}/confirm", {})
    expect(page.locator(".proposal")).to_have_count(0, timeout=PATIENCE * 1000)
    room.finished(run_id)
