"""`gw serve`: the desk as a process; pages, REST and the engine until it is told to stop."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import secrets
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, closing, suppress
from functools import partial
from pathlib import Path
from threading import Thread

from starlette.types import ASGIApp

from groundwire import plugins
from groundwire.app import App
from groundwire.doors.api.application import create, guarded
from groundwire.doors.api.door import Desk
from groundwire.doors.api.server import Server
from groundwire.doors.api.stream import encode
from groundwire.doors.mcp.http import route as mcp_route
from groundwire.doors.ui.render import error_page
from groundwire.errors import InputError, why
from groundwire.jobs import offered
from groundwire.runs.link import NOTE, DeskNote, read_note
from groundwire.runs.lock import process_start
from groundwire.versions import versions

PAGES = plugins.load("groundwire.doors.ui.pages")
_GONE = 60_000  # milliseconds without a sign of life from the other side
_LOOK = 1.0  # seconds between two looks at whose note it is


def assemble(app: App, *, open_here: bool, key: str = "") -> Desk:
    """The desk of this process."""
    tails = app.broadcasts(partial(encode, redactor=app.redactor))
    return Desk(app=app, tails=tails, open_here=open_here, key=key)


def application(desk: Desk, hosts: tuple[str, ...] = ()) -> ASGIApp:
    """Pages, REST and MCP behind their guard."""
    pages = [PAGES[name].router for name in sorted(PAGES)]
    api = create(desk, more=pages)
    api.state.error_page = error_page
    api.router.routes.append(mcp_route(desk))
    return guarded(api, desk, hosts)


async def serve(app: App, host: str, port: int, *, ready: Callable[[str], None]) -> None:
    """Until a signal; `ready` is told the address once it answers."""
    bound = await _bound(host, port)
    at_home = _is_loopback(host)
    open_here = at_home and not _beyond(app)
    await _check_open(app, open_here, at_home)
    shown, number = bound.getsockname()[:2]
    url = f"http://{_bracketed(host if not at_home else shown)}:{number}"
    desk = assemble(app, open_here=open_here, key=secrets.token_urlsafe(32))
    await app.engine.work()

    def begun() -> None:
        ready(url)
        # Meanwhile: the first run would wait for it, and all that happens in this process with it.
        Thread(target=_load_jobs, name="load-jobs", daemon=True).start()

    note = DeskNote(pid=os.getpid(), url=_near(url), key=desk.key)
    with closing(bound):
        async with _noted(app, note):
            await Server(application(desk, (_bracketed(host),)), desk, begun).serve(sockets=[bound])


def _load_jobs() -> None:
    """Drawing a job's graph loads everything that its steps are made of."""
    versions()
    for job in offered():
        job.draw()


def _beyond(app: App) -> bool:
    """Whether tokens are wanted here, too: under another name, or by HTTPS, a proxy leads others
    here, and all of them would seem to sit at this machine."""
    settings = app.settings.desk
    return settings.require_token or settings.https or bool(settings.hosts)


async def _check_open(app: App, open_here: bool, at_home: bool) -> None:
    if not open_here and not any(t.revoked_at is None for t in await app.access.tokens()):
        code = "error.needs_token_here" if at_home else "error.needs_token_beyond"
        raise InputError(code, hint="hint.make_token")


async def _bound(host: str, port: int) -> socket.socket:
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise InputError("error.no_host_address", host=host, hint="hint.localhost") from error
    family, kind, proto, _, address = found[0]
    made = socket.socket(family, kind, proto)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        # Of each connection, too: a follower whose machine is gone is not kept for a quarter of an hour.
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _GONE)
    try:
        made.bind(address)
        made.listen()  # before, two may be bound to one port
    except OSError as error:
        made.close()
        raise InputError(
            "error.port_taken", host=host, port=port, why=why(error), hint="hint.other_port"
        ) from error
    made.setblocking(False)
    return made


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _near(url: str) -> str:
    """Where this machine itself finds a desk that listens at all of its addresses."""
    return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


@asynccontextmanager
async def _noted(app: App, note: DeskNote) -> AsyncGenerator[None]:
    """The file that leads commands here stands while the desk does. Of several desks on one data
    folder, it is that of the one who executes: another's is left alone, and taken over with the
    work."""
    path = app.settings.data_home() / NOTE
    there = read_note(path)
    if there is None or not process_start(there.pid):
        _write(path, note)
    keeping = asyncio.create_task(_keep(app, path, note))
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        with suppress(OSError):
            if read_note(path) == note:
                path.unlink()


async def _keep(app: App, path: Path, note: DeskNote) -> None:
    engine = app.engine
    while not engine.shared:  # there everybody executes, and nobody hands over
        await asyncio.sleep(_LOOK)
        with suppress(OSError):  # commands find their way through the database, too
            if not engine.handed_over() and read_note(path) != note:
                _write(path, note)


def _write(path: Path, note: DeskNote) -> None:
    fresh = path.with_name(f".{path.name}.{note.pid}")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(note.model_dump_json())
    fresh.replace(path)
