"""MCP over streamable HTTP, at `/mcp` of the desk: through the same door as REST."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from groundwire.doors.api.door import Desk, admitted
from groundwire.doors.mcp.visit import House
from groundwire.errors import Forbidden, StoreAway

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

PATH = "/mcp"
_MOST_BYTES = 1_000_000  # of a request; nothing is uploaded here
_MOST_SESSIONS = 1_000
# Seconds that calls under way have when the desk stops; with those of other requests below its
# deadline. A desk that has just begun is busy loading jobs, so it is not less.
_LAST_WORDS = 5.0
_IDLE = 30 * 60  # seconds after which a session that nobody uses is over


def route(desk: Desk) -> Route:
    """The desk's own; it ends with the desk."""
    door = McpDoor(desk)
    desk.closing.append(door.close)
    return Route(PATH, door, include_in_schema=False)


class McpDoor:
    """Lets requests in one by one: a session is no pass, each request shows who asks.

    Host, origin of changes, size and headers are the guard's, which stands before everything.
    """

    def __init__(self, desk: Desk) -> None:
        self._house = House(desk.app)
        self._lock = asyncio.Lock()
        self._open = asyncio.Event()
        self._answered = asyncio.Event()
        self._questions = 0
        self._sessions: StreamableHTTPSessionManager | None = None
        self._keeper: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        _check_origin(request)
        who = await admitted(request, "read")  # what is called may need more
        request.state.caller = who
        sessions = await self._begun()
        from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
        from mcp.server.auth.provider import AccessToken

        # To others than the one who opened it, a session is not there.
        scope["user"] = AuthenticatedUser(AccessToken(token="", client_id=who.id, scopes=[]))
        # What is posted is answered sooner or later; other streams end with their sessions.
        self._questions += request.method == "POST"
        try:
            await sessions.handle_request(scope, receive, send)
        finally:
            self._questions -= request.method == "POST"
            if not self._questions:
                self._answered.set()

    async def close(self) -> None:
        """With the desk: calls under way are answered first."""
        self._house.stop()
        if self._questions:
            self._answered.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._answered.wait(), _LAST_WORDS)
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)

    async def _begun(self) -> StreamableHTTPSessionManager:
        if self._house.stopping.is_set():
            raise StoreAway("error.desk_stopping")
        async with self._lock:
            if self._sessions is None:
                self._sessions = await self._made()
                self._keeper = asyncio.create_task(self._keep(self._sessions))
                await self._open.wait()
            return self._sessions

    async def _made(self) -> StreamableHTTPSessionManager:
        """The first request loads what this needs: a desk that nobody asks over MCP does not. In a
        thread, because it takes most of a second."""
        await asyncio.to_thread(import_module, "groundwire.doors.mcp.server")
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
        from sse_starlette.sse import AppStatus

        from groundwire.doors.mcp.server import build

        # Left to itself it cuts streams off at the first signal, before a call could be answered;
        # they end with their sessions.
        AppStatus.disable_automatic_graceful_drain()
        return StreamableHTTPSessionManager(
            build(self._house),
            max_request_body_size=_MOST_BYTES,
            max_sessions=_MOST_SESSIONS,
            session_idle_timeout=_IDLE,
        )

    async def _keep(self, sessions: StreamableHTTPSessionManager) -> None:
        """Sessions live in this task, whoever opens them."""
        async with sessions.run():
            self._open.set()
            await asyncio.Event().wait()


def _check_origin(request: Request) -> None:
    """Streams are opened with GET, which the guard lets pass from anywhere."""
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc.lower() != request.headers["host"].lower():
        raise Forbidden("error.other_site")
