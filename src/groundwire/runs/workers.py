"""procrastinate as the alarm clock: a queue per kind of job, each with its own limit.

Its jobs are wake-ups and nothing else. A job is done when its run needs nobody any more, whatever
became of it; the state that procrastinate gives its jobs is never read.
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
_NEVER = 86_400.0  # no job is ever aborted: stopping a run is written into its row
_FORGOTTEN = 3_600.0  # seconds after which a silent worker is removed
_ONCE_MORE = 0.1  # seconds
_NEWS = '{"type": "job_inserted", "job_id": 0}'  # procrastinate's own form; nobody reads the id
_MOST = 4  # connections: fetching and finishing jobs are short
_PATIENCE = 3.0  # seconds for a connection: a worker that must end does not wait for a lost server


class Workers:
    """Calls `wake` with the id of each run that somebody should look at."""

    def __init__(
        self,
        conninfo: str,
        kinds: Sequence[str],
        at_once: int,
        wake: Callable[[str], Awaitable[None]],
    ) -> None:
        # It logs each abandoned wake-up as an error; the engine reports what is really wrong.
        for name in ("procrastinate", "psycopg.pool"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self.connector = _Connector(conninfo)
        self._app = procrastinate.App(connector=self.connector)
        self._kinds = kinds
        self._at_once = at_once

        async def run(run_id: str) -> None:
            await wake(run_id)

        self._app.task(name=_TASK)(run)

    async def run(self) -> None:
        """Serve all queues until cancelled; raise `StoreAway` when the database is lost."""
        async with self._app.open_async():
            queues = [asyncio.create_task(self._attend(kind)) for kind in self._kinds]
            try:
                done, _ = await asyncio.wait(queues, return_when=asyncio.FIRST_COMPLETED)
                for queue in done:
                    queue.result()
            finally:
                for queue in queues:
                    queue.cancel()
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
                # Runs outlive their jobs: they go on without them, or are handed back.
                shutdown_graceful_timeout=0.0,
                fetch_job_polling_interval=_POLL,
                abort_job_polling_interval=_NEVER,
                stalled_worker_timeout=_FORGOTTEN,
            )
        except ProcrastinateException as error:
            raise lost from error
        raise lost  # it ends by itself when its heartbeat fails


class _Connector(procrastinate.PsycopgConnector):
    """A small pool that gets its notices from the process's one listener, not one per queue."""

    def __init__(self, conninfo: str) -> None:
        super().__init__(
            conninfo=conninfo,
            min_size=1,
            max_size=_MOST,
            timeout=_PATIENCE,
            kwargs={"connect_timeout": 5, "application_name": "groundwire queue"},
        )
        self._waiting: dict[str, list[asyncio.Event]] = {}

    def announce(self, channel: str) -> None:
        """Wake the workers of a queue that has a new job."""
        self._wake(channel)
        # A worker that is just reading its queue misses a notice that comes meanwhile.
        asyncio.get_running_loop().call_later(_ONCE_MORE, self._wake, channel)

    def announce_all(self) -> None:
        """Wake all workers: notices may have been missed."""
        for channel in self._waiting:
            self.announce(channel)

    def _wake(self, channel: str) -> None:
        for waiting in self._waiting.get(channel, ()):
            waiting.set()

    async def listen_notify(self, on_notification: Notify, channels: Iterable[str]) -> None:
        """Pass on notices until cancelled; never fails, as the listener reconnects by itself."""
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
