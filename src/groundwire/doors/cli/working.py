"""`gw worker`: one more process that executes the runs of a PostgreSQL database, until Ctrl-C."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from groundwire.doors.cli import render, session
from groundwire.doors.cli.reader import say
from groundwire.errors import InputError

if TYPE_CHECKING:
    import asyncio

    from groundwire.app import App

_DEADLINE = 9.5  # seconds from the order to stop to the end, come what may


def worker() -> NoReturn:
    session.Given.stays = True
    session.with_app(_work)


async def _work(app: App) -> int:
    import asyncio

    if not app.engine.shared:
        raise InputError("error.sqlite_workers", hint="hint.workers")
    order = asyncio.Event()
    _obey(order, app)
    await app.engine.work()
    render.note(say("cli.worker"))
    await order.wait()
    return session.DONE


def _obey(order: asyncio.Event, app: App) -> None:
    """A signal is an order to stop, not an interruption: runs are handed back. A second one is
    obeyed at once: nothing is lost that a kill would not lose, and a kill loses nothing."""
    import asyncio
    import os
    import signal
    import threading

    def told(number: int) -> None:
        if order.is_set():
            os._exit(128 + number)
        order.set()
        # A thread: a loop that is stuck would not notice the time.
        late = threading.Timer(_DEADLINE, os._exit, [session.FAILED])
        late.daemon = True
        late.start()

    loop = asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(each) is not signal.SIG_IGN:  # nohup wants to be left alone
            loop.add_signal_handler(each, told, each)
    from groundwire.app.reloading import reload_told

    tasks: set[asyncio.Task[None]] = set()

    def reread() -> None:
        task = loop.create_task(reload_told(app))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    loop.add_signal_handler(signal.SIGHUP, reread)
