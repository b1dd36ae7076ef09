"""`gw serve`, `reload`, `mcp` and `worker`: what stays until it is stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from groundwire.doors.cli import render, session
from groundwire.doors.cli.reader import say
from groundwire.doors.cli.root import DESK, cli, command, option
from groundwire.errors import InputError, NotFoundHere

if TYPE_CHECKING:
    from groundwire.app import App


@command(cli, panel=DESK, stays=True)
async def serve(
    app: App,
    host: Annotated[str, option("Beyond this machine, tokens are needed.", metavar="ADDRESS")] = "",
    port: Annotated[
        int | None, option("Default: 8600; 0: any that is free.", min=0, max=65535)
    ] = None,
) -> None:
    """The desk: pages, API and a worker, until it is stopped."""
    from groundwire.doors import serving

    def ready(url: str) -> None:
        render.note(say("cli.desk_at", url=url))

    chosen = app.settings.desk
    port = chosen.port if port is None else port
    await serving.serve(app, host or chosen.host, port, ready=ready)


@command(cli, panel=DESK)
def reload() -> None:
    """Let the desk of this data folder read its settings anew; its jobs go on."""
    import os
    import signal

    from groundwire.runs.link import note_in
    from groundwire.runs.lock import process_start

    # Read here first: what cannot be used is refused where somebody sees it.
    note = note_in(session.settings().settings.data_home())
    if note is None or not process_start(note.pid):
        raise NotFoundHere("error.no_desk", hint="hint.gw_serve")
    os.kill(note.pid, signal.SIGHUP)
    render.note(say("cli.desk_rereads", url=note.url))


@command(cli, panel=DESK)
async def mcp(app: App) -> None:
    """Jobs and tools for another program's models, over standard input and output (MCP)."""
    from groundwire.doors.mcp import stdio

    await stdio.serve(app)


@command(cli, panel=DESK, stays=True)
async def worker(app: App) -> None:
    """One more process that executes runs, on PostgreSQL, until it is stopped."""
    if not app.engine.shared:
        raise InputError("error.sqlite_workers", hint="hint.workers")
    from groundwire.doors.cli.working import obey

    order = obey(app)
    await app.engine.work()
    render.note(say("cli.worker"))
    await order.wait()
