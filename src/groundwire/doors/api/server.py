"""The HTTP server under the desk: starts, drops readers that stall, and stops in time."""

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

from groundwire.app.reloading import reload_and_log
from groundwire.doors.api.door import Desk
from groundwire.log import get_logger

log = get_logger("groundwire.server")

GRACE = 4  # seconds that requests under way have
DEADLINE = 9.8  # seconds from the signal to a forced exit
UNCLEAN = 4  # exit code of a process that could not end in time
_SPARE = 256  # files beside those of followers: the database, pages, workers


class Impatient(H11Protocol):
    """Ends a connection whose reader takes nothing for too long: unsent data fills our memory.

    A follower comes back with the number of the last event that it has.
    """

    patience: ClassVar[float] = 20.0
    desk: ClassVar[Desk | None] = None
    _waiting: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wait()

    def resume_writing(self) -> None:
        self._stop_waiting()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _wait(self) -> None:
        left = self.transport.get_write_buffer_size()
        self._waiting = self.loop.call_later(self.patience, self._check_progress, left)

    def _check_progress(self, before: int) -> None:
        """Abort a stalled connection; one that is only slow goes on."""
        if self.transport.get_write_buffer_size() < before:
            self._wait()
            return
        self._waiting = None
        if self.desk is not None and self.scope["path"].endswith("/events"):
            self.desk.tails.dropped += 1
        self.transport.abort()


class Server(uvicorn.Server):
    """Reports when it is ready, and stops on a signal. A second signal is obeyed at once: it loses
    nothing that a kill would not lose, and a kill loses nothing."""

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
        await self._desk.tails.close()  # open streams would delay it
        # In parallel, so that calls under way have all the time up to the deadline.
        await asyncio.gather(self._close_connections(sockets), self._desk.app.engine.stop())

    async def _close_connections(self, sockets: list[Any] | None) -> None:
        for close in self._desk.closing:
            await close()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        # They stay installed, because the app is still to be closed. They are not the loop's own
        # handlers, which a stuck loop would never call.
        for each in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(each) is not signal.SIG_IGN:  # ignored under nohup
                signal.signal(each, self._stop)
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGHUP, self._reload)
        yield

    def _reload(self) -> None:
        if not self._desk.stopping:
            self._reloading = asyncio.ensure_future(reload_and_log(self._desk.app))

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        if self.should_exit:
            os._exit(128 + number)
        self.should_exit = True
        # A thread: a stuck loop would not notice the time.
        late = threading.Timer(DEADLINE, _give_up)
        late.daemon = True
        late.start()


def _give_up() -> None:
    log.error("not stopped in time", seconds=DEADLINE, then="runs are taken up at the next start")
    os._exit(UNCLEAN)


def make_room(followers: int) -> None:
    """Raise the limit of open files: each follower is one, and a shell's usual limit is 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = followers + _SPARE
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
