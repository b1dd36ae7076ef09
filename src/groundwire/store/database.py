"""One writer thread with group commit and a few reader threads; callers await futures."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from groundwire.errors import IllegalState, StoreAway, StoreBusy
from groundwire.store.dialect import Dialect, Durability, dialect_of
from groundwire.store.statement import Connection

T = TypeVar("T")
Work = Callable[[Connection], T]

_BATCH = 64  # a larger group saves nothing more and makes the first caller wait
_PATIENCE = 5.0  # seconds to wait for a restarting server


class _Trial:
    """A context manager that keeps the exception raised inside it."""

    __slots__ = ("error",)

    def __init__(self) -> None:
        self.error: BaseException | None = None

    def __enter__(self) -> None:
        self.error = None

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> bool:
        self.error = error
        return True


class _Job(_Trial):
    """A piece of work and the future of the caller who awaits it."""

    __slots__ = ("future", "loop", "value", "work")

    def __init__(self, work: Work[Any]) -> None:
        super().__init__()
        self.work = work
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self.loop.create_future()
        self.value: Any = None

    def settle(self) -> None:
        if self.future.done():  # the caller was cancelled; what was written stays written
            return
        if isinstance(self.error, StopIteration):  # a future cannot carry it
            self.future.set_exception(IllegalState("Work on the database ran out of values."))
        elif self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.value)


class _Patience:
    """Pauses that grow until the time is up."""

    def __init__(self) -> None:
        self._until = time.monotonic() + _PATIENCE
        self._pause = 0.01

    def wait(self) -> bool:
        """Pause, longer each time; False: the time is up."""
        if time.monotonic() >= self._until:
            return False
        time.sleep(self._pause * random.uniform(0.5, 1.5))
        self._pause = min(self._pause * 2, 0.5)
        return True


class _Link:
    """A thread's connection, opened when needed and dropped when it breaks."""

    def __init__(self, dialect: Dialect, *, writer: bool) -> None:
        self._dialect = dialect
        self._writer = writer
        self._connection: Connection | None = None

    def open(self) -> Connection:
        if self._connection is None:
            raw = self._dialect.connect(writer=self._writer)
            self._connection = Connection(raw, self._dialect)
        return self._connection

    def rollback(self) -> None:
        """End the transaction; a connection that cannot even do that is dropped."""
        if self._connection is not None:
            try:
                self._connection.raw.rollback()
            except self._dialect.errors:
                self.close()

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.raw.close()
            except self._dialect.errors:
                return  # it is gone either way


