"""How `gw worker` obeys signals: it hands its runs back and ends in time."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from typing import TYPE_CHECKING

from groundwire.app.reloading import reload_told
from groundwire.doors.cli import session

if TYPE_CHECKING:
    from groundwire.app import App

_DEADLINE = 9.5  # seconds from the order to stop to the end, come what may


def obey(app: App) -> asyncio.Event:
    """Take a signal for an order to stop, not an interruption: runs are handed back. A second one
    is obeyed at once: nothing is lost that a kill would not lose, and a kill loses nothing."""
    order = asyncio.Event()
    loop = asyncio.get_running_loop()
    tasks: set[asyncio.Task[None]] = set()

    def told(number: int) -> None:
        if order.is_set():
            os._exit(128 + number)
        order.set()
        # A thread: a loop that is stuck would not notice the time.
        late = threading.Timer(_DEADLINE, os._exit, [session.FAILED])
        late.daemon = True
        late.start()

    def reread() -> None:
        task = loop.create_task(reload_told(app))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    for each in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(each) is not signal.SIG_IGN:  # nohup wants to be left alone
            loop.add_signal_handler(each, told, each)
    loop.add_signal_handler(signal.SIGHUP, reread)
    return order
