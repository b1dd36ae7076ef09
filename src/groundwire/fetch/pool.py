"""A few processes that parse pages under limits; one that dies fails its document, nothing else."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import KW_ONLY, dataclass
from datetime import date
from queue import LifoQueue
from typing import Any

from pydantic import TypeAdapter

from groundwire.errors import Unreadable, outside_failures
from groundwire.fetch.extracted import Extracted, Records
from groundwire.fetch.frames import Frame, receive, send
from groundwire.model.base import JsonObject
from groundwire.words import coded

_START_SECONDS = 20.0  # a cold disk and a busy machine
_RECORDS = TypeAdapter(Records)


class _Died(Exception):
    """The worker ended or stopped answering; says how, `outside.parser_died.<how>`."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """The result of a job: an article, the records of a file, or a list of pages.

    A list (`feed`, `outline`, `sitemap`) stays JSON: most callers do not need it parsed.
    """

    kind: str
    page: Extracted | None = None
    records: Records | None = None
    listed: bytes = b""


class _Worker:
    """One process and its pipes; used by one thread at a time."""

    def __init__(self, max_memory_mb: int, cpu_seconds: int) -> None:
        command = [
            sys.executable, "-m", "groundwire.fetch.worker", str(max_memory_mb), str(cpu_seconds),
        ]  # fmt: skip
        # Only the import path is passed on: a parser must not see keys in our environment.
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            start_new_session=True,
        )
        self._ready = False
        self.documents = 0
        self.megabytes = 0

    def ask(self, header: Mapping[str, object], body: bytes, seconds: float) -> Frame:
        """Send a request and return the reply; raise `_Died` if none comes in time."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None
        assert stdout is not None
        if not self._ready:
            with self._limit(_START_SECONDS):
                receive(stdout)
            self._ready = True
        with self._limit(seconds):
            send(stdin, header, body)
            reply = receive(stdout)
        self.documents += 1
        self.megabytes = reply[0].get("rss", self.megabytes)
        return reply

    @contextmanager
    def _limit(self, seconds: float) -> Generator[None]:
        """Kill the process when time is up, which ends whatever is written or read."""
        late = threading.Event()

        def kill() -> None:
            late.set()
            self.process.kill()

        timer = threading.Timer(seconds, kill)
        timer.daemon = True
        timer.start()
        try:
            yield
        except (OSError, EOFError) as error:
            raise _Died("slow" if late.is_set() else "crashed") from error
        finally:
            timer.cancel()

    def end(self) -> None:
        """Kill the process, and leave no zombie and no open pipe."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(OSError):  # nobody reads what was not written yet
                    pipe.close()


@dataclass(eq=False)
class ParsePool:
    """Parses in processes that are started when first needed and replaced when they die or grow."""

    workers: int = 2
    _: KW_ONLY
    max_memory_mb: int = 768
    cpu_seconds: int = 10
    wall_seconds: float = 15.0
    max_documents: int = 500
    max_resident_mb: int = 120

    def __post_init__(self) -> None:
        self._closed = False
        self._lock = threading.Lock()
        self._alive: set[_Worker] = set()
        # The last one used is used next: with little to do, only one process is warm and large.
        self._idle: LifoQueue[_Worker | None] = LifoQueue()
        for _ in range(self.workers):
            self._idle.put(None)
        # Threads only wait on pipes; the work is in the processes.
        self._threads = ThreadPoolExecutor(self.workers, thread_name_prefix="parse")

    def pids(self) -> list[int]:
        """Return the ids of the live processes."""
        with self._lock:
            return sorted(worker.process.pid for worker in self._alive)

    async def work(
        self,
        job: str,
        body: bytes,
        content_type: str = "",
        url: str = "",
        latest: date | None = None,
        *,
        before: int = 0,
    ) -> Parsed:
        """Do a job of `fetch.jobs`; raise the typed failure of its reader, or `Unreadable`.

        A crash, a limit and a timeout all fail the document only.
        """
        if self._closed:
            raise Unreadable("outside.parser_closed")
        header: dict[str, object] = {
            "job": job,
            "content_type": content_type,
            "url": url,
            "latest": latest.isoformat() if latest else None,
            "before": before,
        }
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._work, header, body)

    async def close(self) -> None:
        """End every process; documents in work fail."""
        self._closed = True
        with self._lock:
            workers, self._alive = list(self._alive), set[_Worker]()
        for worker in workers:
            worker.process.kill()
        await asyncio.to_thread(self._threads.shutdown, wait=True, cancel_futures=True)
        for worker in workers:
            worker.end()

    def _work(self, header: Mapping[str, object], body: bytes) -> Parsed:
        worker = self._idle.get()
        try:
            if worker is None or worker.process.poll() is not None:
                worker = self._replace(worker)
            answer, value = worker.ask(header, body, self.wall_seconds)
        except _Died as death:
            self._discard(worker)
            worker = None
            how = coded(f"outside.parser_died.{death}")
            raise Unreadable("outside.parser_died", why=how) from death
        finally:
            self._idle.put(self._keep_if_fit(worker))
        if answer.get("ok") is not True:
            failure = outside_failures().get(str(answer.get("code")), Unreadable)
            about: JsonObject = answer.get("params") or {}
            raise failure(str(answer.get("reason")), **about)
        return _parsed(answer, value)

    def _replace(self, worker: _Worker | None) -> _Worker:
        self._discard(worker)
        if self._closed:
            raise _Died("closed")
        started = _Worker(self.max_memory_mb, self.cpu_seconds)
        with self._lock:
            self._alive.add(started)
        return started

    def _discard(self, worker: _Worker | None) -> None:
        if worker is None:
            return
        with self._lock:
            self._alive.discard(worker)
        worker.end()

    def _keep_if_fit(self, worker: _Worker | None) -> _Worker | None:
        """Return the worker if it may go on; discard one that is old or has grown."""
        if worker is not None and (
            worker.documents >= self.max_documents or worker.megabytes > self.max_resident_mb
        ):
            self._discard(worker)
            return None
        return worker


def _parsed(answer: dict[str, Any], value: bytes) -> Parsed:
    kind = str(answer["kind"])
    if kind == "page":
        return Parsed(kind, page=Extracted(**answer["about"], text=value.decode()))
    if kind == "records":
        return Parsed(kind, records=_RECORDS.validate_json(value))
    return Parsed(kind, listed=value)
