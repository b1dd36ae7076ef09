"""Run any set of stubs in one process, one port each, under one log and one fault schedule."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from typing import Any, cast

import uvicorn

from lab.stubs import engines, exchanges
from lab.stubs.articles import load
from lab.stubs.calllog import CallLog
from lab.stubs.finder import Finder
from lab.stubs.harness import App, Desk, Receive, Scope, Send, Stub
from lab.stubs.model import Model
from lab.stubs.model_anthropic import Anthropic
from lab.stubs.model_gemini import Gemini
from lab.stubs.tavily import Tavily
from lab.stubs.web import Corpus, Web

STUBS = ("model", "tavily", "web")
ENGINES = engines.known()
MODELS: dict[str, type[Model | Gemini | Anthropic]] = {
    each.name: each for each in (Model, Gemini, Anthropic)
}
KNOWN = tuple(dict.fromkeys((*STUBS, *MODELS, *ENGINES, *exchanges.NAMES)))


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says."""

    stubs: tuple[str, ...] = STUBS
    port: int = 0
    ready_file: Path | None = None
    latency_model: float = 0.0
    latency_search: float = 0.0
    latency_page: float = 0.0
    log: Path | None = None
    articles: Path | None = None
    pages: int = 240
    spread: int = 1
    public_urls: bool = False
    now: datetime | None = None
    kill_pid_file: Path | None = None
    kill_at: int = -1
    parent: int = 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="lab.stubs.serve", description=__doc__)
    add = parser.add_argument
    add("--stubs", default=",".join(STUBS), help=f"comma-separated: {', '.join(KNOWN)}")
    add("--port", type=int, default=0, help="first port; 0 takes free ones")
    add("--ready-file", type=Path, help="JSON with pid and addresses, written when serving")
    add("--latency-model", type=float, default=0.0, help="seconds before each model reply")
    add("--latency-search", type=float, default=0.0, help="seconds before each search reply")
    add("--latency-page", type=float, default=0.0, help="seconds before each page")
    add("--log", type=Path, help="JSONL file of all calls")
    add("--articles", type=Path, help="folder of articles instead of the shipped sample")
    add("--pages", type=int, default=240, help="least number of ordinary pages")
    add("--spread", type=int, default=1, help="serve the web on 127.0.0.1 to 127.0.0.N")
    add("--public-urls", action="store_true", help="search results keep the sites' own addresses")
    add("--now", type=datetime.fromisoformat, help="the moment that time_range counts from")
    add("--kill-pid-file", type=Path, help="file with the pid to kill")
    add("--kill-at", type=int, default=-1, help="index of the call at whose receipt to kill it")
    add("--parent", type=int, default=0, help="exit when this process is no longer the parent")
    return parser


def parse(arguments: Sequence[str] | None = None) -> Options:
    """Read the command line."""
    parser = _parser()
    raw = cast("dict[str, object]", vars(parser.parse_args(arguments)))
    names = tuple(name for name in str(raw["stubs"]).split(",") if name)
    if not names or any(name not in KNOWN for name in names):
        parser.error(f"--stubs must name some of {', '.join(KNOWN)}")
    raw["stubs"] = names
    return Options(**raw)  # pyright: ignore[reportArgumentType]


def _listen(host: str, port: int) -> socket.socket:
    # Without an explicit protocol asyncio leaves Nagle's algorithm on: 40 ms a reply.
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind((host, port))
    return sock


def _bind(options: Options) -> dict[str, list[socket.socket]]:
    """One port for each stub; the web has it on several loopback addresses if asked."""
    bound: dict[str, list[socket.socket]] = {}
    for place, name in enumerate(options.stubs):
        first = _listen("127.0.0.1", options.port + place if options.port else 0)
        bound[name] = [first]
        if name == "web":
            port = cast("tuple[str, int]", first.getsockname())[1]
            more = range(2, max(options.spread, 1) + 1)
            bound[name].extend(_listen(f"127.0.0.{n}", port) for n in more)
    return bound


def _origin(sock: socket.socket) -> str:
    host, port = cast("tuple[str, int]", sock.getsockname())
    return f"http://{host}:{port}"


class Switch:
    """Sends each connection to the stub that owns its port."""

    def __init__(self, apps: dict[int, App]) -> None:
        self._apps = apps

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection event."""
        if scope["type"] == "http":
            server = cast("tuple[str, int]", scope["server"])
            await self._apps[server[1]](scope, receive, send)


def assemble(options: Options, bound: dict[str, list[socket.socket]]) -> tuple[Switch, Desk]:
    """Build the stubs that were asked for; an engine without a web gives public addresses."""
    desk = Desk(log=CallLog(options.log))
    desk.latency = {
        **dict.fromkeys(MODELS, options.latency_model),
        "web": options.latency_page,
        **dict.fromkeys(("tavily", *ENGINES, *exchanges.NAMES), options.latency_search),
    }
    if options.kill_pid_file is not None and options.kill_at >= 0:
        desk.killer.arm(options.kill_pid_file, options.kill_at)
    stubs: list[Stub] = []
    stubs.extend(made() for name, made in MODELS.items() if name in bound)
    fixed = options.now
    if fixed is not None and fixed.tzinfo is None:
        fixed = fixed.replace(tzinfo=UTC)

    def now() -> datetime:
        return fixed or datetime.now(UTC)

    stubs.extend(exchanges.Exchange(name, now) for name in exchanges.NAMES if name in bound)
    if bound.keys() - MODELS.keys() - set(exchanges.NAMES):
        corpus = Corpus(load(options.articles), options.pages)
        origins = tuple(_origin(sock) for sock in bound.get("web", []))
        web = Web(corpus, origins, options.public_urls or not origins)
        finder = Finder(web, now)
        made: list[Stub] = [web, Tavily(finder, options.latency_search)]
        made += [engine(finder) for engine in ENGINES.values()]
        stubs.extend(stub for stub in made if stub.name in bound)
    ports = {
        name: cast("tuple[str, int]", socks[0].getsockname())[1] for name, socks in bound.items()
    }
    return Switch({ports[stub.name]: App(stub, desk) for stub in stubs}), desk


def _announce(path: Path, bound: dict[str, list[socket.socket]]) -> None:
    found: dict[str, object] = {"pid": os.getpid()}
    for name, socks in bound.items():
        found[f"{name}_url"] = _origin(socks[0]) + ("/v1" if name == "model" else "")
    draft = path.with_name(path.name + ".part")
    draft.write_text(json.dumps(found), encoding="utf-8")
    draft.replace(path)


class Server(uvicorn.Server):
    """A server that writes the ready file as soon as it accepts connections."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start accepting, then say so."""
        await super().startup(sockets)
        self._announce()


def _end_with(parent: int) -> None:
    """Exit when the parent is gone.

    By polling, not by PR_SET_PDEATHSIG: that one fires when the starting thread ends.
    """
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(0)


async def serve(options: Options) -> None:
    """Serve until a signal comes or the parent is gone."""
    bound = _bind(options)
    switch, desk = assemble(options, bound)
    config = uvicorn.Config(
        cast("Callable[..., Any]", switch),
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
    ready = options.ready_file
    server = Server(config, lambda: _announce(ready, bound) if ready else None)
    if options.parent:
        Thread(target=_end_with, args=(options.parent,), daemon=True).start()
    try:
        await server.serve(sockets=[sock for socks in bound.values() for sock in socks])
    finally:
        desk.log.close()


def main() -> None:
    """Entry of `python -m lab.stubs.serve`."""
    asyncio.run(serve(parse()))


if __name__ == "__main__":
    main()
