"""What every request meets first: the desk, who the caller is, and what they may do."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar, cast

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer

from groundwire.app import App, access
from groundwire.app.reloading import Reloaded, reload
from groundwire.errors import Conflict, Forbidden, SettingsError, SignInNeeded, TooMany
from groundwire.model.access import LOCAL, Caller, Scope
from groundwire.model.base import JsonObject, Value
from groundwire.runs.broadcast import Broadcasts

N = TypeVar("N", bound=Value)
COOKIE = "gw_session"
CSRF_HEADER = "X-CSRF-Token"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_MINUTE = 60.0
_MOST = 10_000  # buckets; beyond it all are forgotten
# Headers of proxies and tunnels: a caller behind one is not at this machine.
_RELAYED = (
    "forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip",
    "cf-connecting-ip", "tailscale-user-login",
)  # fmt: skip
# For the documentation only: `identify` finds the caller.
_BEARER = HTTPBearer(
    auto_error=False,
    scheme_name="token",
    description="`Authorization: Bearer gw_…`, made with `gw token create NAME`. A desk that only "
    "this machine can reach asks for none, unless `desk.require_token` is set.",
)
_SESSION = APIKeyCookie(
    name=COOKIE,
    auto_error=False,
    scheme_name="session",
    description=f"A browser that has signed in. What it changes carries `{CSRF_HEADER}`.",
)


class Pace:
    """The request rate of each caller, in this process: a bucket each, refilled evenly over a minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}  # requests left, and when that was

    def take(self, who: Caller) -> None:
        """Count one request; raise `TooMany` when the minute's are used up."""
        if who.per_minute is None:
            return
        now = self._clock()
        left, at = self._buckets.get(who.id, (float(who.per_minute), now))
        left = min(float(who.per_minute), left + (now - at) * who.per_minute / _MINUTE)
        if left < 1.0:
            wait = (1.0 - left) * _MINUTE / who.per_minute
            self._buckets[who.id] = (left, now)
            raise TooMany("error.pace", n=who.per_minute, retry_after=wait)
        if len(self._buckets) >= _MOST:
            self._buckets.clear()
        self._buckets[who.id] = (left - 1.0, now)


@dataclass
class Desk:
    """The state of a server, one per process; `request.app.state.desk`."""

    app: App
    tails: Broadcasts
    open_here: bool  # no token is needed on this machine's own address
    key: str = ""  # known only to commands on the same data folder
    pace: Pace = field(default_factory=Pace)
    stopping: bool = False  # it answers requests under way, and takes no more
    # Uploads and exports take time and memory: a few at once for all callers together.
    uploading: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))
    exporting: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))

    # Closed when the server stops, after the tails.
    closing: list[Callable[[], Awaitable[None]]] = field(
        default_factory=list[Callable[[], Awaitable[None]]]
    )


def desk_of(request: Request) -> Desk:
    return cast(Desk, request.app.state.desk)


def redacted(app: App, values: Iterable[N]) -> tuple[N, ...]:
    """Return values without secrets: a vendor's error may repeat what was sent."""
    return tuple(
        type(each).model_validate(app.redactor.value(each.model_dump(mode="json")))
        for each in values
    )


async def reload_settings(desk: Desk) -> Reloaded:
    """Reload the settings; bad ones are refused without their secrets, and the old ones stay."""
    try:
        return await reload(desk.app)
    except SettingsError as error:
        params = cast("JsonObject", desk.app.redactor.value(cast("JsonObject", error.params)))
        raise Conflict(error.says, hint=error.hints, **params) from error


async def identify(request: Request) -> Caller | None:
    """Identify the caller by token, by session, or as somebody at this machine; None: unknown."""
    desk = desk_of(request)
    header = request.headers.get("authorization")
    if header is not None:
        kind, _, secret = header.partition(" ")
        if kind.lower() != "bearer":
            return None
        if desk.key and hmac.compare_digest(secret.strip().encode(), desk.key.encode()):
            return LOCAL
        return await desk.app.access.holder(secret.strip())
    if cookie := request.cookies.get(COOKIE):
        who = await desk.app.access.visitor(cookie)
        if who is not None and (who.id != LOCAL.id or is_local(request)):
            _check_csrf(request, cookie)
            return who
    return LOCAL if is_local(request) else None


def is_local(request: Request) -> bool:
    """Tell whether the caller needs no token; a proxy makes all the world look local."""
    return desk_of(request).open_here and not any(name in request.headers for name in _RELAYED)


def _check_csrf(request: Request, cookie: str) -> None:
    """Check that a change by a browser's session carries what only our pages know."""
    if request.method in SAFE:
        return
    given = request.headers.get(CSRF_HEADER, "")
    if not hmac.compare_digest(given.encode("utf-8", "replace"), access.csrf_of(cookie).encode()):
        raise Forbidden("error.other_session", hint="hint.load_again")


def _require(scope: Scope) -> Any:
    """Return a dependency: the caller has this scope."""

    async def check(
        request: Request,
        _token: Annotated[HTTPAuthorizationCredentials | None, Security(_BEARER)],
        _cookie: Annotated[str | None, Security(_SESSION)],
    ) -> Caller:
        return await admit(request, scope)

    return Security(check, scopes=[scope])


async def admit(request: Request, scope: Scope) -> Caller:
    """Return the caller, who must have this scope and not ask too often."""
    who = await identify(request)
    if who is None:
        raise SignInNeeded(hint="hint.bearer")
    desk_of(request).pace.take(who)
    if not who.may(scope):
        raise Forbidden("error.needs_scope", scope=scope, has=who.scope)
    return who


DeskHere = Annotated[Desk, Depends(desk_of)]
Reader = Annotated[Caller, _require("read")]
Runner = Annotated[Caller, _require("run")]
Admin = Annotated[Caller, _require("admin")]
