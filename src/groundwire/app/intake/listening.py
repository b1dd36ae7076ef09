"""Listening for days: all sources at once, a heartbeat, and an end that loses nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from groundwire.app.intake.door import Counts, Door

if TYPE_CHECKING:
    from groundwire.app import App

HEARTBEAT = 60.0
_FAREWELL = 1.0  # seconds; calls under way then get seven more before the process ends


class Source(Protocol):
    """Where messages come from."""

    @property
    def broken(self) -> Mapping[str, str]:
        """What does not work at the moment, by its name, and why: as `words.kept` packs it."""
        ...

    async def listen(self) -> None:
        """Bring messages until there can be no more."""
        ...

    async def once(self) -> None:
        """Bring what there is now."""
        ...


@dataclass(frozen=True)
class Beat:
    """A status report: what came through the door, what is under way, what is broken, the cost."""

    counts: Counts
    in_flight: int
    broken: Mapping[str, str]
    spent: int  # micro-dollars of today


@dataclass
class Listener:
    """Sources on one door, until they are exhausted or the listener is stopped."""

    app: App
    door: Door
    sources: Sequence[Source]
    beat: Callable[[Beat], None]
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def run(self, stop: asyncio.Event, *, once: bool = False) -> bool:
        """Listen until done or stopped; return whether everything that came has its signal."""
        work = asyncio.create_task(self._work(once))
        heart = asyncio.create_task(self._beats())
        stopped = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait({work, heart, stopped}, return_when=asyncio.FIRST_COMPLETED)
            done = work.done()
            for task in (work, heart):
                if task.done():
                    task.result()  # what ended it early is raised here
        finally:
            for task in (work, heart, stopped):
                task.cancel()
            await asyncio.gather(work, heart, stopped, return_exceptions=True)
            await self.door.close(_FAREWELL)
        self.beat(await self.now())
        return done

    async def now(self) -> Beat:
        """Return the status of this moment."""
        spent = await self.app.costs.of_day()
        broken = {name: why for source in self.sources for name, why in source.broken.items()}
        return Beat(self.door.counts, self.door.in_flight, broken, spent)

    async def _work(self, once: bool) -> None:
        # First what an earlier process left; sources may bring the same again, which is then known.
        await self.door.recover()
        try:
            async with asyncio.TaskGroup() as tasks:
                for source in self.sources:
                    tasks.create_task(source.once() if once else source.listen())
        except BaseExceptionGroup as group:
            with suppress(asyncio.CancelledError):
                raise group.exceptions[0] from None
            raise
        await self.door.idle()

    async def _beats(self) -> None:
        while True:
            await self.sleep(HEARTBEAT)
            self.beat(await self.now())
