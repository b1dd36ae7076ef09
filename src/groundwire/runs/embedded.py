"""The embedded engine: one process, asyncio; queued and interrupted runs are picked up at start."""

from __future__ import annotations

from datetime import datetime

from groundwire.model.call import Lease
from groundwire.model.message import Message
from groundwire.model.run import NewRun, Run, RunHead
from groundwire.runs.engine import AT_ONCE, Engine, Pace
from groundwire.runs.lock import FileLock, this_process
from groundwire.runs.runner import Services

_LOOK = 0.25  # how soon a run handed over by another process is noticed


class EmbeddedEngine(Engine):
    """Executes runs in this process while it holds the lock beside the database.

    Another process only writes its run row and follows the journal; whoever holds the lock executes
    it, and when that process ends, the one that follows takes over.
    """

    def __init__(
        self,
        services: Services,
        lock: FileLock,
        *,
        at_once: int = AT_ONCE,
        pace: Pace | None = None,
    ) -> None:
        super().__init__(services, at_once=at_once, pace=pace)
        self._lock = lock

    async def work(self) -> None:
        await self.start()

    async def submit(self, run: NewRun, *, message: Message | None = None) -> Run:
        created = await self._services.runs.create(run, message=message)
        if created.id == run.id and created.state == "queued" and self._lock.held:
            # Nobody else executes here: no need to look through all that is unfinished.
            self._begin_new(created)
        await self.start(poke=not self.executes(created.id))
        return created

    def handed_over(self) -> bool:
        return not self._lock.held

    async def stop(self) -> None:
        await super().stop()
        self._lock.release()

    async def _look(self) -> None:
        """See to every run that is queued, was left by a dead process, or is to stop."""
        if not self._lock.held and not self._lock.acquire(this_process()):
            return
        now = self._services.lease_clock()
        for head in await self._services.runs.unfinished():
            if head.id not in self._tasks:
                if self._due(head, now):
                    self._begin(head)
            elif head.cancel_requested:
                self._stop_one(head.id)
        await self._tend()

    def _pause(self) -> float:
        return _LOOK

    def _abandoned(self, head: RunHead, now: datetime) -> bool:
        return True  # holding the lock proves that no other process executes here

    def _kept_back(self, lease: Lease) -> None:
        return  # whoever holds the lock takes the run up, lease or not
