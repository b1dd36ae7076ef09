"""The embedded engine: one process, asyncio; queued and interrupted runs are picked up at start."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import datetime, timedelta

from groundwire.errors import NotFoundHere, RunCancelled, StoreAway, StoreBusy, StoreError
from groundwire.log import get_logger
from groundwire.model.call import Lease
from groundwire.model.run import NewRun, Run
from groundwire.runs.lock import FolderLock, is_gone, lease_owner, this_process
from groundwire.runs.runner import Shop, execute, finish

log = get_logger("groundwire.engine")

LEASE = timedelta(seconds=30)
_RENEW = 10.0
_LOOK = 0.25  # how soon a run handed over by another process is noticed


class EmbeddedEngine:
    """Executes runs in this process while it holds the right to.

    On SQLite that right is the data folder's lock: another process only writes its run row and
    follows the journal; whoever holds the lock executes it, and when that process ends, the one
    that follows takes over. On PostgreSQL (no lock given) each run's own lease decides.
    """

    def __init__(
        self, shop: Shop, lock: FolderLock | None, *, at_once: int = 32, pick_up: bool = True
    ) -> None:
        self._shop = shop
        self._lock = lock
        self._owner = lease_owner()
        self._slots = asyncio.Semaphore(at_once)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._own: set[str] = set()
        self._loop: asyncio.Task[None] | None = None
        self._poke = asyncio.Event()
        self._pick_up = pick_up
        self.trouble: StoreError | None = None

    async def start(self) -> None:
        """Begin to look for work; returns at once."""
        if self._loop is None:
            self._loop = asyncio.create_task(self._work())

    async def submit(self, run: NewRun) -> Run:
        created = await self._shop.runs.create(run)
        self._own.add(created.id)
        await self.start()
        self._poke.set()
        return created

    async def adopt(self, run_id: str) -> None:
        """Care for this run too (follow, resume): execute it if nobody else does."""
        self._own.add(run_id)
        await self.start()
        self._poke.set()

    async def resume(self, run_id: str) -> Run:
        """A person's resume: a new attempt that retries only what failed."""
        run = await self._shop.runs.reopen(run_id, self._shop.clock())
        if run is None:
            raise NotFoundHere(f"there is no run {run_id}", hint="list them with: gw runs")
        await self.adopt(run.id)
        return run

    async def cancel(self, run_id: str) -> Run:
        run = await self._shop.runs.request_cancel(run_id, self._shop.clock())
        if run is None:
            raise NotFoundHere(f"there is no run {run_id}", hint="list them with: gw runs")
        self._poke.set()
        self._shop.bell.ring(run_id)
        return run

    def handed_over(self) -> bool:
        """Whether another process executes the jobs of this data folder."""
        return self._lock is not None and not self._lock.held

    def complain(self) -> None:
        """Raise what keeps runs from going on: a full disk does not empty itself.

        A busy or absent database may come back, and is waited for.
        """
        if self.trouble is not None and not isinstance(self.trouble, StoreBusy | StoreAway):
            raise self.trouble

    async def stop(self) -> None:
        """Stop looking, hand running runs back, release the folder."""
        if self._loop is not None:
            self._loop.cancel()
            with suppress(asyncio.CancelledError):
                await self._loop
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
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
        for run in await self._shop.runs.unfinished():
            task = self._tasks.get(run.id)
            if task is not None:
                if run.cancel_requested:
                    task.cancel()
            elif self._mine(run) and (run.state == "queued" or self._abandoned(run, now)):
                self._tasks[run.id] = asyncio.create_task(self._execute(run))

    def _mine(self, run: Run) -> bool:
        return self._pick_up or run.id in self._own

    def _abandoned(self, run: Run, now: datetime) -> bool:
        """Holding the folder's lock proves that no other process executes here; otherwise a run
        is free when its lease is over, or its owner is known to be dead."""
        if self._lock is not None or run.lease_until is None or run.lease_until <= now:
            return True
        return run.lease_owner is not None and is_gone(run.lease_owner)

    async def _execute(self, run: Run) -> None:
        lease: Lease | None = None
        try:
            async with self._slots:
                lease = await self._claim(run)
                if lease is None:
                    return
                current = await self._shop.runs.get(run.id)
                if current is not None:
                    await self._guarded(current, lease)
        except asyncio.CancelledError:
            if lease is not None:
                await self._let_go(run.id, lease)
            raise
        except StoreError as error:
            self._note(error, run_id=run.id)
        except Exception:
            log.exception("engine", run_id=run.id)
        finally:
            self._tasks.pop(run.id, None)
            self._shop.bell.ring(run.id)

    async def _claim(self, run: Run) -> Lease | None:
        now = self._shop.clock()
        force = run.state == "running" and self._abandoned(run, now)
        return await self._shop.runs.claim(run.id, self._owner, now, now + LEASE, force=force)

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
        while True:
            await asyncio.sleep(_RENEW)
            if not await self._shop.runs.renew(lease, self._shop.clock() + LEASE):
                return

    async def _let_go(self, run_id: str, lease: Lease) -> None:
        """Cancelled by a person: store that. Otherwise hand the run back."""
        run = await self._shop.runs.get(run_id)
        if run is not None and run.cancel_requested:
            await finish(self._shop, lease, "cancelled", None, RunCancelled().message)
        else:
            await self._shop.runs.release(lease)
