"""`gw serve`: the desk until Ctrl-C; `gw mcp`: its jobs for the program that starts it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from groundwire.doors.cli import render, session
from groundwire.doors.cli.reader import say

if TYPE_CHECKING:
    from groundwire.app import App


def serve(host: str, port: int | None) -> NoReturn:
    async def work(app: App) -> int:
        from groundwire.doors import serving

        chosen = app.settings.desk

        def ready(url: str) -> None:
            render.note(say("cli.desk_at", url=url))

        await serving.serve(
            app, host or chosen.host, chosen.port if port is None else port, ready=ready
        )
        return session.DONE

    session.Given.stays = True
    session.with_app(work)


def mcp() -> NoReturn:
    async def work(app: App) -> int:
        from groundwire.doors.mcp import stdio

        await stdio.serve(app)
        return session.DONE

    session.with_app(work)


def reload() -> NoReturn:
    def body() -> int:
        import os
        import signal

        from groundwire.errors import NotFoundHere
        from groundwire.runs.link import note_in
        from groundwire.runs.lock import process_start

        # Read here first: what cannot be used is refused where somebody sees it.
        note = note_in(session.settings().settings.data_home())
        if note is None or not process_start(note.pid):
            raise NotFoundHere("error.no_desk", hint="hint.gw_serve")
        os.kill(note.pid, signal.SIGHUP)
        render.note(say("cli.desk_rereads", url=note.url))
        return session.DONE

    session.finish(body)
