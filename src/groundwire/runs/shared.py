"""The engine on PostgreSQL: any number of processes; each run's own lease decides who executes it.

A process executes what it submitted itself at once, workers or not; a worker is woken for the rest.
A wake-up may be lost, late or double: who is woken looks at the run row, and the reconciler wakes
again whatever waits for nobody.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from groundwire.errors import StoreError
from groundwire.log import get_logger
from groundwire.model.call import Lease
from groundwire.model.message import Message
from groundwire.model.run import FINISHED, NewRun, Run
from groundwire.runs.engine import AT_ONCE, Engine, Pace
from groundwire.runs.lock import is_gone
from groundwire.runs.runner import Services

if TYPE_CHECKING:
    from groundwire.runs.workers import Workers

log = get_logger("groundwire.shared")

_QUEUE = "procrastinate_queue_v1#{}"  # where procrastinate tells of a job in this queue
_GLANCE = 1.0  # seconds between two looks at runs of our own that others may have
_AGAIN = 1.0  # seconds until a queue that was lost is tried again
_FAREWELL, _MOMENT = 4.0, 1.0  # seconds that the queue has to end


class WakeListener(Protocol):
    """Hears what other processes tell."""

    up: bool

    async def listen(self, channels: Sequence[str]) -> None: ...


class Wakeups(Protocol):
    """What the store knows of wake-ups."""

    events: str  # channels: a run has new events, is over, is asked to stop
    ends: str
    stops: str

    @property
    def conninfo(self) -> str: ...

    def listener(
        self, heard: Callable[[str, str], None], turned: Callable[[], None]
    ) -> WakeListener: ...

    async def again(self, kind: str, run_id: str) -> None: ...

    async def owners(self) -> Sequence[str]: ...

    async def reconcile(self, now: datetime, gone: Sequence[str]) -> int: ...


class SharedEngine(Engine):
    """Sees to the runs that it submitted or was asked about; as a worker, to those it is woken for."""

    shared = True

    def __init__(
        self,
        services: Services,
        wakeups: Wakeups,
        kinds: Sequence[str],
        *,
        at_once: int = AT_ONCE,
        pace: Pace | None = None,
    ) -> None:
        super().__init__(services, at_once=at_once, pace=pace)
        self._wakeups = wakeups
        self._kinds = tuple(kinds)
        self._listener = wakeups.listener(self._heard, self._turned)
        self._listening: asyncio.Task[None] | None = None
        self._workers: Workers | None = None
        self._queues: asyncio.Task[None] | None = None
        self._mine: set[str] = set()  # not known to be over
        self._told: set[str] = set()  # that somebody wants stopped, perhaps of ours
        self._kept: list[Lease] = []  # leases that could not be given back yet
        self._looked = float("-inf")  # when all was last looked at

    @property
    def listening(self) -> bool:
        return self._listener.up

    async def start(self, *, poke: bool = True) -> None:
        await super().start(poke=poke)
        if self._listening is None and not self._stopping:
            self._listen()

    async def work(self) -> None:
        """As a worker it takes its own runs from the queue, too: others may have a free place."""
        if self._workers is None and not self._stopping:
            from groundwire.runs.workers import Workers

            conninfo = self._wakeups.conninfo
            self._workers = Workers(conninfo, self._kinds, self._at_once, self._woken)
            if self._listening is not None:
                self._listening.cancel()
            self._listen()
            work = self._again_and_again(self._workers.run, lambda: asyncio.sleep(_AGAIN))
            self._queues = asyncio.create_task(work)
        await self.start()

    async def submit(self, run: NewRun, *, message: Message | None = None) -> Run:
        created = await self._services.runs.create(run, message=message)
        if self._workers is None:
            self._mine.add(created.id)
            if created.id == run.id and created.state == "queued":
                self._begin_new(created)
        await self.start(poke=not self.executes(created.id))
        return created

    async def ensure_executed(self, run_id: str) -> None:
        if self._workers is None:
            self._mine.add(run_id)
        await super().ensure_executed(run_id)

    # --- looking -----------------------------------------------------------------------------

    async def _look(self) -> None:
        """Give back what is left, see to our own runs, wake what waits for nobody."""
        while self._kept:
            await self._services.runs.release(self._kept[-1])
            self._kept.pop()
        now = asyncio.get_running_loop().time()
        full = now - self._looked >= self._pace.reconcile
        told, self._told = self._told, set()
        everything = full or not self.listening
        for run_id in sorted(told | self._mine | (self._tasks.keys() if everything else set())):
            await self._see_to(run_id)
        if full and self._workers is not None:
            await self._reconcile()
        if full:
            self._looked = now
        await self._tend()

    async def _see_to(self, run_id: str) -> None:
        head = await self._services.runs.head(run_id)
        if head is None or head.state in FINISHED:
            self._mine.discard(run_id)
        elif run_id in self._tasks:
            if head.cancel_requested:
                self._stop_one(run_id)
        elif run_id in self._mine and self._due(head, self._services.lease_clock()):
            self._begin(head)

    async def _reconcile(self) -> None:
        gone = [owner for owner in await self._wakeups.owners() if is_gone(owner)]
        count = await self._wakeups.reconcile(self._services.lease_clock(), gone)
        if count:
            log.info("woken again", runs=count)

    def _pause(self) -> float:
        if self._workers is None or self._kept or not self.listening:
            return _GLANCE
        since = asyncio.get_running_loop().time() - self._looked
        return max(self._pace.reconcile - since, 0.05)

    def _kept_back(self, lease: Lease) -> None:
        """It would run out by itself, but this process may live to give it back before."""
        self._kept.append(lease)

    # --- being told --------------------------------------------------------------------------

    async def _woken(self, run_id: str) -> None:
        """A job says that this run may be waiting: if so, execute it, and wait until it is over."""
        try:
            while (task := self._tasks.get(run_id)) is not None:
                await asyncio.wait({task})  # it may just be handing the run back
            head = await self._services.runs.head(run_id)
            if head is None or not self._free(head, self._services.lease_clock()):
                return
            if self._stopping:
                await self._wakeups.again(head.kind, run_id)
                return
        except StoreError as error:
            self._note(error, run_id=run_id)  # it will be woken again
            return
        if run_id not in self._tasks:
            # The job may be given up, the run is not: it ends by itself or is handed back.
            await asyncio.wait({self._begin(head)})

    def _listen(self) -> None:
        wakeups = self._wakeups
        queues = () if self._workers is None else [_QUEUE.format(kind) for kind in self._kinds]
        channels = [wakeups.events, wakeups.ends, wakeups.stops, *queues]
        self._listening = asyncio.create_task(self._listener.listen(channels))

    def _heard(self, channel: str, told: str) -> None:
        wakeups = self._wakeups
        if channel == wakeups.events:
            self._services.bell.ring(told)
        elif channel == wakeups.ends:
            self._services.bell.ring(told, over=True)
        elif channel == wakeups.stops:
            if told in self._tasks:
                self._told.add(told)
                self._poke.set()
        elif self._workers is not None:
            self._workers.ear.told(channel)

    def _turned(self) -> None:
        """Nobody knows what was told meanwhile: all who wait must look."""
        self._services.bell.ring_all()
        self._poke.set()
        if self._workers is not None:
            self._workers.ear.told_nothing()

    # --- ending ------------------------------------------------------------------------------

    async def _stop(self) -> None:
        queues, workers, listener = self._queues, self._workers, self._listening
        away = not self.listening  # then there is nobody to say farewell to
        if queues is not None:
            queues.cancel()
        await super()._stop()
        if queues is not None:
            await asyncio.wait({queues}, timeout=_MOMENT if away else _FAREWELL)
        if workers is not None and not away:
            # What had been fetched and not begun has no wake-up now.
            with suppress(StoreError):
                await self._wakeups.reconcile(self._services.lease_clock(), ())
        if listener is not None:
            listener.cancel()
            await asyncio.gather(listener, return_exceptions=True)
        self._queues = self._workers = self._listening = None
        self._mine.clear()
