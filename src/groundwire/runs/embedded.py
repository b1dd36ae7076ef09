"""The embedded engine: one process, asyncio; queued and interrupted runs are picked up at start.

While a desk works on the same data folder, the desk executes the runs. A run that is handed over is
complete: input, settings, clock and seed are fixed by whoever submits it, so it is the same run in
whichever process.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from groundwire.errors import StoreAway
from groundwire.log import get_logger
from groundwire.model.call import Lease
from groundwire.model.message import Message
from groundwire.model.run import NewRun, Run, RunHead
from groundwire.runs.engine import Engine
from groundwire.runs.link import DeskLink, note_in
from groundwire.runs.lock import FileLock
from groundwire.runs.runner import Services

log = get_logger("groundwire.handover")

_LOOK = 0.25  # how soon a run handed over by another process is noticed


class EmbeddedEngine(Engine):
    """Executes runs in this process while it holds the lock beside the database.

    Another process hands its run to the desk whose note is in `home`, or only writes its row, and
    follows the journal. Whoever holds the lock executes it; when that process ends, a follower takes
    over.
    """

    def __init__(
        self, services: Services, lock: FileLock, home: Path | None = None, *, at_once: int
    ) -> None:
        super().__init__(services, at_once=at_once)
        self._lock = lock
        self._home = home
        self._streams: dict[str, asyncio.Task[None]] = {}

    async def submit(self, run: NewRun, *, message: Message | None = None) -> Run:
        accepted = await self._hand_over(run, message)
        return accepted or await super().submit(run, message=message)

    async def ensure_executed(self, run_id: str) -> None:
        link = self._link()
        if link is not None:
            self._follow(link, run_id)
        await super().ensure_executed(run_id)

    def handed_over(self) -> bool:
        return not self._lock.held

    async def keeps_time(self) -> bool:
        return self._ticks is not None or self._link() is not None

    def works_at(self) -> str:
        link = self._link()
        return "" if link is None else link.url

    async def stop(self) -> None:
        streams = list(self._streams.values())
        for stream in streams:
            stream.cancel()
        await asyncio.gather(*streams, return_exceptions=True)
        await super().stop()
        self._lock.release()

    def _adopt(self, run_id: str) -> bool:
        return self._lock.held  # nobody else executes here

    async def _look(self) -> None:
        """Start every run that is queued or left by a dead process; stop those asked to stop."""
        if not self._lock.held and not self._lock.acquire():
            return
        now = self._services.lease_clock()
        for head in await self._services.runs.unfinished():
            if head.id not in self._tasks:
                if self._due(head, now):
                    self._begin(head)
            elif head.cancel_requested:
                self._stop_one(head.id)
        await self._tend()

    def _interval(self) -> float:
        return _LOOK

    def _abandoned(self, head: RunHead, now: datetime) -> bool:
        return True  # holding the lock proves that no other process executes here

    def _keep_lease(self, lease: Lease) -> None:
        return  # whoever holds the lock takes the run up, lease or not

    # --- handing over to a desk --------------------------------------------------------------

    async def _hand_over(self, run: NewRun, message: Message | None) -> Run | None:
        """Give a run to the desk; None: there is no desk."""
        link = self._link()
        if link is None:
            return None
        stored = None if message is None else message.model_dump(mode="json")
        body = {"run": run.model_dump(mode="json"), "message": stored}
        try:
            created = Run.model_validate(await link.post("/api/handed", body))
        except StoreAway as error:
            # It just went away; the row is written here, and stays one if the desk wrote it too.
            log.info("the desk is gone", error=error.message)
            return None
        self._follow(link, created.id)
        return created

    def _link(self) -> DeskLink | None:
        """Return the way to the desk that holds the lock; ignore a dead desk's note."""
        note = None if self._lock.held or self._home is None else note_in(self._home)
        owner = None if note is None else self._lock.owner()
        if note is None or owner is None or owner.pid != note.pid or note.pid == os.getpid():
            return None
        return DeskLink(note)

    def _follow(self, link: DeskLink, run_id: str) -> None:
        if run_id not in self._streams:
            stream = self._streams[run_id] = asyncio.create_task(self._listen(link, run_id))
            stream.add_done_callback(lambda _: self._streams.pop(run_id, None))

    async def _listen(self, link: DeskLink, run_id: str) -> None:
        """Ring the bell for each piece of the desk's stream; events are read from the store."""
        bell = self._services.bell
        with suppress(StoreAway):  # followers poll by themselves then, and take over
            async for _ in link.stream(f"/api/runs/{run_id}/events"):
                bell.ring(run_id)
        bell.ring(run_id, over=True)
