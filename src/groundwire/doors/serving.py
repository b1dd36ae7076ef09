"""`gw serve`: the desk as a process; pages, REST, MCP and the engine until it is told to stop."""

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
from groundwire.errors import InputError, os_reason
from groundwire.jobs import offered
from groundwire.runs.link import NOTE, DeskNote, read_note
from groundwire.runs.lock import process_start
from groundwire.versions import versions

PAGES = plugins.load("groundwire.doors.ui.pages")
_GONE = 60_000  # milliseconds without an acknowledgement
_LOOK = 1.0  # seconds between checks of the note


def assemble(app: App, *, open_here: bool, key: str = "") -> Desk:
    """Build the desk of this process."""
    tails = app.broadcasts(partial(encode, redactor=app.redactor))
    return Desk(app=app, tails=tails, open_here=open_here, key=key)


def application(desk: Desk, hosts: tuple[str, ...] = ()) -> ASGIApp:
    """Build the application: pages, REST and MCP behind their guard."""
    pages = [PAGES[name].router for name in sorted(PAGES)]
    api = create(desk, more=pages)
    api.state.error_page = error_page
    api.router.routes.append(mcp_route(desk))
    return guarded(api, desk, hosts)


async def serve(app: App, host: str, port: int, *, ready: Callable[[str], None]) -> None:
    """Serve until a signal; `ready` is called with the address once it answers."""
    listener = await _listen(host, port)
    on_loopback = _is_loopback(host)
    chosen = app.settings.desk
    # Behind a proxy everybody would seem local.
    open_here = on_loopback and not (chosen.require_token or chosen.https or chosen.hosts)
    await _check_tokens(app, open_here, on_loopback)
    address, number = listener.getsockname()[:2]
    url = f"http://{_bracketed(host if not on_loopback else address)}:{number}"
    desk = assemble(app, open_here=open_here, key=secrets.token_urlsafe(32))
    await app.engine.work()

    def announce() -> None:
        ready(url)
        # In the background: otherwise the first run would hold up the whole process.
        Thread(target=_load_jobs, name="load-jobs", daemon=True).start()

    note = DeskNote(pid=os.getpid(), url=_local_url(url), key=desk.key)
    with closing(listener):
        async with _publish_note(app, note):
            await Server(application(desk, (_bracketed(host),)), desk, announce).serve(
                sockets=[listener]
            )


def _load_jobs() -> None:
    """Load all that the jobs' steps are made of, by drawing their graphs."""
    versions()
    for job in offered():
        job.draw()


async def _check_tokens(app: App, open_here: bool, on_loopback: bool) -> None:
    if not open_here and not any(t.revoked_at is None for t in await app.access.tokens()):
        code = "error.needs_token_here" if on_loopback else "error.needs_token_beyond"
        raise InputError(code, hint="hint.make_token")


async def _listen(host: str, port: int) -> socket.socket:
    try:
        addresses = await asyncio.get_running_loop().getaddrinfo(
            host, port, type=socket.SOCK_STREAM
        )
    except OSError as error:
        raise InputError("error.no_host_address", host=host, hint="hint.localhost") from error
    family, kind, proto, _, address = addresses[0]
    listener = socket.socket(family, kind, proto)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        # Inherited by connections: a follower whose machine is gone is dropped soon.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _GONE)
    try:
        listener.bind(address)
        listener.listen()  # without it, two can be bound to one port
    except OSError as error:
        listener.close()
        raise InputError(
            "error.port_taken", host=host, port=port, why=os_reason(error), hint="hint.other_port"
        ) from error
    listener.setblocking(False)
    return listener


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _local_url(url: str) -> str:
    """Return the address by which this machine reaches a desk that listens on all addresses."""
    return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


@asynccontextmanager
async def _publish_note(app: App, note: DeskNote) -> AsyncGenerator[None]:
    """Keep the file that leads commands here; of several desks, the one that executes owns it."""
    path = app.settings.data_home() / NOTE
    existing = read_note(path)
    if existing is None or not process_start(existing.pid):
        _write_note(path, note)
    keeping = asyncio.create_task(_renew_note(app, path, note))
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        with suppress(OSError):
            if read_note(path) == note:
                path.unlink()


async def _renew_note(app: App, path: Path, note: DeskNote) -> None:
    engine = app.engine
    while not engine.shared:  # a shared engine hands nothing over
        await asyncio.sleep(_LOOK)
        with suppress(OSError):  # commands can also go through the database
            if not engine.handed_over() and read_note(path) != note:
                _write_note(path, note)


def _write_note(path: Path, note: DeskNote) -> None:
    temporary = path.with_name(f".{path.name}.{note.pid}")
    temporary.unlink(missing_ok=True)
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(note.model_dump_json())
    temporary.replace(path)
