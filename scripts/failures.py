"""Runs whose search is refused (429) or whose pages fail, as Chinese readers see them.

python -m scripts.failures          every case, into build/failures
python -m scripts.failures zh-Hant  those whose name contains a word

Each run leaves its card and live story as text, its page and the first page of its PDF as pictures.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import itertools
import shutil
import struct
import sys
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pypdfium2
from lab.bench.home import home, opened
from lab.stubs import Rule, Stubs, running_stubs
from lab.stubs.faults import error, rate_limited
from lab.stubs.markets import HOSTS
from playwright.sync_api import BrowserType, sync_playwright
from rich.console import Console
from scripts.screenshots import settle
from tests.doors.browser.room import Room

from groundwire.doors.cli.story import LiveStory
from lab import ROOT
from lab.bench import process

OUT = ROOT / "build" / "failures"
_COLUMNS = 100
_SCALE = 1.5  # pixels of a picture to a point of a PDF
_INPUTS = {
    ("ask", "zh"): "USDC 为什么在2023年3月脱锚？",
    ("ask", "zh-Hant"): "USDC 為什麼在2023年3月脫鉤？",
    ("verify", "zh"): "Euler Finance 遭闪电贷攻击，损失约1.97亿美元",
    ("verify", "zh-Hant"): "Euler Finance 遭閃電貸攻擊，損失約1.97億美元",
}
_LOCALES = {"zh": "zh-CN", "zh-Hant": "zh-TW"}
_UNFOLD = "document.querySelectorAll('details:not(.menu)').forEach(each => { each.open = true })"
_HEIGHT = """Math.max(...[...document.querySelectorAll('*')].map(
    each => Math.ceil(each.getBoundingClientRect().top) + each.scrollHeight)) + 200"""
_WINDOWS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
}


_FAILURES = {
    "429": Rule(rate_limited(60)),  # the archive answers
    "429-empty-archive": Rule(rate_limited(60)),
    # Only the pages: their robots.txt is at the root of the web.
    "failed-page": Rule(error(), stub="web", path="/p/*"),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("word", nargs="?", default="", help="only names that contain it")
    word = parser.parse_args().word
    if shutil.which("chromium") is None:
        sys.stderr.write("Chromium is needed: scripts/browser installs it as root\n")
        return 1
    OUT.mkdir(parents=True, exist_ok=True)
    with running_stubs("tavily", "web", *HOSTS) as stubs:
        for name, (kind, language) in itertools.product(_FAILURES, _INPUTS):
            case = f"{name}-{kind}-{language}"
            if word in case:
                _show(stubs, case, name, kind, language)
                sys.stdout.write(f"{case}\n")
    return 0


def _show(stubs: Stubs, case: str, failure: str, kind: str, language: str) -> None:
    """Make one run in a data folder of its own, and keep all that a reader sees of it."""
    markets = {f"tools__providers__{name}__base_url": stubs.url(name) for name in HOSTS}
    with home(stubs, None, language=language, **markets) as env:
        folder = Path(env["HOME"])
        env |= {"GROUNDWIRE_HOME": str(folder / "data"), "COLUMNS": str(_COLUMNS)}
        with Room(folder, {**env, "GROUNDWIRE_OFFLINE": ""}) as room:
            stubs.reset()
            if failure == "429":
                room.gw("archive", "add", "--sample")
            stubs.faults(_FAILURES[failure])
            _command(room, case, kind, _INPUTS[kind, language])
            run_id = asyncio.run(_live_block(env, case, language))
            _pdf(room, case)
            address = f"{room.serve().url}/runs/{run_id}"
            with sync_playwright() as driver:
                _pages(driver.chromium, address, case, _LOCALES[language])


def _command(room: Room, case: str, kind: str, text: str) -> None:
    """Run the job by its command: the card is its output, the story what it says meanwhile."""
    ended = process.run(["-m", "groundwire", kind, text], room.environment())
    assert ended.code in (0, 3, 4), ended.error
    (OUT / f"{case}-card.txt").write_text(ended.out, "utf-8")
    (OUT / f"{case}-story.txt").write_text(ended.error, "utf-8")


async def _live_block(env: Mapping[str, str], case: str, language: str) -> str:
    """Add the block that a terminal shows while the run goes on, in its last state."""
    async with opened(env) as app:
        run = await app.runs.find("last")
        story = LiveStory(run.id, run.kind, language)
        async for event in app.runs.journal(run.id):
            story.take(event)
    drawn = io.StringIO()
    Console(file=drawn, width=_COLUMNS).print(story.block())
    with (OUT / f"{case}-story.txt").open("a", encoding="utf-8") as file:
        file.write(f"\n{drawn.getvalue()}")
    return run.id


def _pdf(room: Room, case: str) -> None:
    path = OUT / f"{case}.pdf"
    room.gw("export", "last", "--output", str(path))
    document: Any = pypdfium2.PdfDocument(path)
    drawn = document[0].render(scale=_SCALE, rev_byteorder=True)
    # In the form that a PNG packs: every row begins with its filter, which is none.
    rows = b"".join(b"\0" + row.tobytes() for row in drawn.to_numpy())
    head = struct.pack(">IIBBBBB", drawn.width, drawn.height, 8, 2, 0, 0, 0)
    chunks = _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")
    (OUT / f"{case}-pdf.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunks)
    document.close()


def _chunk(kind: bytes, data: bytes) -> bytes:
    """Frame a part of a PNG: its length, kind and data, and their checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _pages(chromium: BrowserType, url: str, case: str, locale: str) -> None:
    """Take the run's page wide and light, narrow and dark, with all of it unfolded but the menu."""
    browser = chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
    for name, window in _WINDOWS.items():
        context = browser.new_context(locale=locale, **window)
        page = context.new_page()
        page.goto(url)
        settle(page)
        page.evaluate(_UNFOLD)
        # Columns that scroll by themselves are as high as the window.
        width: int = window["viewport"]["width"]
        page.set_viewport_size({"width": width, "height": page.evaluate(_HEIGHT)})
        page.screenshot(path=OUT / f"{case}-{name}.png", full_page=True)
    browser.close()


if __name__ == "__main__":
    sys.exit(main())
