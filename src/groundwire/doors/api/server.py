"""The HTTP server under the desk: begins, loses patience with slow readers, and stops in time."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any, ClassVar

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from groundwire.app.reloading import reload_told
from groundwire.doors.api.door import Desk
from groundwire.log import get_logger

log = get_logger("groundwire.server")

GRACE = 4  # seconds that requests under way have
DEADLINE = 9.8  # seconds from the order to stop to the end, come what may
UNCLEAN = 4  # the code of a process that could not end in that time; a failure, as elsewhere
_SPARE = 256  # files beside those of followers: the database, pages, workers


class Impatient(H11Protocol):
    """Ends a connection whose reader takes nothing for too long: what is unsent is memory of ours.

    A follower comes back with the number of the last event that it has.
    """

    patience: ClassVar[float] = 20.0
    desk: ClassVar[Desk | None] = None
    _waiting: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wait()

    def resume_writing(self) -> None:
        self._calm()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._calm()
        super().connection_lost(exc)

    def _calm(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _wait(self) -> None:
        left = self.transport.get_write_buffer_size()
        self._waiting = self.loop.call_later(self.patience, self._look, left)

    def _look(self, before: int) -> None:
        """Who takes a large file over a thin line is slow, too, but does take it."""
        if self.transport.get_write_buffer_size() < before:
            self._wait()
            return
        self._waiting = None
        if self.desk is not None and self.scope["path"].endswith("/events"):
            self.desk.tails.dropped += 1
        self.transport.abort()


class Server(uvicorn.Server):
    """Says when it has begun. A signal is an order to stop, not an interruption; a second one is
    obeyed at once: nothing is lost that a kill would not lose, and a kill loses nothing."""

    def __init__(self, application: ASGIApp, desk: Desk, ready: Callable[[], None]) -> None:
        reader = type("Impatient", (Impatient,), {"desk": desk})
        super().__init__(
            uvicorn.Config(
                application,
                http=reader,
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=GRACE,
            )
        )
        self._desk = desk
        self._ready = ready

    async def startup(self, sockets: list[Any] | None = None) -> None:
        make_room(self._desk.app.settings.desk.followers)
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[Any] | None = None) -> None:
        self._desk.stopping = True
        await self._desk.tails.close()  # streams would hold it up
        # At the same time: calls under way are given as long as fits into the deadline.
        await asyncio.gather(self._let_go(sockets), self._desk.app.engine.stop())

    async def _let_go(self, sockets: list[Any] | None) -> None:
        for close in self._desk.closing:
            await close()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        # They stay when this ends: the app is still to be closed then. Not the loop's own handlers:
        # a loop that is stuck would not hear them.
        for each in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(each) is not signal.SIG_IGN:  # nohup wants to be left alone
                signal.signal(each, self._told)
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGHUP, self._reload)
        yield

    def _reload(self) -> None:
        if not self._desk.stopping:
            self._reloading = asyncio.ensure_future(reload_told(self._desk.app))

    def _told(self, number: int, _frame: FrameType | None) -> None:
        if self.should_exit:
            os._exit(128 + number)
        self.should_exit = True
        # A thread, for the same reason.
        late = threading.Timer(DEADLINE, _give_up)
        late.daemon = True
        late.start()


def _give_up() -> None:
    log.error("not stopped in time", seconds=DEADLINE, then="runs are taken up at the next start")
    os._exit(UNCLEAN)


def make_room(followers: int) -> None:
    """Each follower is an open file; a shell's usual limit is 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = followers + _SPARE
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
