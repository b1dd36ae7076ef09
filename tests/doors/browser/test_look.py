"""Every page in every variant: no sideways scrolling, nothing serious for axe, both languages."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.doors.browser.conftest import Look
from tests.doors.browser.room import Room, until

PAGES = ("/", "/runs", "/watches", "/archive", "/archive?q=USDC", "/trust", "/costs", "/settings")
DRESSES: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "narrow": {"viewport": {"width": 390, "height": 844}, "has_touch": True},
    "chinese": {"locale": "zh-CN"},
    "traditional": {"locale": "zh-TW", "color_scheme": "dark"},
}
# Not in the list of anybody: `color-contrast` is among them.
SERIOUS = ("serious", "critical")


def _paths(room: Room) -> list[str]:
    answer = room.newest("ask", text="March 2023, and why")
    signal = room.newest("verify", text="Euler")
    result = room.ask("GET", f"/api/runs/{answer}")["result"]
    cited = result["answer"][0]["citations"][0]
    page = next(e["document_id"] for e in result["evidence"] if e["id"] == cited["evidence_id"])
    stored = f"/evidence/{page}?start={cited['start']}&end={cited['end']}&run={answer}"
    return [*PAGES, f"/runs/{answer}", f"/runs/{signal}", stored, "/nowhere"]


# Narrow is light and English, traditional is dark and Chinese.
_SHORT = ("narrow", "traditional")


@pytest.mark.parametrize(
    "dress",
    [pytest.param(name, marks=() if name in _SHORT else pytest.mark.slow) for name in DRESSES],
)
def test_every_page_is_whole_and_open_to_all(look: Look, room: Room, dress: str) -> None:
    window = look(**DRESSES[dress])
    found: list[str] = []
    for path in _paths(room):
        page = window.open(path)
        page.wait_for_load_state("load")
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            found.append(f"{path}: {wide} px too wide")
        result = Axe().run(page)
        found += [
            f"{path}: {each['id']}: {each['nodes'][0]['html'][:120]}"
            for each in result.response["violations"]
            if each["impact"] in SERIOUS
        ]
        language = page.get_attribute("html", "lang")
        wanted = {"chinese": "zh-Hans", "traditional": "zh-Hant"}.get(dress, "en")
        assert language == wanted
    window.console = [line for line in window.console if "404" not in line]  # /nowhere says so
    assert found == []


def test_the_theme_and_the_language_stay_as_chosen(look: Look) -> None:
    window = look(color_scheme="light")
    page = window.open("/archive")
    paper = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(paper)
    with page.expect_response("**/look/theme"):  # the cookie that a reload is shown by
        page.locator("[data-theme-switch] button").click()
    until(lambda: page.evaluate(paper) != before)
    dark = page.evaluate(paper)
    page.reload()
    assert page.evaluate(paper) == dark
    page.locator("button[name=language][value=zh]").click()
    page.wait_for_selector("html[lang=zh-Hans]")
    assert page.url.endswith("/archive")
    page.goto(f"{window.base}/costs")
    assert page.get_attribute("html", "lang") == "zh-Hans"
    assert page.evaluate(paper) == dark


def test_nothing_moves_for_who_wants_no_motion(look: Look, room: Room) -> None:
    window = look(reduced_motion="reduce")
    page = window.open(f"/runs/{room.newest('ask', text='March')}")
    moving = page.evaluate(
        "[...document.querySelectorAll('*')].filter(e => {const s = getComputedStyle(e);"
        "return parseFloat(s.transitionDuration) > 0 || parseFloat(s.animationDuration) > 0})"
        ".map(e => e.className || e.tagName)"
    )
    assert moving == []
