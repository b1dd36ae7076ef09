"""MCP over streamable HTTP, at `/mcp` of the desk; access is checked as for REST."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from groundwire.doors.api.door import Desk, admit
from groundwire.doors.mcp.visit import House
from groundwire.errors import Forbidden, StoreAway

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

PATH = "/mcp"
_MOST_BYTES = 1_000_000  # of a request; nothing is uploaded here
_MOST_SESSIONS = 1_000
# Seconds for calls under way when the desk stops; with other requests' within its deadline. A desk
# that has just started is busy loading jobs, so not less.
_GRACE = 5.0
_IDLE = 30 * 60  # seconds after which an unused session ends


def route(desk: Desk) -> Route:
    """Return the route of the MCP door, which closes with the desk."""
    door = McpDoor(desk)
    desk.closing.append(door.close)
    return Route(PATH, door, include_in_schema=False)


class McpDoor:
    """Admits each request by itself: a session is no pass.

    The guard has checked host, origin of changes and size before.
    """

    def __init__(self, desk: Desk) -> None:
        self._house = House(desk.app)
        self._lock = asyncio.Lock()
        self._open = asyncio.Event()
        self._all_answered = asyncio.Event()
        self._calls = 0
        self._sessions: StreamableHTTPSessionManager | None = None
        self._session_task: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        _check_origin(request)
        who = await admit(request, "read")  # some calls need more
        request.state.caller = who
        sessions = await self._manager()
        from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
        from mcp.server.auth.provider import AccessToken

        # A session exists only for the caller who opened it.
        scope["user"] = AuthenticatedUser(AccessToken(token="", client_id=who.id, scopes=[]))
        # Only a POST is waited for; other streams end with their sessions.
        self._calls += request.method == "POST"
        try:
            await sessions.handle_request(scope, receive, send)
        finally:
            self._calls -= request.method == "POST"
            if not self._calls:
                self._all_answered.set()

    async def close(self) -> None:
        """Close with the desk, after calls under way are answered."""
        self._house.stop()
        if self._calls:
            self._all_answered.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._all_answered.wait(), _GRACE)
        if self._session_task is not None:
            self._session_task.cancel()
            await asyncio.gather(self._session_task, return_exceptions=True)

    async def _manager(self) -> StreamableHTTPSessionManager:
        if self._house.stopping.is_set():
            raise StoreAway("error.desk_stopping")
        async with self._lock:
            if self._sessions is None:
                self._sessions = await self._build_manager()
                self._session_task = asyncio.create_task(self._run_sessions(self._sessions))
                await self._open.wait()
            return self._sessions

    async def _build_manager(self) -> StreamableHTTPSessionManager:
        """Load the server on the first request, in a thread: it takes most of a second."""
        await asyncio.to_thread(import_module, "groundwire.doors.mcp.server")
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
        from sse_starlette.sse import AppStatus

        from groundwire.doors.mcp.server import build

        # By default it cuts streams off at the first signal, before a call is answered; ours end with
        # their sessions.
        AppStatus.disable_automatic_graceful_drain()
        return StreamableHTTPSessionManager(
            build(self._house),
            max_request_body_size=_MOST_BYTES,
            max_sessions=_MOST_SESSIONS,
            session_idle_timeout=_IDLE,
        )

    async def _run_sessions(self, sessions: StreamableHTTPSessionManager) -> None:
        """Run the sessions in one task, whoever opens them."""
        async with sessions.run():
            self._open.set()
            await asyncio.Event().wait()


def _check_origin(request: Request) -> None:
    """Refuse other sites: streams open with GET, which the guard lets pass."""
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc.lower() != request.headers["host"].lower():
        raise Forbidden("error.other_site")
