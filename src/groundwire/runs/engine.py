"""What the engines share: a claimed run is executed while its lease is renewed, and is always let go.

The run row is the truth. An engine decides only which runs to look at and when: the embedded one
(`embedded`) looks at all of its database, the shared one (`shared`) at those it is told of.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
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
from groundwire.runs.lock import is_abandoned, lease_owner
from groundwire.runs.runner import Services, close, execute

log = get_logger("groundwire.engine")

AT_ONCE = 32  # runs of each kind that a process executes


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a lease holds and how often it is renewed; how often runs that nobody sees to are
    looked for. In seconds."""

    lease: float = 30.0
    renew: float = 10.0
    reconcile: float = 10.0


class Engine(ABC):
    """Executes runs, those of each kind in places of their own."""

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
        # How long a run is left alone after trouble in the store: seconds, and until when.
        self._patience: dict[str, tuple[float, datetime]] = {}
        self._submitted: dict[str, Run] = {}  # rows as this process wrote them
        self._loop: asyncio.Task[None] | None = None
        self._poke = asyncio.Event()
        self._tended = float("-inf")
        self._stopping = False
        self.trouble: StoreError | None = None

    # --- what doors call ---------------------------------------------------------------------

    async def start(self, *, poke: bool = True) -> None:
        """Begin to look for work, at once or at the next round; returns at once."""
        if self._stopping:
            return
        if self._loop is None or self._loop.done():
            self._loop = asyncio.create_task(self._again_and_again(self._round, self._rest))
        if poke:
            self._poke.set()

    @abstractmethod
    async def work(self) -> None:
        """Start, and execute what other processes submit, too; returns at once."""

    @abstractmethod
    async def submit(self, run: NewRun, *, message: Message | None = None) -> Run:
        """Store a run, and see to it."""

    async def ensure_executed(self, run_id: str) -> None:
        """Start, and see to it that this run comes to its end, whoever submitted it."""
        await self.start(poke=not self.executes(run_id))

    def executes(self, run_id: str) -> bool:
        """Whether this process is about it; the bell rings when it no longer is."""
        return run_id in self._tasks

    async def resume(self, run_id: str) -> Run:
        """A person's resume: a new attempt that retries only what failed."""
        run = _there(run_id, await self._services.runs.reopen(run_id, self._services.clock()))
        self._patience.pop(run_id, None)
        await self.ensure_executed(run_id)
        return run

    async def confirm(self, run_id: str, proposal_id: str, said: Confirmed) -> Run:
        """Give a waiting run a person's word; the same attempt goes on."""
        services = self._services
        confirmed = await services.runs.confirm(run_id, proposal_id, said, services.clock())
        run = _there(run_id, confirmed)
        services.bell.ring(run_id)
        await self.ensure_executed(run_id)
        return run

    async def cancel(self, run_id: str) -> Run:
        asked = await self._services.runs.request_cancel(run_id, self._services.clock())
        run = _there(run_id, asked)
        self._poke.set()
        self._services.bell.ring(run_id)
        return run

    def handed_over(self) -> bool:
        """Whether another process executes the jobs of this database."""
        return False

    def works_at(self) -> str:
        """The address of the desk that executes them, if it is one."""
        return ""

    @property
    def listening(self) -> bool:
        """Whether what other processes store rings the bell here."""
        return False

    def raise_trouble(self) -> None:
        """Raise what keeps runs from going on: a full disk does not empty itself.

        A busy or absent database may come back, and is waited for.
        """
        if self.trouble is not None and not isinstance(self.trouble, StoreBusy | StoreAway):
            raise self.trouble

    async def stop(self) -> None:
        """Stop looking, and hand running runs back; a later `start` begins anew."""
        self._stopping = True
        try:
            await self._stop()
            if self._services.deliveries is not None:
                await self._services.deliveries.stop()
        finally:
            self._stopping = False

    # --- what an engine decides --------------------------------------------------------------

    @abstractmethod
    async def _look(self) -> None:
        """See to the runs that this engine has to see to."""

    @abstractmethod
    def _pause(self) -> float:
        """Seconds until the next look, unless something happens before."""

    @abstractmethod
    def _kept_back(self, lease: Lease) -> None:
        """A lease could not be given back; at the worst it runs out by itself."""

    def _abandoned(self, head: RunHead, now: datetime) -> bool:
        """Return whether a running run is executed by nobody any more."""
        return is_abandoned(head, now)

    # --- rounds ------------------------------------------------------------------------------

    async def _again_and_again(
        self, work: Callable[[], Awaitable[None]], rest: Callable[[], Awaitable[None]]
    ) -> None:
        """The engine must not die silently with runs in its care: whatever goes wrong is told,
        and the work is taken up again."""
        while True:
            try:
                await work()
            except StoreError as error:
                # A database that is away comes back, or the next command says what is wrong.
                self._note(error)
            except Exception:
                log.exception("engine")
            await rest()

    async def _round(self) -> None:
        self._poke.clear()  # first: what happens meanwhile is a reason to look again
        await self._look()
        if isinstance(self.trouble, StoreBusy | StoreAway):
            self.trouble = None  # it came back

    async def _tend(self) -> None:
        """See, now and then, to what no run asks for: patience that ended, parcels that are due."""
        now = asyncio.get_running_loop().time()
        if now - self._tended < self._pace.reconcile:
            return
        self._tended = now
        for run_id in await self._services.runs.expire(self._services.clock()):
            self._services.bell.ring(run_id, over=True)
        if self._services.deliveries is not None:
            self._services.deliveries.poke()

    async def _rest(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._pause()):
                await self._poke.wait()

    def _note(self, error: StoreError, **about: str) -> None:
        if self.trouble is None or self.trouble.message != error.message:
            log.warning("store trouble", error=error.message, **about)
        self.trouble = error

    def _due(self, head: RunHead, now: datetime) -> bool:
        _, until = self._patience.get(head.id, (0.0, now))
        return until <= now and self._free(head, now)

    def _free(self, head: RunHead, now: datetime) -> bool:
        waits = head.state == "running" and self._abandoned(head, now)
        return head.state == "queued" or waits

    def _stop_one(self, run_id: str) -> None:
        """A person wants it stopped. Once: a second cancel would end the storing of the first."""
        task = self._tasks.get(run_id)
        if task is not None and run_id not in self._asked_to_stop:
            self._asked_to_stop.add(run_id)
            task.cancel()

    async def _stop(self) -> None:
        if self._loop is not None:
            self._loop.cancel()
            await asyncio.gather(self._loop, return_exceptions=True)
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        await asyncio.gather(*self._closing, return_exceptions=True)

    # --- one run -----------------------------------------------------------------------------

    def _begin_new(self, run: Run) -> None:
        """Execute a run that was just written; one that is under way is left alone."""
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
                    await self._claimed(head.id, lease)
            self._patience.pop(head.id, None)
        except asyncio.CancelledError:
            if lease is not None:
                await self._closed(self._let_go(head.id, lease))
            raise
        except StoreError as error:
            self._note(error, run_id=head.id)
            seconds = self._wait_longer(head.id)
            if lease is not None:
                await self._closed(self._let_go(head.id, lease, seconds))
        except Exception:
            log.exception("engine", run_id=head.id)
            self._wait_longer(head.id)
        finally:
            self._tasks.pop(head.id, None)
            self._submitted.pop(head.id, None)
            self._asked_to_stop.discard(head.id)
            self._services.bell.ring(head.id, over=True)

    async def _claim(self, head: RunHead) -> Lease | None:
        now = self._services.lease_clock()
        dead = head.state == "running" and self._abandoned(head, now)
        until = now + timedelta(seconds=self._pace.lease)
        return await self._services.runs.claim(
            head.id, self._owner, now, until, abandoned=head.fence if dead else None
        )

    async def _claimed(self, run_id: str, lease: Lease) -> None:
        try:
            run = self._submitted.get(run_id)
            # A first claim finds the row as it was written: who cancels a queued run ends it.
            if run is None or lease.fence != 1:
                run = await self._services.runs.get(run_id)
        except CorruptStore as error:
            # Only this run is lost; it must not be tried again and again.
            await close(self._services, lease, "failed", error.kept)
            return
        if run is None:
            return
        if run.cancel_requested:
            await close(self._services, lease, "cancelled", RunCancelled().kept)
        else:
            await self._guarded(run, lease)

    def _wait_longer(self, run_id: str) -> float:
        """A run that met trouble in the store is tried again later, and later still."""
        now = self._services.lease_clock()
        before, _ = self._patience.get(run_id, (0.5, now))
        seconds = min(before * 2, 60.0)
        self._patience[run_id] = (seconds, now + timedelta(seconds=seconds))
        return seconds

    async def _closed(self, closing: Coroutine[None, None, None]) -> None:
        """See the end of a run through, even if whoever waits for it is cancelled again."""
        task = asyncio.create_task(closing)
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
        await asyncio.shield(task)

    async def _guarded(self, run: Run, lease: Lease) -> None:
        """Execute while the lease is renewed; losing it stops the run here."""
        work = asyncio.create_task(execute(self._services, run, lease))
        heart = asyncio.create_task(self._renew(lease))
        try:
            await asyncio.wait({work, heart}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                work.cancel()
            await work
        except asyncio.CancelledError:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            raise
        finally:
            heart.cancel()
            await asyncio.gather(heart, return_exceptions=True)

    async def _renew(self, lease: Lease) -> None:
        """Until the lease is lost; a store that is away for a moment has not taken it."""
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

    async def _let_go(self, run_id: str, lease: Lease, wait: float = 0.0) -> None:
        """Cancelled by a person: store that. Otherwise hand the run back.

        Calls under way are let land first: whoever takes the run over must find their records,
        or it would pay for them again.
        """
        await self._services.landed(run_id)
        try:
            run = await self._services.runs.get(run_id)
            if run is not None and run.cancel_requested:
                await close(self._services, lease, "cancelled", RunCancelled().kept)
            else:
                await self._services.runs.release(lease, wait=wait)
        except StoreError as error:
            self._note(error, run_id=run_id)
            self._kept_back(lease)


def _there(run_id: str, run: Run | None) -> Run:
    if run is None:
        raise NotFoundHere("error.no_run", run=run_id, hint="hint.list_runs")
    return run
