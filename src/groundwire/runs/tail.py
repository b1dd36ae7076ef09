"""One reader of a run's journal per process, however many follow: each event is read and written
out once, and handed to all.

A follower that does not keep up is dropped, never waited for: it comes back with the number of the
last event it has, and misses nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass

from groundwire.errors import StoreError, TooMany
from groundwire.log import get_logger
from groundwire.model.event import Event
from groundwire.model.ports import Journal, Runs
from groundwire.model.run import FINISHED
from groundwire.runs.journal import Bell

log = get_logger("groundwire.tail")

RECENT = 2_048  # newest events of a run that are kept; who is further behind is dropped
_PAGE = 500


@dataclass(frozen=True, slots=True)
class Frame:
    """An event as it is sent."""

    seq: int
    data: bytes


class _Tail:
    """Reads one run's journal from near its end on; keeps the newest frames."""

    def __init__(self, tails: Tails, run_id: str) -> None:
        self.first = 0  # number of the oldest frame that is kept; 0: not looked yet
        self.turn = asyncio.Event()  # set, and a new one made, whenever something came
        self.over = False
        self.trouble: StoreError | None = None
        self.followers = 0
        self._frames: list[Frame] = []
        self._tails = tails
        self._run_id = run_id
        self.task = asyncio.create_task(self._read())

    def after(self, seen: int) -> Sequence[Frame]:
        """What is kept after an event that is kept, or is the one before those."""
        return self._frames[seen + 1 - self.first :]

    async def _read(self) -> None:
        try:
            await self._read_all()
        except StoreError as error:
            log.warning("tail", run_id=self._run_id, error=error.message)
            self.trouble = error
        finally:
            self.over = True
            self._tails.ended(self._run_id, self)
            self._wake()

    async def _read_all(self) -> None:
        tails = self._tails
        seen = max(0, await tails.journal.last(self._run_id) - RECENT)
        self.first = seen + 1
        while True:
            heard = tails.bell.listening(self._run_id)
            # The state is read before the events: what a finished run wrote is then all there.
            head = await tails.runs.head(self._run_id)
            while events := await tails.journal.read(self._run_id, after=seen, limit=_PAGE):
                seen = events[-1].seq
                self._keep([Frame(event.seq, tails.encode(event)) for event in events])
            self._wake()
            if head is None or head.state in FINISHED:
                heard.leave()
                return
            await heard.wait(tails.poll())

    def _keep(self, frames: Sequence[Frame]) -> None:
        self._frames += frames
        if len(self._frames) > 2 * RECENT:
            gone = len(self._frames) - RECENT
            del self._frames[:gone]
            self.first += gone
        self._wake()

    def _wake(self) -> None:
        turn, self.turn = self.turn, asyncio.Event()
        turn.set()


class Tails:
    """The tails of this process. `poll` is how soon another process's events are noticed when no
    bell rings."""

    def __init__(
        self,
        runs: Runs,
        journal: Journal,
        bell: Bell,
        encode: Callable[[Event], bytes],
        *,
        most: int = 2_000,
        poll: Callable[[], float] = lambda: 0.25,
    ) -> None:
        self.runs = runs
        self.journal = journal
        self.bell = bell
        self.encode = encode
        self.poll = poll
        self.followers = 0
        self.dropped = 0
        self._most = most
        self._tails: dict[str, _Tail] = {}

    async def follow(
        self, run_id: str, *, after: int = 0, heartbeat: float = 15.0
    ) -> AsyncGenerator[Sequence[Frame]]:
        """Every event after `after`, in order, exactly once, until the run is over.

        Nothing, now and then, while nothing happens: a heartbeat. Ends early when the follower
        fell behind; raises `StoreError` when the journal cannot be read, `TooMany` at once.
        """
        if self.followers >= self._most:
            raise TooMany("too many follow events here", retry_after=5.0)
        tail = self._tails.get(run_id)
        if tail is None:
            tail = self._tails[run_id] = _Tail(self, run_id)
        tail.followers += 1
        self.followers += 1
        try:
            async for frames in self._follow(tail, run_id, after, heartbeat):
                yield frames
            if tail.trouble is not None:
                raise tail.trouble
        finally:
            self.followers -= 1
            tail.followers -= 1
            if not tail.followers and not tail.over:
                tail.task.cancel()

    async def _follow(
        self, tail: _Tail, run_id: str, seen: int, heartbeat: float
    ) -> AsyncGenerator[Sequence[Frame]]:
        caught_up = False
        while True:
            turn = tail.turn
            if tail.first and seen + 1 >= tail.first:
                caught_up = True
                if frames := tail.after(seen):
                    seen = frames[-1].seq
                    yield frames
                    continue
            elif caught_up:
                self.dropped += 1
                return
            elif tail.first:
                # Older than what is kept: read at the follower's own pace.
                events = await self.journal.read(run_id, after=seen, limit=_PAGE)
                if not events:
                    return
                seen = events[-1].seq
                yield [Frame(event.seq, self.encode(event)) for event in events]
                continue
            if tail.over:
                return
            try:
                async with asyncio.timeout(heartbeat):
                    await turn.wait()
            except TimeoutError:
                yield ()

    def ended(self, run_id: str, tail: _Tail) -> None:
        """Whoever comes after the end looks anew: a run may be resumed."""
        if self._tails.get(run_id) is tail:
            del self._tails[run_id]

    async def close(self) -> None:
        """End all; their followers end with them."""
        tasks = [tail.task for tail in self._tails.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
