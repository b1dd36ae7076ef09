"""One reader of a run's journal per process, however many follow: each event is read and encoded
once for all of them.

A follower that does not keep up is dropped, never waited for: it comes back with the number of the
last event it has, and misses nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from copy import copy
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from itertools import pairwise

from groundwire.errors import CorruptStore, IllegalState, StoreAway, StoreError, TooMany
from groundwire.log import get_logger
from groundwire.model.event import Event
from groundwire.model.ports import Journal, Runs
from groundwire.model.run import FINISHED
from groundwire.runs.journal import Bell

log = get_logger("groundwire.broadcast")

RECENT = 2_048  # newest events of a run that are kept; a follower further behind is dropped
BYTES = 4_000_000  # the same by size
PAGE = 250  # events that are read at once
_PAGES = 4  # older pages that are kept for late followers
_BATCH = 64  # events that are sent at once
_BATCH_BYTES = 65_536  # a slow connection holds little more than this in memory
_MEMO = 64


@dataclass(frozen=True, slots=True)
class Frame:
    """An event as it is sent."""

    seq: int
    data: bytes


class Frames(tuple[Frame, ...]):
    """Events in a row, for one follower or many; none at all is a heartbeat."""

    @cached_property
    def data(self) -> bytes:
        """The bytes of all frames, joined once."""
        return b"".join([frame.data for frame in self])


_QUIET = Frames()


class _Broadcast:
    """Reads one run's journal from its first follower's place on, and keeps the newest frames."""

    def __init__(self, broadcasts: Broadcasts, run_id: str, after: int) -> None:
        self.first = 0  # number of the oldest frame that is kept; 0: not read yet
        self.turn = asyncio.Event()  # set and replaced whenever there is something new
        self.followers = 0
        self._frames: list[Frame] = []
        self._size = 0
        self._batches: dict[int, Frames] = {}  # most followers are at the same event
        self._pages: dict[int, asyncio.Task[list[Frame]]] = {}  # by the number before the first
        self._broadcasts = broadcasts
        self._run_id = run_id
        self.task = asyncio.create_task(self._read(after))
        self.task.add_done_callback(self._ended)

    @property
    def over(self) -> bool:
        """Whether no more will come: the run is over, the journal unreadable, or all is closed."""
        return self.task.done()

    def raise_trouble(self) -> None:
        """Raise what ended it, if that was an error."""
        error = None if self.task.cancelled() else self.task.exception()
        if isinstance(error, StoreError):
            raise copy(error)  # each follower's own: a traceback grows with every raise
        if error is not None:
            raise IllegalState(f"The events of run {self._run_id} cannot be followed.")

    def after(self, seen: int) -> Frames:
        """Return the next kept frames; `seen` is kept, or just before, or yet to come."""
        batch = self._batches.get(seen)
        if batch is None:
            if len(self._batches) >= _MEMO:
                self._batches.clear()
            batch = self._batches[seen] = _batch(self._frames, seen + 1 - self.first)
        return batch

    async def older(self, seen: int) -> Frames:
        """Return the next frames after `seen` from before what is kept; empty: they are gone."""
        start = seen - seen % PAGE
        task = self._pages.get(start)
        if task is None:
            if len(self._pages) >= _PAGES:
                del self._pages[next(iter(self._pages))]
            task = self._pages[start] = asyncio.create_task(self._page(start))
            task.add_done_callback(lambda done: self._page_read(start, done))
        # Shielded: other followers wait for the same page.
        frames = _batch(await asyncio.shield(task), seen - start)
        # The page may have been read when the journal was shorter.
        return frames or _batch(await self._page(seen), 0)

    def _page_read(self, start: int, task: asyncio.Task[list[Frame]]) -> None:
        if task.cancelled() or task.exception() is not None or len(task.result()) < PAGE:
            self._pages.pop(start, None)  # the next follower reads it again

    async def _read(self, after: int) -> None:
        broadcasts = self._broadcasts
        seen: int | None = None
        while True:
            with broadcasts.bell.listening(self._run_id) as listener:
                # State and number are of one moment, so a finished run's events are all there.
                head = await broadcasts.runs.head(self._run_id)
                if head is None:
                    return
                if seen is None:
                    seen = max(min(after, head.last_seq), head.last_seq - RECENT, 0)
                    self.first = seen + 1
                    self._wake()  # followers of older events need not wait
                while seen < head.last_seq:
                    frames = await self._page(seen)
                    if not frames:
                        break  # it was deleted meanwhile
                    seen = frames[-1].seq
                    self._keep(frames)
                self._wake()
                if head.state in FINISHED:
                    return
                await listener.wait_for(broadcasts.poll())

    async def _page(self, seen: int) -> list[Frame]:
        broadcasts = self._broadcasts
        events = await broadcasts.journal.read(self._run_id, after=seen, limit=PAGE)
        if not events and await broadcasts.runs.head(self._run_id) is None:
            return []
        numbers = [seen, *(event.seq for event in events)]
        if not events or any(later != sooner + 1 for sooner, later in pairwise(numbers)):
            raise CorruptStore("error.events_missing", run=self._run_id, seen=seen)
        return [Frame(event.seq, broadcasts.encode(event)) for event in events]

    def _keep(self, frames: Sequence[Frame]) -> None:
        self._frames += frames
        self._size += sum(len(frame.data) for frame in frames)
        if len(self._frames) > 2 * RECENT or self._size > 2 * BYTES:
            dropped = max(len(self._frames) - RECENT, 0)
            left = self._size - sum(len(frame.data) for frame in self._frames[:dropped])
            # Two pages stay, whatever their size: a follower that close is not behind.
            while left > BYTES and len(self._frames) - dropped > 2 * PAGE:
                left -= len(self._frames[dropped].data)
                dropped += 1
            del self._frames[:dropped]
            self.first += dropped
            self._size = left
        self._wake()

    def _wake(self) -> None:
        self._batches.clear()
        turn, self.turn = self.turn, asyncio.Event()
        turn.set()

    def _ended(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.warning("tail", run_id=self._run_id, error=f"{type(error).__name__}: {error}")
        self._broadcasts.forget(self._run_id, self)
        self._wake()


def _batch(frames: Sequence[Frame], start: int) -> Frames:
    """Take as many frames as are sent at once, one at least if there is one."""
    taken = frames[start : start + _BATCH]
    size = 0
    for count, frame in enumerate(taken):
        size += len(frame.data)
        if count and size > _BATCH_BYTES:
            return Frames(taken[:count])
    return Frames(taken)


@dataclass(eq=False)
class Broadcasts:
    """The broadcasts of this process. `poll`: seconds until another process's events are noticed when
    no bell rings."""

    runs: Runs
    journal: Journal
    bell: Bell
    encode: Callable[[Event], bytes]
    _: KW_ONLY
    most: int = 2_000
    poll: Callable[[], float] = lambda: 0.25
    heartbeat: float = 15.0  # seconds
    followers: int = field(default=0, init=False)
    dropped: int = field(default=0, init=False)
    _closed: bool = field(default=False, init=False)
    _open: dict[str, _Broadcast] = field(default_factory=dict[str, _Broadcast], init=False)

    @property
    def count(self) -> int:
        return len(self._open)

    def check(self) -> None:
        """Raise if one more may not follow: too many do, or the desk is stopping."""
        if self._closed:
            raise StoreAway("error.desk_stopping", hint="hint.come_back")
        if self.followers >= self.most:
            raise TooMany("error.too_many_follow", retry_after=5.0)

    async def follow(self, run_id: str, *, after: int = 0) -> AsyncGenerator[Frames]:
        """Yield every event after `after`, in order, exactly once, until the run is over.

        Yields nothing, now and then, while nothing happens: a heartbeat. Ends early when the
        follower falls behind or all is closed; raises `StoreError` when the journal cannot be read,
        and at once what `check` raises.
        """
        self.check()
        broadcast = self._open.get(run_id)
        if broadcast is None or broadcast.over:
            broadcast = self._open[run_id] = _Broadcast(self, run_id, after)
        broadcast.followers += 1
        self.followers += 1
        try:
            async for frames in self._follow(broadcast, after):
                yield frames
        finally:
            self.followers -= 1
            broadcast.followers -= 1
            if not broadcast.followers:
                # At once: a follower that comes before the task has ended must not share its end.
                self.forget(run_id, broadcast)
                broadcast.task.cancel()

    async def _follow(self, broadcast: _Broadcast, seen: int) -> AsyncGenerator[Frames]:
        caught_up = False
        while True:
            turn = broadcast.turn
            frames = _QUIET
            if broadcast.first and seen + 1 >= broadcast.first:
                caught_up = True
                frames = broadcast.after(seen)
            elif caught_up:
                self.dropped += 1
                return
            elif broadcast.first:
                frames = await broadcast.older(seen)  # at the follower's own pace
                if not frames:
                    return
            if frames:
                seen = frames[-1].seq
                yield frames
                await asyncio.sleep(0)  # a thousand followers that catch up take turns
            elif broadcast.over:
                broadcast.raise_trouble()
                return
            else:
                try:
                    async with asyncio.timeout(self.heartbeat):
                        await turn.wait()
                except TimeoutError:
                    yield _QUIET

    def forget(self, run_id: str, broadcast: _Broadcast) -> None:
        """Drop a broadcast that has ended, so that later followers read anew: a run may be resumed."""
        if self._open.get(run_id) is broadcast:
            del self._open[run_id]

    async def close(self) -> None:
        """End all broadcasts with their followers; nobody else may follow."""
        self._closed = True
        tasks = [broadcast.task for broadcast in self._open.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
