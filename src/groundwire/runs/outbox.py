"""Delivery of what waits in the outbox: at least once, with growing pauses after failures.

Each subscriber is served by itself: one that is down or slow holds up nobody else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from groundwire.errors import Fenced, GroundwireError, OutsideFailure, StoreError
from groundwire.log import get_logger
from groundwire.model.call import Lease
from groundwire.model.outbox import Notice, Parcel, Subscriber, parcel
from groundwire.model.ports import Outbox

if TYPE_CHECKING:
    from groundwire.notify.dispatch import Dispatch

log = get_logger("groundwire.outbox")

_TAKEN = timedelta(seconds=90)  # longer than any channel takes: after it, whoever had it is dead
_AT_ONCE = 4  # parcels on their way to one subscriber
_FIRST, _LONGEST = 10.0, 3_600.0  # seconds between two tries
_KEPT = timedelta(days=30)  # delivered or not
_MOMENT = 2.0  # seconds that an ending process gives to what is on its way


@dataclass(eq=False)
class Deliveries:
    """Delivers parcels whenever `poke` is called."""

    outbox: Callable[[], Outbox]
    channels: Callable[[], Dispatch | None]
    lease: Callable[[str], Awaitable[Lease | None]]
    clock: Callable[[], datetime]
    _serving: dict[Subscriber, asyncio.Task[None]] = field(
        default_factory=dict[Subscriber, "asyncio.Task[None]"], init=False
    )
    _looking: asyncio.Task[None] | None = field(default=None, init=False)
    _poked: bool = field(default=False, init=False)

    def parcels(
        self,
        lease: Lease,
        notice: Notice,
        at: datetime,
        own: Sequence[Subscriber] = (),
        due_at: datetime | None = None,
    ) -> tuple[Parcel, ...]:
        """Build a parcel for every subscriber: the desk's, and the run's own."""
        return tuple(
            parcel(lease.run_id, lease.attempt, notice, each, at, due_at)
            for each in dict.fromkeys((*self.subscribers(), *own))
        )

    def poke(self) -> None:
        """Deliver what is due, in the background."""
        self._poked = self._looking is not None  # what came meanwhile may not have been seen
        if self._looking is None and self.channels() is not None:
            self._looking = asyncio.create_task(self._look())
            self._looking.add_done_callback(self._looked)

    async def stop(self) -> None:
        """Give what is on its way a moment; the next process takes up the rest."""
        tasks = [*self._serving.values(), *filter(None, [self._looking])]
        if tasks:
            await asyncio.wait(tasks, timeout=_MOMENT)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def subscribers(self) -> Sequence[Subscriber]:
        """List those who are told of everything."""
        channels = self.channels()
        return () if channels is None else channels.subscribers()

    async def _look(self) -> None:
        """Serve everybody for whom something is due, each in a task of its own."""
        outbox, now = self.outbox(), self.clock()
        await outbox.prune(now - _KEPT)
        for each in await outbox.awaited(now):
            if each not in self._serving:
                task = self._serving[each] = asyncio.create_task(self._serve(each))
                task.add_done_callback(lambda done, each=each: self._served(each, done))

    def _looked(self, task: asyncio.Task[None]) -> None:
        self._looking = None
        _report(task)
        if self._poked and not task.cancelled():
            self.poke()

    async def _serve(self, to: Subscriber) -> None:
        outbox, now = self.outbox(), self.clock()
        while taken := await outbox.take(to, now, now + _TAKEN, limit=_AT_ONCE):
            await asyncio.gather(*(self._deliver(each) for each in taken))
            now = self.clock()

    def _served(self, to: Subscriber, task: asyncio.Task[None]) -> None:
        self._serving.pop(to, None)
        _report(task)

    async def _deliver(self, each: Parcel) -> None:
        lease, channels = await self.lease(each.run_id), self.channels()
        if lease is None or channels is None:
            return  # the run was forgotten meanwhile, or no channel is set any more
        try:
            await channels.deliver(each, lease)
        except (OutsideFailure, Fenced) as error:
            await self._failed(each, error)
        else:
            await self.outbox().delivered(each, self.clock())

    async def _failed(self, each: Parcel, error: GroundwireError) -> None:
        requested = error.retry_after if isinstance(error, OutsideFailure) else None
        pause = max(min(_FIRST * 2**each.tries, _LONGEST), requested or 0.0)
        log.warning(
            "not delivered", parcel=each.id, channel=each.channel, error=error.message, again=pause
        )
        now = self.clock()
        await self.outbox().failed(each, error.kept, now, now + timedelta(seconds=pause))


def _report(task: asyncio.Task[None]) -> None:
    error = None if task.cancelled() else task.exception()
    if isinstance(error, StoreError):
        log.warning("outbox", error=error.message)  # the next poke tries again
    elif error is not None:
        log.error("outbox", error=f"{type(error).__name__}: {error}")
