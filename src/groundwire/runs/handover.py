"""The engine of a command while a desk works on the same data folder: the desk has the jobs.

The run that is handed over is complete: input, settings, clock and seed are fixed by whoever
submits it, so it is the same run whichever process executes it. Should the desk die, the embedded
engine underneath takes its work up as it would after any other process.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from pathlib import Path

from groundwire.errors import StoreAway
from groundwire.log import get_logger
from groundwire.model.message import Message
from groundwire.model.run import NewRun, Run
from groundwire.runs.embedded import EmbeddedEngine
from groundwire.runs.engine import AT_ONCE
from groundwire.runs.link import DeskLink, note_in
from groundwire.runs.lock import FileLock
from groundwire.runs.runner import Services

log = get_logger("groundwire.handover")


class HandoverEngine(EmbeddedEngine):
    """As the embedded one, where no desk is."""

    def __init__(
        self, services: Services, lock: FileLock, home: Path, *, at_once: int = AT_ONCE
    ) -> None:
        super().__init__(services, lock, at_once=at_once)
        self._home = home
        self._streams: dict[str, asyncio.Task[None]] = {}

    async def submit(self, run: NewRun, *, message: Message | None = None) -> Run:
        link = self._link()
        if link is not None:
            kept = None if message is None else message.model_dump(mode="json")
            body = {"run": run.model_dump(mode="json"), "message": kept}
            try:
                created = Run.model_validate(await link.post("/api/handed", body))
            except StoreAway as error:
                # It has gone this moment; the row is written here, once, whatever it did.
                log.info("the desk is gone", error=error.message)
            else:
                self._follow(link, created.id)
                return created
        return await super().submit(run, message=message)

    async def ensure_executed(self, run_id: str) -> None:
        link = self._link()
        if link is not None:
            self._follow(link, run_id)
        await super().ensure_executed(run_id)

    def works_at(self) -> str:
        note = note_in(self._home) if self._link() is not None else None
        return "" if note is None else note.url

    async def stop(self) -> None:
        streams = list(self._streams.values())
        for stream in streams:
            stream.cancel()
        await asyncio.gather(*streams, return_exceptions=True)
        await super().stop()

    def _link(self) -> DeskLink | None:
        """The way to the desk that holds the lock; a note that some dead desk left leads nowhere."""
        note = None if self._lock.held else note_in(self._home)
        owner = None if note is None else self._lock.owner()
        if note is None or owner is None or owner.pid != note.pid or note.pid == os.getpid():
            return None
        return DeskLink(note)

    def _follow(self, link: DeskLink, run_id: str) -> None:
        if run_id not in self._streams:
            stream = self._streams[run_id] = asyncio.create_task(self._listen(link, run_id))
            stream.add_done_callback(lambda _: self._streams.pop(run_id, None))

    async def _listen(self, link: DeskLink, run_id: str) -> None:
        """Ring the bell with each piece of the desk's stream; the events are read from the store."""
        bell = self._services.bell
        with suppress(StoreAway):  # then whoever follows looks by itself, and takes over
            async for _ in link.stream(f"/api/runs/{run_id}/events"):
                bell.ring(run_id)
        bell.ring(run_id, over=True)
