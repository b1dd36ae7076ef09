"""Exported HTML in a real Chromium: looked at from a file, it runs nothing, loads nothing, fits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from groundwire.model.run import Run
from groundwire.report import html
from groundwire.report.plain import one_line
from groundwire.report.tokens import DARK, LIGHT
from tests.doors.browser.conftest import Watched
from tests.made_reports import (
    HOSTILE,
    QUOTES,
    ask_run,
    file_as,
    hostile_answer,
    hostile_signal,
    reported,
    verify_run,
)

Windows = Callable[..., Watched]


def saved(folder: Path, run: Run) -> str:
    path = folder / f"{run.id}.html"
    path.write_bytes(file_as("html", run))
    return path.as_uri().removeprefix("file://")


def _rgb(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgb({red}, {green}, {blue})"


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("run", [hostile_answer(), hostile_signal("zh")], ids=["ask", "verify"])
def test_malice_is_shown_and_does_nothing(
    windows: Windows, tmp_path: Path, run: Run, width: int
) -> None:
    window = windows("file://", viewport={"width": width, "height": 800})
    page = window.open(saved(tmp_path, run))
    assert page.evaluate("document.scripts.length") == 0
    assert page.evaluate("document.images.length") == 0
    assert page.evaluate("document.querySelectorAll('iframe, object, embed, form').length") == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    text = " ".join(page.inner_text("body").replace("\u2060", "").split())
    assert one_line(HOSTILE[0]) in text
    assert one_line(HOSTILE[3]) in text
    assert [url for url in window.requested if not url.startswith("file://")] == []


def test_the_policy_of_the_file_stops_what_slips_in(windows: Windows, tmp_path: Path) -> None:
    """A page whose escaping fails still runs nothing: the second lock holds by itself."""
    report = reported(ask_run())
    page = html.render(report).decode()
    path = tmp_path / "broken.html"
    evil = (
        "<script>document.title = 'owned'</script>"
        "<img src='http://127.0.0.1:9/x.png' onerror=\"document.title = 'owned'\">"
    )
    path.write_text(page.replace("<article>", f"<article>{evil}", 1), encoding="utf-8")
    window = windows("file://", tolerant=True)
    opened = window.open(path.as_uri().removeprefix("file://"))
    assert opened.title() == report.title
    assert any("Content Security Policy" in line for line in window.console)
    path.write_text(path.read_text("utf-8").replace("Content-Security-Policy", "x"), "utf-8")
    opened = window.open(path.as_uri().removeprefix("file://"))
    assert opened.title() == "owned"  # without it, it would
    window.context.close()


@pytest.mark.parametrize(("scheme", "tokens"), [("light", LIGHT), ("dark", DARK)])
def test_it_is_light_or_dark_as_the_reader_has_it(
    windows: Windows, tmp_path: Path, scheme: str, tokens: dict[str, str]
) -> None:
    page = windows("file://", color_scheme=scheme).open(saved(tmp_path, verify_run("zh")))
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == _rgb(tokens["paper"])


def test_a_mark_shows_its_quote_and_leads_to_its_source(windows: Windows, tmp_path: Path) -> None:
    page = windows("file://").open(saved(tmp_path, ask_run("zh-Hant")))
    mark = page.locator(".sentences .mark").first
    card = mark.locator(".card")
    assert not card.is_visible()
    mark.hover()
    card.wait_for(state="visible")
    assert QUOTES[0] in card.inner_text()
    mark.locator("a").focus()  # by keyboard too
    assert card.is_visible()
    mark.locator("a").click()
    assert page.url.endswith("#ask-0123456789-1")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("run", [ask_run(), verify_run("zh")], ids=["ask", "verify"])
def test_everybody_can_read_it(windows: Windows, tmp_path: Path, run: Run, scheme: str) -> None:
    page = windows("file://", color_scheme=scheme).open(saved(tmp_path, run))
    found = Axe().run(page).response["violations"]
    assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []
