"""Writing a run's events, and following them as they are stored."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime

from groundwire.model.call import Lease
from groundwire.model.event import Draft, Event
from groundwire.model.ports import Journal, Runs
from groundwire.model.run import RESTING


class Bell:
    """Wakes followers in this process; other processes poll."""

    def __init__(self) -> None:
        self._waiting: dict[str, list[Listening]] = {}

    def ring(self, run_id: str, *, over: bool = False) -> None:
        """Wake those who follow a run because something was stored; `over`: its end."""
        for name in (run_id, _end_of(run_id)) if over else (run_id,):
            for listener in self._waiting.pop(name, []):
                listener.set()

    def ring_all(self) -> None:
        """Wake everybody: something may have been stored without a ring."""
        waiting, self._waiting = self._waiting, {}
        for listeners in waiting.values():
            for listener in listeners:
                listener.set()

    @contextmanager
    def listening(self, run_id: str, *, over: bool = False) -> Generator[Listening]:
        """Listen from this moment on: a ring that comes before the wait counts, too.

        `over`: for the run's end alone.
        """
        name = _end_of(run_id) if over else run_id
        listener = Listening()
        self._waiting.setdefault(name, []).append(listener)
        try:
            yield listener
        finally:
            # After a ring it is gone already.
            left = self._waiting.get(name, [])
            if listener in left:
                left.remove(listener)
                if not left:
                    del self._waiting[name]


class Listening(asyncio.Event):
    """An event that can be waited for with a limit; a bell's is set by its next ring."""

    async def wait_for(self, seconds: float) -> None:
        """Wait until it rings, or for so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.wait()


def _end_of(run_id: str) -> str:
    return f"{run_id} over"


class JournalWriter:
    """The emitter that a run's context holds."""

    def __init__(
        self, journal: Journal, lease: Lease, clock: Callable[[], datetime], bell: Bell
    ) -> None:
        self._journal = journal
        self._lease = lease
        self._clock = clock
        self._bell = bell
        self._held: list[Draft] = []
        self._writing: asyncio.Task[None] | None = None

    async def append(self, drafts: Sequence[Draft]) -> None:
        """Write events in order, in the background; raise what went wrong with earlier ones."""
        if self._writing is not None and self._writing.done():
            writing, self._writing = self._writing, None
            writing.result()
        self._held += drafts
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
            # Retrieve the exception: whoever ends the run may never await the task.
            self._writing.add_done_callback(lambda task: task.cancelled() or task.exception())

    async def written(self) -> None:
        """Wait until all events are stored; raise what kept them from it."""
        while self._writing is not None:
            writing, self._writing = self._writing, None
            await writing

    async def rest(self) -> Sequence[Draft]:
        """Return the events that are not stored yet, for whoever writes the last one."""
        held, self._held = self._held, []
        await self.written()
        return held

    async def _write(self) -> None:
        """Write what is held; events that come meanwhile share one transaction."""
        while self._held:
            drafts, self._held = self._held, []
            await self._journal.append(self._lease, drafts, self._clock())
            self._bell.ring(self._lease.run_id)


async def follow(
    runs: Runs,
    journal: Journal,
    bell: Bell,
    run_id: str,
    *,
    after: int = 0,
    poll: Callable[[], float] = lambda: 0.2,
    check: Callable[[], None] | None = None,
) -> AsyncIterator[Event]:
    """Yield every stored event after `after`, in order, once, until the run is over or waits.

    Reads the store, so it works across processes and restarts; `poll` is only how soon another
    process's events are noticed. `check` is called while there is nothing new, and may raise.
    """
    seen = after
    while True:
        # Listening before reading, so that no ring is missed.
        with bell.listening(run_id) as listener:
            # The state is read before the events, so a finished run's events are all there.
            run = await runs.get(run_id)
            over = run is None or run.state in RESTING
            while events := await journal.read(run_id, after=seen):
                for event in events:
                    seen = event.seq
                    yield event
            if over:
                return
            if check is not None:
                check()
            await listener.wait_for(poll())
