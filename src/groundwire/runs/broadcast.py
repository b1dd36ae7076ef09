"""One reader of a run's journal per process, however many follow: each event is read and written
out once, and handed to all.

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

RECENT = 2_048  # newest events of a run that are kept; who is further behind is dropped
BYTES = 4_000_000  # the same by size
PAGE = 250  # events that are read at once
_PAGES = 4  # older stretches that are kept for those who come late together
_BATCH = 64  # events that are handed over at once
_BATCH_BYTES = 65_536  # what a slow connection holds in memory is little more than this
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
        """Put together once, by the first who asks."""
        return b"".join([frame.data for frame in self])


_QUIET = Frames()


class _Broadcast:
    """Reads one run's journal on from where its first follower is, and keeps the newest frames."""

    def __init__(self, tails: Broadcasts, run_id: str, after: int) -> None:
        self.first = 0  # number of the oldest frame that is kept; 0: not looked yet
        self.turn = asyncio.Event()  # set, and a new one made, whenever something came
        self.followers = 0
        self._frames: list[Frame] = []
        self._size = 0
        self._batches: dict[int, Frames] = {}  # most followers are at the same event
        self._pages: dict[int, asyncio.Task[list[Frame]]] = {}  # by the number before the first
        self._tails = tails
        self._run_id = run_id
        self.task = asyncio.create_task(self._read(after))
        self.task.add_done_callback(self._ended)

    @property
    def over(self) -> bool:
        """No more will come: the run is over, the journal cannot be read, or all is closed."""
        return self.task.done()

    def raise_trouble(self) -> None:
        """Raise what ended it, if that was trouble."""
        error = None if self.task.cancelled() else self.task.exception()
        if isinstance(error, StoreError):
            raise copy(error)  # each follower's own: a traceback grows with every raise
        if error is not None:
            raise IllegalState(f"The events of run {self._run_id} cannot be followed.")

    def after(self, seen: int) -> Frames:
        """The next of what is kept; `seen` is kept, or is the one before, or is yet to come."""
        known = self._batches.get(seen)
        if known is None:
            if len(self._batches) >= _MEMO:
                self._batches.clear()
            known = self._batches[seen] = _batch(self._frames, seen + 1 - self.first)
        return known

    async def older(self, seen: int) -> Frames:
        """The next after `seen`, from before what is kept; nothing: they are gone."""
        start = seen - seen % PAGE
        task = self._pages.get(start)
        if task is None:
            if len(self._pages) >= _PAGES:
                del self._pages[next(iter(self._pages))]
            task = self._pages[start] = asyncio.create_task(self._page(start))
            task.add_done_callback(lambda done: self._looked_up(start, done))
        # Others wait for the same page: one who leaves takes nothing from them.
        frames = _batch(await asyncio.shield(task), seen - start)
        # It may have been read before the journal was as long as it is now.
        return frames or _batch(await self._page(seen), 0)

    def _looked_up(self, start: int, task: asyncio.Task[list[Frame]]) -> None:
        if task.cancelled() or task.exception() is not None or len(task.result()) < PAGE:
            self._pages.pop(start, None)  # whoever comes next looks again

    async def _read(self, after: int) -> None:
        tails = self._tails
        seen: int | None = None
        while True:
            with tails.bell.listening(self._run_id) as ear:
                # State and number are of one moment: what a finished run wrote is then all there.
                head = await tails.runs.head(self._run_id)
                if head is None:
                    return
                if seen is None:
                    seen = max(min(after, head.last_seq), head.last_seq - RECENT, 0)
                    self.first = seen + 1
                    self._wake()  # who wants what is older need not wait
                while seen < head.last_seq:
                    frames = await self._page(seen)
                    if not frames:
                        break  # it was deleted meanwhile
                    seen = frames[-1].seq
                    self._keep(frames)
                self._wake()
                if head.state in FINISHED:
                    return
                await ear.heard(tails.poll())

    async def _page(self, seen: int) -> list[Frame]:
        tails = self._tails
        events = await tails.journal.read(self._run_id, after=seen, limit=PAGE)
        if not events and await tails.runs.head(self._run_id) is None:
            return []
        numbers = [seen, *(event.seq for event in events)]
        if not events or any(later != sooner + 1 for sooner, later in pairwise(numbers)):
            raise CorruptStore("error.events_missing", run=self._run_id, seen=seen)
        return [Frame(event.seq, tails.encode(event)) for event in events]

    def _keep(self, frames: Sequence[Frame]) -> None:
        self._frames += frames
        self._size += sum(len(frame.data) for frame in frames)
        if len(self._frames) > 2 * RECENT or self._size > 2 * BYTES:
            gone = max(len(self._frames) - RECENT, 0)
            left = self._size - sum(len(frame.data) for frame in self._frames[:gone])
            # Who has seen all but these, or is about the ones before, is not behind.
            while left > BYTES and len(self._frames) - gone > 2 * PAGE:
                left -= len(self._frames[gone].data)
                gone += 1
            del self._frames[:gone]
            self.first += gone
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
        self._tails.forget(self._run_id, self)
        self._wake()


