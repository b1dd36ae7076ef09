"""The desk of the API's tests, the rooms of the browser's, for attacks on both."""

from __future__ import annotations

from tests.doors.api.conftest import api, opened
from tests.doors.browser.conftest import browser, new_room, windows

__all__ = ["api", "browser", "new_room", "opened", "windows"]
