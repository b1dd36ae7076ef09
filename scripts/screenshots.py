#!/usr/bin/env python3
"""Screenshots of every page of the desk: light, dark, narrow and in Chinese, into build/screenshots.

make screenshots            all of them
scripts/screenshots.py run  those whose name contains a word
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402
from tests.doors.browser.room import MESSAGES, QUESTIONS, Room  # noqa: E402

WATCHED = "Monitor DeepSeek's latest developments"
OUT = ROOT / "build" / "screenshots"
VARIANTS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "narrow": {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2},
    "zh": {"locale": "zh-CN"},
}
MORE = (
    "Did DeepSeek release R2 on 17 March 2025?",
    "How many spot bitcoin funds did the SEC approve in January 2024?",
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("word", nargs="?", default="", help="only names that contain it")
    word = parser.parse_args().word
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.stderr.write("Chromium is needed: scripts/browser installs it as root\n")
        return 1
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Room(Path(folder)) as room:
        room.gw("archive", "add", "--sample")
        room.fill((*QUESTIONS, *MORE), MESSAGES)
        _watch(room)
        room.tell("DeepSeek", as_of="2025-02-01")
        room.tell("DeepSeek", since="last")
        room.tell("比特币 ETF")
        room.proposed("timeline", topic="FTX", level="light")
        for number, outcome in enumerate(("true", "false")):
            room.gw("feedback", room.newest("verify", text=MESSAGES[number][:6]), outcome)
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            for variant, options in VARIANTS.items():
                _shoot(browser, room, variant, options, word)
            browser.close()
    return 0


def _watch(room: Room) -> None:
    """Keep a watch that has looked at two moments of the sample."""
    told = ("--every", "daily at 9", "--to", "webhook:https://hooks.example/desk")
    made = json.loads(room.gw("watch", "add", WATCHED, *told, "--json"))
    for moment in ("2025-01-25T09:00Z", "2025-02-20T09:00Z"):
        room.gw("watch", "run", made["id"], "--at", moment, "--json")


def _places(room: Room) -> dict[str, str]:
    answer = room.newest("ask", text="March 2023, and why")
    chinese = room.newest("ask", text="为什么")
    result = room.ask("GET", f"/api/runs/{answer}")["result"]
    cited = result["answer"][0]["citations"][0]
    page = next(e["document_id"] for e in result["evidence"] if e["id"] == cited["evidence_id"])
    return {
        "desk": "/",
        "runs": "/runs",
        "watches": "/watches",
        "watch": f"/watches/{room.ask('GET', '/api/watches')['watches'][0]['id']}",
        "run-watch": f"/runs/{room.newest('watch')}",
        "run-ask": f"/runs/{answer}",
        "run-ask-zh": f"/runs/{chinese}",
        "run-verify": f"/runs/{room.newest('verify', text='Euler')}",
        "run-verify-zh": f"/runs/{room.newest('verify', text='XYZ')}",
        "run-plan": f"/runs/{room.newest('timeline', topic='FTX')}",
        "run-timeline": f"/runs/{room.newest('timeline', topic='DeepSeek')}",
        "run-timeline-zh": f"/runs/{room.newest('timeline', topic='比特币 ETF')}",
        "stored": f"/evidence/{page}?start={cited['start']}&end={cited['end']}&run={answer}",
        "archive": "/archive?q=USDC",
        "trust": "/trust",
        "costs": "/costs",
        "settings": "/settings",
        "sign-in": "/sign-in",
        "nowhere": "/nowhere",
    }


def _shoot(browser: Browser, room: Room, variant: str, options: dict[str, Any], word: str) -> None:
    settings = {"viewport": {"width": 1440, "height": 900}, "locale": "en-US", **options}
    context = browser.new_context(**settings)
    page = context.new_page()
    for name, path in _places(room).items():
        if word not in f"{name}-{variant}":
            continue
        page.goto(room.url + path)
        settle(page)
        page.screenshot(path=OUT / f"{name}-{variant}.png", full_page=variant == "narrow")
        if name.startswith("run-ask") and page.locator(".said .cite").count():
            page.locator(".said .cite").first.hover()
            page.locator("#quote-card").wait_for(state="visible")
            page.screenshot(path=OUT / f"{name}-quote-{variant}.png")
        if name.startswith("run-timeline") and page.locator(".node-more").count():
            page.locator(".node-more > summary").first.click()
            page.locator(".drawer-passage, .drawer .quote").first.wait_for(state="visible")
            page.screenshot(path=OUT / f"{name}-drawer-{variant}.png")
        sys.stdout.write(f"{name}-{variant}\n")
    context.close()


def settle(page: Page) -> None:
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready")


if __name__ == "__main__":
    sys.exit(main())
