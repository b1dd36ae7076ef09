"""A call under way: its caller, its answer, and whether the client cancelled it."""

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
    """The state that calls share in one process: the app, and whether it is closing."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.stopping = asyncio.Event()
        self._followed = Counter[str]()

    @contextmanager
    def following(self, run_id: str) -> Generator[None]:
        """Count a call as following a run while it waits for its end."""
        self._followed[run_id] += 1
        try:
            yield
        finally:
            self._followed -= Counter([run_id])

    def stop(self) -> None:
        """End calls under way with a message about their runs, which are kept."""
        self.stopping.set()
        for run_id in self._followed:
            self.app.bell.ring(run_id)


class Visit(NamedTuple):
    """One call of one client."""

    house: House
    who: Caller
    tell: Callable[[Event], Awaitable[None]]  # reports a run's event to the client
    was_cancelled: Callable[[], bool]  # by the client

    @property
    def app(self) -> App:
        return self.house.app


class Answer(NamedTuple):
    """The answer to a call: text for people and models, a value for programs, and its run."""

    text: str
    value: JsonObject | None
    failed: bool = False
    run_id: str = ""
