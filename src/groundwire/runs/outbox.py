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

    def parcels(
        self, lease: Lease, notice: Callable[[], Notice | None], at: datetime
    ) -> tuple[Parcel, ...]:
        """Build a parcel for every subscriber; the notice is not even made where there is none."""
        subscribers = self._subscribers()
        made = notice() if subscribers else None
        if made is None:
            return ()
        return tuple(parcel(lease.run_id, lease.attempt, made, each, at) for each in subscribers)

    def poke(self) -> None:
        """Deliver what is due, in the background."""
        for each in self._subscribers():
            if each not in self._serving:
                task = self._serving[each] = asyncio.create_task(self._serve(each))
                task.add_done_callback(lambda done, each=each: self._served(each, done))

    async def stop(self) -> None:
        """Give what is on its way a moment; the next process takes up the rest."""
        tasks = list(self._serving.values())
        if tasks:
            await asyncio.wait(tasks, timeout=_MOMENT)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _subscribers(self) -> Sequence[Subscriber]:
        channels = self.channels()
        return () if channels is None else channels.subscribers()

    async def _serve(self, to: Subscriber) -> None:
        outbox, now = self.outbox(), self.clock()
        await outbox.prune(now - _KEPT)
        while taken := await outbox.take(to, now, now + _TAKEN, limit=_AT_ONCE):
            await asyncio.gather(*(self._deliver(each) for each in taken))
            now = self.clock()

    def _served(self, to: Subscriber, task: asyncio.Task[None]) -> None:
        self._serving.pop(to, None)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, StoreError):
            log.warning("outbox", error=error.message)  # the next poke tries again
        elif error is not None:
            log.error("outbox", error=f"{type(error).__name__}: {error}")

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