class Database:
    """Runs functions on connections, off the event loop.

    The function given to `write` or `read` may be run more than once (a batch that failed as a
    whole, a deadlock, a lost connection), so it touches nothing but its connection.
    """

    def __init__(self, url: str, durability: Durability = "normal") -> None:
        self.dialect = dialect_of(url, durability)
        self._writes: SimpleQueue[_Job | None] = SimpleQueue()
        self._reads: SimpleQueue[_Job | None] = SimpleQueue()
        self._closed = False
        self._guard = threading.Lock()
        self._threads = [threading.Thread(target=self._write_all, name="gw-writer", daemon=True)]
        self._threads += [
            threading.Thread(target=self._read_all, name=f"gw-reader-{n}", daemon=True)
            for n in range(self.dialect.readers)
        ]
        for thread in self._threads:
            thread.start()

    async def write(self, work: Work[T]) -> T:
        """Run in a transaction, possibly together with others; return after the commit.

        A caller cancelled before its turn is skipped; one cancelled later changes nothing: the
        cancellation reaches the awaiting future, never the transaction.
        """
        return await self._put(self._writes, work)

    async def read(self, work: Work[T]) -> T:
        """Run outside any write transaction; each statement sees its own snapshot."""
        return await self._put(self._reads, work)

    async def close(self) -> None:
        """Finish what is queued, then end the threads.

        The writer goes last: on SQLite the last connection folds the log into the database, and
        two that go at once may each take the other for the last.
        """
        with self._guard:
            if self._closed:
                return
            self._closed = True
            for _ in range(self.dialect.readers):
                self._reads.put(None)
        writer, *readers = self._threads
        for thread in readers:
            await asyncio.to_thread(thread.join)
        self._writes.put(None)
        await asyncio.to_thread(writer.join)

    def _put(self, queue: SimpleQueue[_Job | None], work: Work[T]) -> asyncio.Future[T]:
        job = _Job(work)
        with self._guard:  # nothing may be queued behind the end mark
            if self._closed:
                raise IllegalState("The store is closed.")
            queue.put(job)
        return job.future

    # --- writer thread -----------------------------------------------------------------------

    def _write_all(self) -> None:
        link = _Link(self.dialect, writer=True)
        ending = False
        while not ending:
            batch = self._next_batch()
            ending = batch[-1] is None
            jobs = [job for job in batch if job is not None and not job.future.cancelled()]
            self._commit(link, jobs)
        link.close()

    def _next_batch(self) -> list[_Job | None]:
        """Take what is queued; the end mark, if there, comes last."""
        batch = [self._writes.get()]
        while len(batch) < _BATCH:
            try:
                batch.append(self._writes.get_nowait())
            except Empty:
                break
        return batch

    def _commit(self, link: _Link, jobs: list[_Job]) -> None:
        if len(jobs) < 2 or not self._commit_together(link, jobs):
            for job in jobs:
                with job:
                    (job.value,) = self._transact(link, [job.work])
        _deliver(jobs)

    def _commit_together(self, link: _Link, jobs: list[_Job]) -> bool:
        """Run jobs in one transaction; False: each must be tried by itself."""
        trial = _Trial()
        with trial:
            values = self._transact(link, [job.work for job in jobs])
            for job, value in zip(jobs, values, strict=True):
                job.value = value
        if isinstance(trial.error, (StoreAway, StoreBusy)):
            # The database itself failed: trying each job would only wait as often.
            for job in jobs:
                # One exception for each caller: each gets its own traceback.
                kind = type(trial.error)
                job.error = kind(trial.error.says, hint=trial.error.hints, **trial.error.params)
            return True
        return trial.error is None

    def _transact(self, link: _Link, works: Sequence[Work[Any]]) -> list[Any]:
        """Run all work in one transaction; raise the driver's errors translated."""
        patience = _Patience()
        while True:
            committing = committed = False
            try:
                connection = link.open()
                self.dialect.begin(connection.raw)
                values = [work(connection) for work in works]
                committing = True
                connection.raw.commit()
                committed = True
                return values
            except self.dialect.errors as error:
                cure = self.dialect.cure(error)
                if cure == "reconnect":
                    link.close()
                # Lost during COMMIT: nobody knows whether it holds, so it is not run again.
                unknown = cure == "reconnect" and committing
                if cure is None or unknown or not patience.wait():
                    raise self.dialect.translate(error) from error
            finally:
                if not committed:
                    link.rollback()

    # --- reader threads ----------------------------------------------------------------------

    def _read_all(self) -> None:
        link = _Link(self.dialect, writer=False)
        while (job := self._reads.get()) is not None:
            if job.future.cancelled():
                continue
            with job:
                job.value = self._read(link, job.work)
            _deliver([job])
        link.close()

    def _read(self, link: _Link, work: Work[Any]) -> Any:
        patience = _Patience()
        while True:
            try:
                return work(link.open())
            except self.dialect.errors as error:
                cure = self.dialect.cure(error)
                link.close()
                if cure is None or not patience.wait():
                    raise self.dialect.translate(error) from error


def _deliver(jobs: Sequence[_Job]) -> None:
    """Wake each event loop once for all of its jobs."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
    for job in jobs:
        by_loop.setdefault(job.loop, []).append(job)
    for loop, group in by_loop.items():
        try:
            loop.call_soon_threadsafe(_settle, group)
        except RuntimeError:
            continue  # the loop is closed: nobody waits there any more


def _settle(jobs: Sequence[_Job]) -> None:
    for job in jobs:
        job.settle()
