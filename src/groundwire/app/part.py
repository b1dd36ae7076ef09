"""What every part of the facade has: the app that it belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundwire.app.facade import App


class AppPart:
    """What doors find on the app under one noun; built when it is first asked for."""

    def __init__(self, app: App) -> None:
        self._app = app
