"""Run any set of stubs in one process, one port each, under one log and one fault schedule.

`python -m lab.stubs.serve OPTIONS`, where the options are JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from datetime import UTC, datetime
from threading import Thread
from typing import cast

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from lab.stubs.articles import load
from lab.stubs.finder import Finder
from lab.stubs.harness import App, Desk, Stub
from lab.stubs.launch import StubOptions
from lab.stubs.markets import HOSTS, Exchange
from lab.stubs.models import MODELS
from lab.stubs.vendors import ENGINES
from lab.stubs.web import Corpus, Web

KNOWN = frozenset(("web", *MODELS, *ENGINES, *HOSTS))


def _listen(host: str, port: int) -> socket.socket:
    # Without an explicit protocol asyncio leaves Nagle's algorithm on: 40 ms a reply.
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind((host, port))
    sock.listen(4096)
    return sock


def _bind(options: StubOptions) -> dict[str, list[socket.socket]]:
    """Bind one port for each stub; the web also on further loopback addresses if asked."""
    bound: dict[str, list[socket.socket]] = {}
    for name in options.stubs:
        if name not in KNOWN:
            raise ValueError(f"there is no stub {name}; known: {', '.join(sorted(KNOWN))}")
        first = _listen("127.0.0.1", 0)
        bound[name] = [first]
        if name == "web":
            more = range(2, max(options.spread, 1) + 1)
            bound[name].extend(_listen(f"127.0.0.{n}", port_of(first)) for n in more)
    return bound


def port_of(sock: socket.socket) -> int:
    return cast("tuple[str, int]", sock.getsockname())[1]


def _origin(sock: socket.socket) -> str:
    host, port = cast("tuple[str, int]", sock.getsockname())
    return f"http://{host}:{port}"


def assemble(options: StubOptions, bound: dict[str, list[socket.socket]]) -> ASGIApp:
    """Build the stubs that were asked for; without a web, engines give public addresses."""
    desk = Desk()
    reader = options.reader.open() if options.reader else None
    stubs: list[Stub] = [stub(reader) for name, stub in MODELS.items() if name in bound]

    def now() -> datetime:
        return options.now or datetime.now(UTC)

    stubs.extend(Exchange(name, now) for name in HOSTS if name in bound)
    if bound.keys() - MODELS.keys() - HOSTS.keys():
        corpus = Corpus(load(options.articles), options.pages)
        origins = tuple(_origin(sock) for sock in bound.get("web", []))
        web = Web(corpus, origins, options.public_urls or not origins)
        finder = Finder(web, now)
        web_stubs: list[Stub] = [web, *(engine(finder) for engine in ENGINES.values())]
        stubs.extend(stub for stub in web_stubs if stub.name in bound)
    apps = {port_of(bound[stub.name][0]): App(stub, desk) for stub in stubs}

    async def switch(scope: Scope, receive: Receive, send: Send) -> None:
        """Send each connection to the stub that owns its port."""
        if scope["type"] == "http":
            await apps[cast("tuple[str, int]", scope["server"])[1]](scope, receive, send)

    return switch


def _end_with_parent() -> None:
    """Exit when the parent process is gone and its end of the pipe is closed."""
    sys.stdin.read()
    os._exit(0)


async def serve(options: StubOptions) -> None:
    """Print where the stubs are, and serve until a signal comes or the parent is gone."""
    bound = _bind(options)
    config = uvicorn.Config(
        assemble(options, bound),
        http="h11",
        ws="none",
        lifespan="off",
        log_level=60,
        access_log=False,
        server_header=False,
        timeout_keep_alive=120,
        timeout_graceful_shutdown=1,
        backlog=4096,
    )
    # The sockets listen already: a call that comes before the server runs only waits a moment.
    addresses = {name: _origin(socks[0]) for name, socks in bound.items()}
    if "model" in addresses:
        addresses["model"] += "/v1"
    sys.stdout.write(json.dumps(addresses) + "\n")
    sys.stdout.flush()
    Thread(target=_end_with_parent, daemon=True).start()
    await uvicorn.Server(config).serve(sockets=[sock for socks in bound.values() for sock in socks])


if __name__ == "__main__":
    asyncio.run(serve(StubOptions.model_validate_json(sys.argv[1])))