def _batch(frames: Sequence[Frame], start: int) -> Frames:
    """As many as are sent at once, one at least if there is one."""
    taken = frames[start : start + _BATCH]
    size = 0
    for count, frame in enumerate(taken):
        size += len(frame.data)
        if count and size > _BATCH_BYTES:
            return Frames(taken[:count])
    return Frames(taken)


@dataclass(eq=False)
class Broadcasts:
    """The tails of this process. `poll` is how soon another process's events are noticed when no
    bell rings."""

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
    _tails: dict[str, _Broadcast] = field(default_factory=dict[str, _Broadcast], init=False)

    @property
    def count(self) -> int:
        """Runs that are followed."""
        return len(self._tails)

    def check(self) -> None:
        """Raise what would keep one more from following: too many do, or the desk is stopping."""
        if self._closed:
            raise StoreAway("error.desk_stopping", hint="hint.come_back")
        if self.followers >= self.most:
            raise TooMany("error.too_many_follow", retry_after=5.0)

    async def follow(self, run_id: str, *, after: int = 0) -> AsyncGenerator[Frames]:
        """Every event after `after`, in order, exactly once, until the run is over.

        Nothing, now and then, while nothing happens: a heartbeat. Ends early when the follower
        fell behind or all is closed; raises `StoreError` when the journal cannot be read, and at
        once what `check` raises.
        """
        self.check()
        tail = self._tails.get(run_id)
        if tail is None or tail.over:
            tail = self._tails[run_id] = _Broadcast(self, run_id, after)
        tail.followers += 1
        self.followers += 1
        try:
            async for frames in self._follow(tail, after):
                yield frames
        finally:
            self.followers -= 1
            tail.followers -= 1
            if not tail.followers:
                # At once: who comes before the task has ended must not share its end.
                self.forget(run_id, tail)
                tail.task.cancel()

    async def _follow(self, tail: _Broadcast, seen: int) -> AsyncGenerator[Frames]:
        caught_up = False
        while True:
            turn = tail.turn
            frames = _QUIET
            if tail.first and seen + 1 >= tail.first:
                caught_up = True
                frames = tail.after(seen)
            elif caught_up:
                self.dropped += 1
                return
            elif tail.first:
                frames = await tail.older(seen)  # at the follower's own pace
                if not frames:
                    return
            if frames:
                seen = frames[-1].seq
                yield frames
                await asyncio.sleep(0)  # a thousand that have much to catch up with take turns
            elif tail.over:
                tail.raise_trouble()
                return
            else:
                try:
                    async with asyncio.timeout(self.heartbeat):
                        await turn.wait()
                except TimeoutError:
                    yield _QUIET

    def forget(self, run_id: str, tail: _Broadcast) -> None:
        """Whoever comes after its end looks anew: a run may be resumed."""
        if self._tails.get(run_id) is tail:
            del self._tails[run_id]

    async def close(self) -> None:
        """End all; their followers end with them, and nobody else may follow."""
        self._closed = True
        tasks = [tail.task for tail in self._tails.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
