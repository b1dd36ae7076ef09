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
    """Wakes followers in this process; others look by themselves now and then."""

    def __init__(self) -> None:
        self._waiting: dict[str, list[Listening]] = {}

    def ring(self, run_id: str, *, over: bool = False) -> None:
        """Something was stored; `over`: the run's end."""
        for name in (run_id, _end_of(run_id)) if over else (run_id,):
            for waiting in self._waiting.pop(name, []):
                waiting.set()

    def ring_all(self) -> None:
        """Something may have been stored that nobody told of."""
        waiting, self._waiting = self._waiting, {}
        for each in waiting.values():
            for one in each:
                one.set()

    @contextmanager
    def listening(self, run_id: str, *, over: bool = False) -> Generator[Listening]:
        """An ear from this moment on: what rings before it is waited for is heard, too.

        `over`: for the run's end alone.
        """
        name = _end_of(run_id) if over else run_id
        waiting = Listening()
        self._waiting.setdefault(name, []).append(waiting)
        try:
            yield waiting
        finally:
            # The bell may have rung meanwhile: then it is gone already.
            left = self._waiting.get(name, [])
            if waiting in left:
                left.remove(waiting)
                if not left:
                    del self._waiting[name]


class Listening(asyncio.Event):
    """Set by the next ring."""

    async def heard(self, seconds: float) -> None:
        """Wait until it rings, or for so long."""
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
        """Have events written, in their order; what went wrong with earlier ones is raised here."""
        if self._writing is not None and self._writing.done():
            writing, self._writing = self._writing, None
            writing.result()
        self._held += drafts
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
            # Whoever ends the run may not ask what went wrong.
            self._writing.add_done_callback(lambda task: task.cancelled() or task.exception())

    async def written(self) -> None:
        """Until all events are stored; raises what kept them from it."""
        while self._writing is not None:
            writing, self._writing = self._writing, None
            await writing

    async def rest(self) -> Sequence[Draft]:
        """Events that are not stored yet, for whoever writes the last one."""
        held, self._held = self._held, []
        await self.written()
        return held

    async def _write(self) -> None:
        """Several that come while one is written, or before the loop turns, are one transaction."""
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
    look: Callable[[], None] | None = None,
) -> AsyncIterator[Event]:
    """Every stored event after `after`, in order, exactly once, until the run is over or waits for
    a person.

    Reads the store, so it works across processes and restarts; `poll` is only how soon another
    process's events are noticed. `look` is called while there is nothing new, and may raise.
    """
    seen = after
    while True:
        # From before the look on: what rings while it is under way is heard.
        with bell.listening(run_id) as ear:
            # The state is read before the events: what a finished run wrote is then all there.
            run = await runs.get(run_id)
            over = run is None or run.state in RESTING
            while events := await journal.read(run_id, after=seen):
                for event in events:
                    seen = event.seq
                    yield event
            if over:
                return
            if look is not None:
                look()
            await ear.heard(poll())
