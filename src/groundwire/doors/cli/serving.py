"""`gw serve`: the desk until Ctrl-C; `gw mcp`: its jobs for the program that starts it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from groundwire.doors.cli import render, session

if TYPE_CHECKING:
    from groundwire.app import App


def serve(host: str, port: int | None) -> NoReturn:
    async def work(app: App) -> int:
        from groundwire.doors import serving

        chosen = app.settings.desk

        def ready(url: str) -> None:
            render.note(f"the desk is at {url}; Ctrl-C stops it")

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
