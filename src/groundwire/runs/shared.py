"""The engine on PostgreSQL: any number of processes; each run's own lease decides who executes it.

A process executes what it submitted itself at once, workers or not; a worker is woken for the rest.
A wake-up may be lost, late or double: a woken worker looks at the run row, and the reconciler wakes
again whatever was missed.
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
from groundwire.model.run import FINISHED
from groundwire.runs.engine import AT_ONCE, Engine, Pace
from groundwire.runs.lock import is_gone
from groundwire.runs.runner import Services

if TYPE_CHECKING:
    from groundwire.runs.workers import Workers

log = get_logger("groundwire.shared")

_QUEUE = "procrastinate_queue_v1#{}"  # the channel that announces jobs of a queue
_GLANCE = 1.0  # seconds between two looks at our own runs, which others may execute
_RETRY = 1.0  # seconds until a lost queue is tried again
_FAREWELL, _MOMENT = 4.0, 1.0  # seconds that the queue has to end


class WakeListener(Protocol):
    """Receives the notices of other processes."""

    up: bool

    async def listen(self, channels: Sequence[str]) -> None: ...


class Wakeups(Protocol):
    """The store's side of wake-ups."""

    events: str  # channels: a run has new events, is over, is asked to stop
    ends: str
    stops: str

    @property
    def conninfo(self) -> str: ...

    def listener(
        self, on_notice: Callable[[str, str], None], on_change: Callable[[], None]
    ) -> WakeListener: ...

    async def again(self, kind: str, run_id: str) -> None: ...

    async def owners(self) -> Sequence[str]: ...

    async def workers(self) -> int: ...

    async def reconcile(self, now: datetime, gone: Sequence[str]) -> int: ...


class SharedEngine(Engine):
    """Executes the runs that it submitted or was asked for; as a worker, those it is woken for."""

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
        self._listener = wakeups.listener(self._on_notice, self._on_change)
        self._listening: asyncio.Task[None] | None = None
        self._workers: Workers | None = None
        self._queues: asyncio.Task[None] | None = None
        self._adopted: set[str] = set()  # run here, not known to be over
        self._to_stop: set[str] = set()  # under way here, and asked to stop
        self._unreleased: list[Lease] = []  # leases that could not be released yet
        self._looked = float("-inf")  # when everything was last looked at

    @property
    def listening(self) -> bool:
        return self._listener.up

    async def start(self, *, poke: bool = True) -> None:
        await super().start(poke=poke)
        if self._listening is None and not self._stopping:
            self._listen()

    async def work(self) -> None:
        """Start as a worker, which takes its own runs from the queue, too: others may be free."""
        if self._workers is None and not self._stopping:
            from groundwire.runs.workers import Workers

            conninfo = self._wakeups.conninfo
            self._workers = Workers(conninfo, self._kinds, self._at_once, self._wake)
            if self._listening is not None:
                self._listening.cancel()
            self._listen()
            work = self._repeat(self._workers.run, lambda: asyncio.sleep(_RETRY))
            self._queues = asyncio.create_task(work)
        await super().work()

    async def keeps_time(self) -> bool:
        return self._ticks is not None or await self._wakeups.workers() > 0

    async def ensure_executed(self, run_id: str) -> None:
        self._adopt(run_id)
        await super().ensure_executed(run_id)

    # --- looking -----------------------------------------------------------------------------

    def _adopt(self, run_id: str) -> bool:
        if self._workers is None:
            self._adopted.add(run_id)
        return self._workers is None

    async def _look(self) -> None:
        """Release leases that are left, start or stop our own runs, wake what nobody executes."""
        while self._unreleased:
            await self._services.runs.release(self._unreleased[-1])
            self._unreleased.pop()
        now = asyncio.get_running_loop().time()
        full = now - self._looked >= self._pace.reconcile
        wanted, self._to_stop = self._to_stop | self._adopted, set()
        if full or not self.listening:
            wanted |= self._tasks.keys()
        for run_id in sorted(wanted):
            await self._start_or_stop(run_id)
        if full and self._workers is not None:
            await self._reconcile()
        if full:
            self._looked = now
        await self._tend()

    async def _start_or_stop(self, run_id: str) -> None:
        head = await self._services.runs.head(run_id)
        if head is None or head.state in FINISHED:
            self._adopted.discard(run_id)
        elif run_id in self._tasks:
            if head.cancel_requested:
                self._stop_one(run_id)
        elif run_id in self._adopted and self._due(head, self._services.lease_clock()):
            self._begin(head)

    async def _reconcile(self) -> None:
        gone = [owner for owner in await self._wakeups.owners() if is_gone(owner)]
        count = await self._wakeups.reconcile(self._services.lease_clock(), gone)
        if count:
            log.info("woken again", runs=count)

    def _interval(self) -> float:
        if self._workers is None or self._unreleased or not self.listening:
            return _GLANCE
        since = asyncio.get_running_loop().time() - self._looked
        return max(self._pace.reconcile - since, 0.05)

    def _keep_lease(self, lease: Lease) -> None:
        self._unreleased.append(lease)  # this process may live to release it before it runs out

    # --- being woken -------------------------------------------------------------------------

    async def _wake(self, run_id: str) -> None:
        """Execute a run that may be waiting, if nobody else does, and wait until it is over."""
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
            # The job may be aborted, the run is not: it ends by itself or is handed back.
            await asyncio.wait({self._begin(head)})

    def _listen(self) -> None:
        wakeups = self._wakeups
        queues = () if self._workers is None else [_QUEUE.format(kind) for kind in self._kinds]
        channels = [wakeups.events, wakeups.ends, wakeups.stops, *queues]
        self._listening = asyncio.create_task(self._listener.listen(channels))

    def _on_notice(self, channel: str, run_id: str) -> None:
        wakeups = self._wakeups
        if channel == wakeups.events:
            self._services.bell.ring(run_id)
        elif channel == wakeups.ends:
            self._services.bell.ring(run_id, over=True)
        elif channel == wakeups.stops:
            if run_id in self._tasks:
                self._to_stop.add(run_id)
                self._poke.set()
        elif self._workers is not None:
            self._workers.connector.announce(channel)

    def _on_change(self) -> None:
        """Wake everything that waits: notices may have been missed."""
        self._services.bell.ring_all()
        self._poke.set()
        if self._workers is not None:
            self._workers.connector.announce_all()

    # --- ending ------------------------------------------------------------------------------

    async def _stop(self) -> None:
        queues, workers, listener = self._queues, self._workers, self._listening
        away = not self.listening  # the database cannot be reached
        if queues is not None:
            queues.cancel()
        await super()._stop()
        if queues is not None:
            await asyncio.wait({queues}, timeout=_MOMENT if away else _FAREWELL)
        if workers is not None and not away:
            # Jobs that were fetched and not begun have no wake-up any more.
            with suppress(StoreError):
                await self._wakeups.reconcile(self._services.lease_clock(), ())
        if listener is not None:
            listener.cancel()
            await asyncio.gather(listener, return_exceptions=True)
        self._queues = self._workers = self._listening = None
        self._adopted.clear()
