"""A real Chromium on real desks. Whatever a page says to its console, or asks of another host, fails
the test that opened it."""

from __future__ import annotations

import os
import shutil
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    sync_playwright,
)

from tests.doors.browser.room import MESSAGES, QUESTIONS, Room

CHROMIUM = shutil.which("chromium")


# For one module: as long as the driver is open, its loop runs in this thread, and no test of
# another folder could have one of its own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        if os.environ.get("CI") == "true":
            pytest.fail("Chromium is needed: scripts/browser installs it as root")
        warnings.warn("NO CHROMIUM, THE BROWSER TESTS ARE SKIPPED: scripts/browser", stacklevel=1)
        pytest.skip("Chromium is not installed: scripts/browser")
    with sync_playwright() as driver:
        # Its sandbox needs a user of its own, which a container's root has not.
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def room(sample_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """A desk with the sample in its archive, and an answer and a signal in each language."""
    with Room(tmp_path_factory.mktemp("room")) as opened:
        shutil.copytree(sample_home, opened.place / "data")
        opened.fill(QUESTIONS, MESSAGES)
        yield opened


class Watched:
    """A browser window that records everything."""

    def __init__(self, context: BrowserContext, base: str) -> None:
        self.context = context
        self.base = base
        self.console: list[str] = []
        self.requested: list[str] = []
        self.dialogs: list[str] = []
        context.on("console", self._console)
        context.on("weberror", lambda error: self.console.append(str(error.error)))
        context.on("request", self._request)
        context.on("dialog", lambda dialog: (self.dialogs.append(dialog.message), dialog.dismiss()))
        self.page = context.new_page()
        self.page.set_default_timeout(60_000)  # a busy machine; nothing waits for it otherwise

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.console.append(f"{message.type}: {message.text}")

    def _request(self, request: Request) -> None:
        self.requested.append(request.url)

    def open(self, path: str) -> Page:
        self.page.goto(self.base + path)
        return self.page

    def elsewhere(self) -> list[str]:
        host = urlsplit(self.base).netloc
        return [
            url
            for url in self.requested
            if urlsplit(url).netloc != host and not url.startswith(("data:", "blob:"))
        ]


Look = Callable[..., Watched]


@pytest.fixture
def windows(browser: Browser) -> Iterator[Callable[..., Watched]]:
    """Open windows on any desk; at the end none may have complained or called another host."""
    opened: list[Watched] = []

    def make(base: str, *, tolerant: bool = False, **options: Any) -> Watched:
        settings = {"viewport": {"width": 1280, "height": 900}, "locale": "en-US", **options}
        watched = Watched(browser.new_context(**settings), base)
        if not tolerant:
            opened.append(watched)
        return watched

    yield make
    for watched in opened:
        watched.context.close()
    assert [line for watched in opened for line in watched.console] == []
    assert [url for watched in opened for url in watched.elsewhere()] == []
    assert [text for watched in opened for text in watched.dialogs] == []


@pytest.fixture
def look(windows: Callable[..., Watched], room: Room) -> Look:
    """Open a window on the filled desk."""

    def make(**options: Any) -> Watched:
        return windows(room.url, **options)

    return make


@pytest.fixture
def new_room(tmp_path: Path) -> Iterator[Callable[..., Room]]:
    """Start desks for one test."""
    opened: list[Room] = []

    def make(name: str = "own", **env: str) -> Room:
        room = Room(tmp_path / name, env).__enter__()
        opened.append(room)
        return room

    yield make
    for room in opened:
        room.__exit__(None, None, None)
