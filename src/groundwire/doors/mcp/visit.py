"""A call under way: on whose behalf, what it answers, and whether the client took it back."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import NamedTuple

from groundwire.app import App
from groundwire.model.access import Caller
from groundwire.model.base import JsonObject
from groundwire.model.event import Event


class House:
    """What calls share in one process: the app, and whether it is about to close."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.stopping = asyncio.Event()
        self._followed = Counter[str]()

    @contextmanager
    def about(self, run_id: str) -> Generator[None]:
        """While a call waits for the end of this run."""
        self._followed[run_id] += 1
        try:
            yield
        finally:
            self._followed -= Counter([run_id])

    def stop(self) -> None:
        """Calls under way end with a word about their runs, which are kept."""
        self.stopping.set()
        for run_id in self._followed:
            self.app.bell.ring(run_id)


class Visit(NamedTuple):
    """One call of one client."""

    house: House
    who: Caller
    tell: Callable[[Event], Awaitable[None]]  # the client of a run's event, if it wants to know
    taken_back: Callable[[], bool]  # whether it was the client that ended the call

    @property
    def app(self) -> App:
        return self.house.app


class Answer(NamedTuple):
    """What a call gives: for people and models, for programs, and where to read on."""

    text: str
    value: JsonObject | None
    failed: bool = False
    run_id: str = ""
