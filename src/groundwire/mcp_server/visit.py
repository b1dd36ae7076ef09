"""A call under way: on whose behalf, what it answers, and whether the client took it back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from groundwire.app import App
from groundwire.log import Redactor
from groundwire.model.access import Caller
from groundwire.model.base import JsonObject
from groundwire.model.event import Event


class House:
    """What calls share in one process: the app, and whether it is about to close."""

    def __init__(self, app: App) -> None:
        self.app = app
        # Quotes must stay as they were found: known secrets go, what only looks like one stays.
        self.mask = Redactor(app.settings.secrets(), shapes=False)
        self.stopping = asyncio.Event()
        self._calls = 0
        self._quiet = asyncio.Event()
        self._quiet.set()

    @contextmanager
    def at_work(self) -> Generator[None]:
        """While a call is answered."""
        self._calls += 1
        self._quiet.clear()
        try:
            yield
        finally:
            self._calls -= 1
            if not self._calls:
                self._quiet.set()

    async def stop(self, patience: float) -> None:
        """Calls under way end with a word about their runs, which are kept."""
        self.stopping.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._quiet.wait()


@dataclass(frozen=True)
class Visit:
    """One call of one client."""

    house: House
    who: Caller
    tell: Callable[[Event], Awaitable[None]]  # the client of a run's event, if it wants to know
    taken_back: Callable[[], bool]  # whether it was the client that ended the call

    @property
    def app(self) -> App:
        return self.house.app


@dataclass(frozen=True)
class Answer:
    """What a call gives: for people and models, for programs, and where to read on."""

    text: str
    value: JsonObject | None
    failed: bool = False
    run_id: str = ""
