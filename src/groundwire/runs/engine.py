"""The embedded engine: one process, asyncio; queued and interrupted runs are picked up at start."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
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
from groundwire.model.run import NewRun, Run, RunHead
from groundwire.runs.lock import FileLock, is_gone, lease_owner, this_process
from groundwire.runs.runner import Shop, execute, finish

log = get_logger("groundwire.engine")

LEASE = timedelta(seconds=30)
_RENEW = 10.0
_LOOK = 0.25  # how soon a run handed over by another process is noticed


@dataclass(frozen=True, slots=True)
class _Patience:
    """How long a run is left alone after trouble in the store."""

    seconds: float
    until: datetime


class EmbeddedEngine:
    """Executes runs in this process while it holds the right to.

    On SQLite that right is the lock beside the database: another process only writes its run row and
    follows the journal; whoever holds the lock executes it, and when that process ends, the one
    that follows takes over. On PostgreSQL (no lock given) each run's own lease decides.
    """

    def __init__(self, shop: Shop, lock: FileLock | None, *, at_once: int = 32) -> None:
        self._shop = shop
        self._lock = lock
        self._owner = lease_owner()
        self._slots = asyncio.Semaphore(at_once)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._stopping: set[str] = set()
        self._closing: set[asyncio.Task[None]] = set()
        self._patience: dict[str, _Patience] = {}
        self._submitted: dict[str, Run] = {}  # rows as this process wrote them
        self._loop: asyncio.Task[None] | None = None
        self._poke = asyncio.Event()
        self.trouble: StoreError | None = None

    async def start(self, *, poke: bool = True) -> None:
        """Begin to look for work, at once or at the next round; returns at once."""
        if self._loop is None or self._loop.done():
            self._loop = asyncio.create_task(self._work())
        if poke:
            self._poke.set()

    async def submit(self, run: NewRun, *, message_id: str = "") -> Run:
        created = await self._shop.runs.create(run, message_id=message_id)
        new = created.id == run.id and created.state == "queued"
        if new and self._lock is not None and self._lock.held:
            # Nobody else executes here: no need to look through all that is unfinished.
            self._begin(created)
        await self.start(poke=not self.executes(created.id))
        return created

    def executes(self, run_id: str) -> bool:
        """Whether this process is about it; the bell rings when it no longer is."""
        return run_id in self._tasks

    async def resume(self, run_id: str) -> Run:
        """A person's resume: a new attempt that retries only what failed."""
        run = await self._shop.runs.reopen(run_id, self._shop.clock())
        if run is None:
            raise NotFoundHere(f"there is no run {run_id}", hint="list them with: gw runs")
        self._patience.pop(run_id, None)
        await self.start()
        return run

    async def cancel(self, run_id: str) -> Run:
        run = await self._shop.runs.request_cancel(run_id, self._shop.clock())
        if run is None:
            raise NotFoundHere(f"there is no run {run_id}", hint="list them with: gw runs")
        self._poke.set()
        self._shop.bell.ring(run_id)
        return run

    def handed_over(self) -> bool:
        """Whether another process executes the jobs of this database."""
        return self._lock is not None and not self._lock.held

    def complain(self) -> None:
        """Raise what keeps runs from going on: a full disk does not empty itself.

        A busy or absent database may come back, and is waited for.
        """
        if self.trouble is not None and not isinstance(self.trouble, StoreBusy | StoreAway):
            raise self.trouble

    async def stop(self) -> None:
        """Stop looking, hand running runs back, release the lock."""
        if self._loop is not None:
            self._loop.cancel()
            await asyncio.gather(self._loop, return_exceptions=True)
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        await asyncio.gather(*self._closing, return_exceptions=True)
        if self._lock is not None:
            self._lock.release()

    async def _work(self) -> None:
        while True:
            try:
                if self._lock is None or self._lock.held or self._lock.acquire(this_process()):
                    await self._look()
                if isinstance(self.trouble, StoreBusy | StoreAway):
                    self.trouble = None  # it came back
            except StoreError as error:
                # A database that is away comes back, or the next command says what is wrong.
                self._note(error)
            except Exception:
                # The engine must not die silently with runs in its care.
                log.exception("engine")
            self._poke.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK):
                    await self._poke.wait()

    def _note(self, error: StoreError, **about: str) -> None:
        if self.trouble is None or self.trouble.message != error.message:
            log.warning("store trouble", error=error.message, **about)
        self.trouble = error

    async def _look(self) -> None:
        """See to every run that is queued, was left by a dead process, or is to stop."""
        now = self._shop.clock()
        for head in await self._shop.runs.unfinished():
            task = self._tasks.get(head.id)
            if task is None:
                if self._due(head, now):
                    self._tasks[head.id] = asyncio.create_task(self._execute(head))
            elif head.cancel_requested and head.id not in self._stopping:
                # Once: a second cancel would end the storing of the first.
                self._stopping.add(head.id)
                task.cancel()

    def _due(self, head: RunHead, now: datetime) -> bool:
        patience = self._patience.get(head.id)
        if patience is not None and now < patience.until:
            return False
        return head.state == "queued" or self._abandoned(head, now)

    def _abandoned(self, head: RunHead, now: datetime) -> bool:
        """Holding the lock proves that no other process executes here; otherwise a run is free
        when its lease is over, or its owner is known to be dead."""
        if self._lock is not None or head.lease_until is None or head.lease_until <= now:
            return True
        return head.lease_owner is not None and is_gone(head.lease_owner)

    def _begin(self, run: Run) -> None:
        """Execute a run that was just written; one that is under way is left alone."""
        if run.id not in self._tasks:
            self._submitted[run.id] = run
            head = RunHead(id=run.id, state=run.state, fence=run.fence)
            self._tasks[run.id] = asyncio.create_task(self._execute(head))

    async def _execute(self, head: RunHead) -> None:
        lease: Lease | None = None
        try:
            async with self._slots:
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
            self._wait_longer(head.id)
            if lease is not None:
                await self._closed(self._let_go(head.id, lease))
        except Exception:
            log.exception("engine", run_id=head.id)
            self._wait_longer(head.id)
        finally:
            self._tasks.pop(head.id, None)
            self._submitted.pop(head.id, None)
            self._stopping.discard(head.id)
            self._shop.bell.ring(head.id, over=True)

    async def _claim(self, head: RunHead) -> Lease | None:
        now = self._shop.clock()
        dead = head.state == "running" and self._abandoned(head, now)
        return await self._shop.runs.claim(
            head.id, self._owner, now, now + LEASE, abandoned=head.fence if dead else None
        )

    async def _claimed(self, run_id: str, lease: Lease) -> None:
        try:
            run = self._submitted.get(run_id)
            # A first claim finds the row as it was written: who cancels a queued run ends it.
            if run is None or lease.fence != 1:
                run = await self._shop.runs.get(run_id)
        except CorruptStore as error:
            # Only this run is lost; it must not be tried again and again.
            await finish(self._shop, lease, "failed", None, error.message)
            return
        if run is None:
            return
        if run.cancel_requested:
            await finish(self._shop, lease, "cancelled", None, RunCancelled().message)
        else:
            await self._guarded(run, lease)

    def _wait_longer(self, run_id: str) -> None:
        """A run that met trouble in the store is tried again later, and later still."""
        before = self._patience.get(run_id)
        seconds = 1.0 if before is None else min(before.seconds * 2, 60.0)
        until = self._shop.clock() + timedelta(seconds=seconds)
        self._patience[run_id] = _Patience(seconds, until)

    async def _closed(self, closing: Coroutine[None, None, None]) -> None:
        """See the end of a run through, even if whoever waits for it is cancelled again."""
        task = asyncio.create_task(closing)
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
        await asyncio.shield(task)

    async def _guarded(self, run: Run, lease: Lease) -> None:
        """Execute while the lease is renewed; losing it stops the run here."""
        work = asyncio.create_task(execute(self._shop, run, lease))
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
        until = self._shop.clock() + LEASE
        while self._shop.clock() < until:
            await asyncio.sleep(_RENEW)
            try:
                if not await self._shop.runs.renew(lease, self._shop.clock() + LEASE):
                    return
            except StoreError as error:
                self._note(error, run_id=lease.run_id)
            else:
                until = self._shop.clock() + LEASE

    async def _let_go(self, run_id: str, lease: Lease) -> None:
        """Cancelled by a person: store that. Otherwise hand the run back.

        Calls under way are let land first: whoever takes the run over must find their records,
        or it would pay for them again.
        """
        await self._shop.landed(run_id)
        try:
            run = await self._shop.runs.get(run_id)
            if run is not None and run.cancel_requested:
                await finish(self._shop, lease, "cancelled", None, RunCancelled().message)
            else:
                await self._shop.runs.release(lease)
        except StoreError as error:
            self._note(error, run_id=run_id)  # the lease runs out by itself
