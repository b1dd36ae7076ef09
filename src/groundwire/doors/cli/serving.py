"""`gw serve`, `reload`, `mcp` and `worker`: processes that stay until they are stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.doors.cli import render, session
from groundwire.doors.cli.reader import say
from groundwire.doors.cli.root import DESK, cli, command
from groundwire.errors import InputError, NotFoundHere

if TYPE_CHECKING:
    import asyncio

    from groundwire.app import App

_DEADLINE = 9.5  # seconds from the signal to a forced exit


@command(cli, panel=DESK, stays=True)
async def serve(
    app: App,
    host: Annotated[str, typer.Option(metavar="ADDRESS")] = "",
    port: Annotated[int | None, typer.Option(min=0, max=65535)] = None,
) -> None:
    """Serve the desk: pages, API and a worker, until it is stopped."""
    from groundwire.doors import serving

    chosen = app.settings.desk
    port = chosen.port if port is None else port
    await serving.serve(
        app, host or chosen.host, port, ready=lambda url: render.note(say("cli.desk_at", url=url))
    )


@command(cli, panel=DESK)
def reload() -> None:
    """Let the desk of this data folder read its settings anew; its jobs go on."""
    import os
    import signal

    from groundwire.runs.link import note_in
    from groundwire.runs.lock import process_start

    # Read here first: bad settings are refused where somebody sees it.
    note = note_in(session.settings().settings.data_home())
    if note is None or not process_start(note.pid):
        raise NotFoundHere("error.no_desk", hint="hint.gw_serve")
    os.kill(note.pid, signal.SIGHUP)
    render.note(say("cli.desk_rereads", url=note.url))


@command(cli, panel=DESK)
async def mcp(app: App) -> None:
    """Serve jobs and tools to another program's models over standard input and output (MCP)."""
    from groundwire.doors.mcp import stdio

    await stdio.serve(app)


@command(cli, panel=DESK, stays=True)
async def worker(app: App) -> None:
    """Execute runs as one more process, on PostgreSQL, until it is stopped."""
    if not app.engine.shared:
        raise InputError("error.sqlite_workers", hint="hint.workers")
    stopping = _stop_on_signal(app)
    await app.engine.work()
    render.note(say("cli.worker"))
    await stopping.wait()


def _stop_on_signal(app: App) -> asyncio.Event:
    """Take a signal for an order to stop: runs are handed back. A second one is obeyed at once.

    It loses nothing that a kill would not lose, and a kill loses nothing.
    """
    import asyncio
    import os
    import signal
    import threading

    from groundwire.app.reloading import reload_and_log

    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    reloads: list[asyncio.Task[None]] = []  # the loop keeps no reference

    def stop(number: int) -> None:
        if stopping.is_set():
            os._exit(128 + number)
        stopping.set()
        # A thread: a loop that is stuck would not notice the time.
        late = threading.Timer(_DEADLINE, os._exit, [session.FAILED])
        late.daemon = True
        late.start()

    def reread() -> None:
        reloads.append(loop.create_task(reload_and_log(app)))

    for each in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(each) is not signal.SIG_IGN:  # ignored under nohup
            loop.add_signal_handler(each, stop, each)
    loop.add_signal_handler(signal.SIGHUP, reread)
    return stopping
