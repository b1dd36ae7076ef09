"""procrastinate as the alarm clock: a queue per kind of job, each with its own places.

Its jobs are wake-ups and nothing else. A job is done with when the run that it named needs nobody
any more, whatever became of it; what procrastinate makes of its jobs is never read.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence

import procrastinate
from procrastinate.connector import Notify
from procrastinate.exceptions import ProcrastinateException

from groundwire.errors import StoreAway

_TASK = "run"  # as revision 0007 of the store writes it
_POLL = 5.0  # seconds; a wake-up is heard at once, one that was set for later is not
_NEVER = 86_400.0  # no job is ever asked to abort: who stops a run writes it into its row
_FORGOTTEN = 3_600.0  # seconds after which a worker that says nothing is struck off
_ONCE_MORE = 0.1  # seconds
_NEWS = '{"type": "job_inserted", "job_id": 0}'  # as procrastinate tells it; nobody reads the id
_MOST = 4  # connections: fetching and finishing jobs are short
_PATIENCE = 3.0  # seconds for a connection; a worker that must end does not wait for a lost server


class Workers:
    """Calls `woken` with the id of each run that somebody should look at."""

    def __init__(
        self,
        conninfo: str,
        kinds: Sequence[str],
        at_once: int,
        woken: Callable[[str], Awaitable[None]],
    ) -> None:
        # Each wake-up that is given up is an error to it; what is wrong is told by the engine.
        for name in ("procrastinate", "psycopg.pool"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self.ear = _Connector(conninfo)
        self._app = procrastinate.App(connector=self.ear)
        self._kinds = kinds
        self._at_once = at_once

        async def run(run_id: str) -> None:
            await woken(run_id)

        self._app.task(name=_TASK)(run)

    async def run(self) -> None:
        """Until it is cancelled; raises `StoreAway` when the database is lost."""
        async with self._app.open_async():
            queues = [asyncio.create_task(self._attend(kind)) for kind in self._kinds]
            try:
                done, _ = await asyncio.wait(queues, return_when=asyncio.FIRST_COMPLETED)
                for each in done:
                    each.result()
            finally:
                for each in queues:
                    each.cancel()
                await asyncio.gather(*queues, return_exceptions=True)

    async def _attend(self, kind: str) -> None:
        lost = StoreAway("error.wake_ups_lost")
        try:
            await self._app.run_worker_async(
                queues=[kind],
                name=kind,
                concurrency=self._at_once,
                install_signal_handlers=False,
                delete_jobs="always",
                # Runs are not its jobs' business: they go on without them, or are handed back.
                shutdown_graceful_timeout=0.0,
                fetch_job_polling_interval=_POLL,
                abort_job_polling_interval=_NEVER,
                stalled_worker_timeout=_FORGOTTEN,
            )
        except ProcrastinateException as error:
            raise lost from error
        raise lost  # it ends by itself when it cannot say that it lives


class _Connector(procrastinate.PsycopgConnector):
    """A small pool; and instead of a connection for each queue to listen on, the process's ear."""

    def __init__(self, conninfo: str) -> None:
        super().__init__(
            conninfo=conninfo,
            min_size=1,
            max_size=_MOST,
            timeout=_PATIENCE,
            kwargs={"connect_timeout": 5, "application_name": "groundwire queue"},
        )
        self._waiting: dict[str, list[asyncio.Event]] = {}

    def told(self, channel: str) -> None:
        """There is a new job, by what the process heard."""
        self._wake(channel)
        # A worker that is just reading its queue overlooks what it is told meanwhile.
        asyncio.get_running_loop().call_later(_ONCE_MORE, self._wake, channel)

    def told_nothing(self) -> None:
        """The process was deaf for a while: there may be new jobs."""
        for channel in self._waiting:
            self.told(channel)

    def _wake(self, channel: str) -> None:
        for waiting in self._waiting.get(channel, ()):
            waiting.set()

    async def listen_notify(self, on_notification: Notify, channels: Iterable[str]) -> None:
        """Until it is cancelled; never fails, as the ear mends itself."""
        async with asyncio.TaskGroup() as group:
            for each in channels:
                group.create_task(self._pass_on(on_notification, each))

    async def _pass_on(self, on_notification: Notify, channel: str) -> None:
        waiting = asyncio.Event()
        listening = self._waiting.setdefault(channel, [])
        listening.append(waiting)
        try:
            while True:
                await waiting.wait()
                waiting.clear()
                await on_notification(channel=channel, payload=_NEWS)
        finally:
            listening.remove(waiting)
