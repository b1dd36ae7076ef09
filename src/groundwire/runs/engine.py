"""What the engines share: a claimed run is executed while its lease is renewed, then always released.

The run row is the truth. An engine decides only which runs to look at and when: the embedded one
(`embedded`) looks at all of its database, the shared one (`shared`) at those it is woken for.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from datetime import datetime, timedelta

from groundwire.errors import (
    CorruptStore,
    NotFoundHere,
    RunCancelled,
    StoreAway,
    StoreBusy,
    StoreError,
)
from groundwire.log import get_logger
from groundwire.model.call import Lease
from groundwire.model.message import Message
from groundwire.model.proposal import Confirmed
from groundwire.model.run import NewRun, Run, RunHead
from groundwire.runs.journal import Listening
from groundwire.runs.lock import is_abandoned, lease_owner
from groundwire.runs.runner import Services, close, execute

log = get_logger("groundwire.engine")

AT_ONCE = 32  # runs of each kind that a process executes


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds that a lease holds, between its renewals, between searches for forgotten runs, and
    between looks at what is due."""

    lease: float = 30.0
    renew: float = 10.0
    reconcile: float = 10.0
    tick: float = 2.0


class Engine(ABC):
    """Executes runs, with a limit of its own for each kind."""

    shared = False  # whether other processes may execute runs of the same database

    def __init__(
        self, services: Services, *, at_once: int = AT_ONCE, pace: Pace | None = None
    ) -> None:
        self._services = services
        self._owner = lease_owner()
        self._at_once = at_once
        self._pace = pace or Pace()
        self._places = defaultdict[str, asyncio.Semaphore](lambda: asyncio.Semaphore(at_once))
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._asked_to_stop: set[str] = set()
        self._closing: set[asyncio.Task[None]] = set()
        # How long a run rests after trouble in the store: seconds, and until when.
        self._rests: dict[str, tuple[float, datetime]] = {}
        self._submitted: dict[str, Run] = {}  # rows as this process wrote them
        self._loop: asyncio.Task[None] | None = None
        self._ticks: asyncio.Task[None] | None = None
        self._poke = Listening()
        self._tended = float("-inf")
        self._stopping = False
        self.trouble: StoreError | None = None

    # --- what doors call ---------------------------------------------------------------------

    async def start(self, *, poke: bool = True) -> None:
        """Begin to look for work, at once or at the next round; returns at once."""
        if self._stopping:
            return
        if self._loop is None or self._loop.done():
            self._loop = asyncio.create_task(self._repeat(self._round, self._pause))
        if poke:
            self._poke.set()

    async def work(self) -> None:
        """Start, execute what other processes submit, too, and start what is due; returns at once."""
        if self._ticks is None and not self._stopping:
            self._ticks = asyncio.create_task(
                self._repeat(self._tick, lambda: asyncio.sleep(self._pace.tick))
            )
        await self.start()

    @abstractmethod
    async def keeps_time(self) -> bool:
        """Tell whether some process starts what is due."""

    async def submit(self, run: NewRun, *, message: Message | None = None) -> Run:
        """Store a run, and have it executed."""
        created = await self._services.runs.create(run, message=message)
        if self._adopt(created.id) and created.id == run.id and created.state == "queued":
            self._begin_new(created)
        await self.start(poke=not self.executes(created.id))
        return created

    async def ensure_executed(self, run_id: str) -> None:
        """Start, and make sure that this run comes to its end, whoever submitted it."""
        await self.start(poke=not self.executes(run_id))

    def executes(self, run_id: str) -> bool:
        """Tell whether this process executes it; the bell rings when it no longer does."""
        return run_id in self._tasks

    async def resume(self, run_id: str) -> Run:
        """Start a new attempt that retries only what failed: a person's resume."""
        run = _found(run_id, await self._services.runs.reopen(run_id, self._services.clock()))
        self._rests.pop(run_id, None)
        await self.ensure_executed(run_id)
        return run

    async def confirm(self, run_id: str, proposal_id: str, answer: Confirmed) -> Run:
        """Record a person's answer to a waiting run; the same attempt goes on."""
        services = self._services
        confirmed = await services.runs.confirm(run_id, proposal_id, answer, services.clock())
        run = _found(run_id, confirmed)
        services.bell.ring(run_id)
        await self.ensure_executed(run_id)
        return run

    async def cancel(self, run_id: str) -> Run:
        row = await self._services.runs.request_cancel(run_id, self._services.clock())
        run = _found(run_id, row)
        self._poke.set()
        self._services.bell.ring(run_id)
        return run

    def handed_over(self) -> bool:
        """Tell whether another process executes the runs of this database."""
        return False

    def works_at(self) -> str:
        """Return the address of the desk that executes them, if it is one."""
        return ""

    @property
    def listening(self) -> bool:
        """Whether the bell rings here for what other processes store."""
        return False

    def raise_trouble(self) -> None:
        """Raise what keeps runs from going on: a full disk does not empty itself.

        A busy or absent database may come back, and is waited for.
        """
        if self.trouble is not None and not isinstance(self.trouble, StoreBusy | StoreAway):
            raise self.trouble

    async def stop(self) -> None:
        """Stop looking for work, and hand running runs back; a later `start` begins anew."""
        self._stopping = True
        try:
            await self._stop()
            await self._services.deliveries.stop()
        finally:
            self._stopping = False

    # --- what an engine decides --------------------------------------------------------------

    @abstractmethod
    def _adopt(self, run_id: str) -> bool:
        """Adopt a run if this process executes it without being woken; tell whether it does."""

    @abstractmethod
    async def _look(self) -> None:
        """Start, stop or wake the runs that this engine is responsible for."""

    @abstractmethod
    def _interval(self) -> float:
        """Return the seconds until the next look, unless something happens before."""

    @abstractmethod
    def _keep_lease(self, lease: Lease) -> None:
        """Note a lease that could not be released; at worst it runs out by itself."""

    def _abandoned(self, head: RunHead, now: datetime) -> bool:
        """Tell whether nobody executes a running run any more."""
        return is_abandoned(head, now)

    # --- rounds ------------------------------------------------------------------------------

    async def _repeat(
        self, work: Callable[[], Awaitable[None]], pause: Callable[[], Awaitable[None]]
    ) -> None:
        """Repeat the work for ever; an error is logged and never ends it with runs in its care."""
        while True:
            try:
                await work()
            except StoreError as error:
                # The database comes back, or the next command reports what is wrong.
                self._note(error)
            except Exception:
                log.exception("engine")
            await pause()

    async def _round(self) -> None:
        self._poke.clear()  # first, so that what happens meanwhile causes another look
        await self._look()
        if isinstance(self.trouble, StoreBusy | StoreAway):
            self.trouble = None  # it came back

    async def _tick(self) -> None:
        if not self.handed_over():
            await self._services.tick()

    async def _tend(self) -> None:
        """Do periodic chores: cancel runs that nobody confirmed in time, deliver parcels."""
        now = asyncio.get_running_loop().time()
        if now - self._tended < self._pace.reconcile:
            return
        self._tended = now
        for run_id in await self._services.runs.expire(self._services.clock()):
            self._services.bell.ring(run_id, over=True)
        self._services.deliveries.poke()

    async def _pause(self) -> None:
        await self._poke.wait_for(self._interval())

    def _note(self, error: StoreError, **about: str) -> None:
        if self.trouble is None or self.trouble.message != error.message:
            log.warning("store trouble", error=error.message, **about)
        self.trouble = error

    def _due(self, head: RunHead, now: datetime) -> bool:
        _, until = self._rests.get(head.id, (0.0, now))
        return until <= now and self._free(head, now)

    def _free(self, head: RunHead, now: datetime) -> bool:
        return head.state == "queued" or self._is_orphan(head, now)

    def _is_orphan(self, head: RunHead, now: datetime) -> bool:
        return head.state == "running" and self._abandoned(head, now)

    def _stop_one(self, run_id: str) -> None:
        """Cancel a run's task, once: a second cancel would interrupt storing the first."""
        task = self._tasks.get(run_id)
        if task is not None and run_id not in self._asked_to_stop:
            self._asked_to_stop.add(run_id)
            task.cancel()

    async def _stop(self) -> None:
        for loop in filter(None, (self._ticks, self._loop)):
            loop.cancel()
            await asyncio.gather(loop, return_exceptions=True)
        self._ticks = None
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        await asyncio.gather(*self._closing, return_exceptions=True)

    # --- one run -----------------------------------------------------------------------------

    def _begin_new(self, run: Run) -> None:
        """Execute a run that was just written; one under way is left alone."""
        if run.id not in self._tasks and not self._stopping:
            self._submitted[run.id] = run
            self._begin(RunHead(id=run.id, kind=run.kind, state=run.state, fence=run.fence))

    def _begin(self, head: RunHead) -> asyncio.Task[None]:
        task = self._tasks[head.id] = asyncio.create_task(self._execute(head))
        return task

    async def _execute(self, head: RunHead) -> None:
        lease: Lease | None = None
        try:
            async with self._places[head.kind]:
                lease = await self._claim(head)
                if lease is not None:
                    await self._execute_claimed(head.id, lease)
            self._rests.pop(head.id, None)
        except asyncio.CancelledError:
            if lease is not None:
                await self._see_through(self._release(head.id, lease))
            raise
        except StoreError as error:
            self._note(error, run_id=head.id)
            seconds = self._rest_longer(head.id)
            if lease is not None:
                await self._see_through(self._release(head.id, lease, seconds))
        except Exception:
            log.exception("engine", run_id=head.id)
            self._rest_longer(head.id)
        finally:
            self._tasks.pop(head.id, None)
            self._submitted.pop(head.id, None)
            self._asked_to_stop.discard(head.id)
            self._services.bell.ring(head.id, over=True)

    async def _claim(self, head: RunHead) -> Lease | None:
        now = self._services.lease_clock()
        abandoned = head.fence if self._is_orphan(head, now) else None
        until = now + timedelta(seconds=self._pace.lease)
        runs = self._services.runs
        return await runs.claim(head.id, self._owner, now, until, abandoned=abandoned)

    async def _execute_claimed(self, run_id: str, lease: Lease) -> None:
        try:
            run = self._submitted.get(run_id)
            # Before its first claim nothing changes a row: cancelling a queued run ends it.
            if run is None or lease.fence != 1:
                run = await self._services.runs.get(run_id)
        except CorruptStore as error:
            # Only this run is lost; it must not be retried for ever.
            await close(self._services, lease, "failed", error.kept)
            return
        if run is None:
            return
        if run.cancel_requested:
            await close(self._services, lease, "cancelled", RunCancelled().kept)
        else:
            await self._execute_leased(run, lease)

    def _rest_longer(self, run_id: str) -> float:
        """Double the pause of a run that met trouble in the store; return its seconds."""
        now = self._services.lease_clock()
        before, _ = self._rests.get(run_id, (0.5, now))
        seconds = min(before * 2, 60.0)
        self._rests[run_id] = (seconds, now + timedelta(seconds=seconds))
        return seconds

    async def _see_through(self, closing: Coroutine[None, None, None]) -> None:
        """Finish closing a run even if whoever waits for it is cancelled again."""
        task = asyncio.create_task(closing)
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
        await asyncio.shield(task)

    async def _execute_leased(self, run: Run, lease: Lease) -> None:
        """Execute while the lease is renewed; losing it stops the run here."""
        work = asyncio.create_task(execute(self._services, run, lease))
        renewal = asyncio.create_task(self._renew(lease))
        try:
            await asyncio.wait({work, renewal}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                work.cancel()
            await work
        except asyncio.CancelledError:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            raise
        finally:
            renewal.cancel()
            await asyncio.gather(renewal, return_exceptions=True)

    async def _renew(self, lease: Lease) -> None:
        """Extend the lease until it is lost; a store that is away for a moment has not taken it."""
        length = timedelta(seconds=self._pace.lease)
        until = self._services.lease_clock() + length
        while self._services.lease_clock() < until:
            await asyncio.sleep(self._pace.renew)
            try:
                if not await self._services.runs.renew(
                    lease, self._services.lease_clock() + length
                ):
                    return
            except StoreError as error:
                self._note(error, run_id=lease.run_id)
            else:
                until = self._services.lease_clock() + length

    async def _release(self, run_id: str, lease: Lease, wait: float = 0.0) -> None:
        """Store that a person cancelled the run, or else hand it back.

        Calls under way are waited for: whoever takes the run over must find their records, or
        would pay for them again.
        """
        await self._services.wait_for_calls(run_id)
        try:
            run = await self._services.runs.get(run_id)
            if run is not None and run.cancel_requested:
                await close(self._services, lease, "cancelled", RunCancelled().kept)
            else:
                await self._services.runs.release(lease, wait=wait)
        except StoreError as error:
            self._note(error, run_id=run_id)
            self._keep_lease(lease)


def _found(run_id: str, run: Run | None) -> Run:
    if run is None:
        raise NotFoundHere("error.no_run", run=run_id, hint="hint.list_runs")
    return run
