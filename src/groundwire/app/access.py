"""Who may use the desk: tokens, browser sessions, the owner of a run."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Sequence
from datetime import timedelta

from groundwire import plugins
from groundwire.app.part import AppPart
from groundwire.errors import Conflict, InputError, NotFoundHere
from groundwire.model.access import LOCAL, SCOPES, Caller, Scope, Session, Token
from groundwire.model.base import Value

PREFIX = "gw_"
_NAME = re.compile(r"[\w.@-]{1,64}")
_MOST_USD = 1e9
_LONGEST = 200  # characters of a presented secret


class NewToken(Value):
    """A token and its secret, which is shown this once."""

    secret: str
    token: Token


class Access(AppPart):
    """Tokens and browser sessions."""

    async def create(
        self,
        name: str,
        *,
        scope: str = "run",
        per_minute: int | None = None,
        day_usd: float | None = None,
        by: str = "local",
    ) -> NewToken:
        """Create a token; names are used once, so that a list of runs can be read."""
        if not _NAME.fullmatch(name):
            raise InputError("error.token_name")
        if per_minute is not None and per_minute < 1:
            raise InputError("error.token_pace")
        if day_usd is not None and not 0 <= day_usd <= _MOST_USD:
            raise InputError("error.token_spends")
        granted = scope_of(scope)
        if await self._app.store.access.named(name) is not None:
            raise Conflict("error.token_exists", name=name, hint="hint.tokens")
        secret = PREFIX + secrets.token_urlsafe(32)
        token = Token(
            id=f"tk_{secrets.token_hex(8)}",
            name=name,
            scope=granted,
            per_minute=per_minute,
            day_usd=day_usd,
            created_at=self._app.clock(),
            created_by=by,
        )
        await self._app.store.access.add(token, digest(secret))
        return NewToken(secret=secret, token=token)

    async def revoke(self, name: str) -> Token:
        """Invalidate a token and the sessions that it opened."""
        access = self._app.store.access
        token = await access.named(name) or await access.token(name)
        if token is None:
            raise NotFoundHere("error.no_token", name=name, hint="hint.tokens")
        await access.revoke(token.id, self._app.clock())
        return await access.token(token.id) or token

    async def holder(self, secret: str) -> Caller | None:
        """Return who presents this secret; None: nobody known."""
        if not secret.startswith(PREFIX) or len(secret) > _LONGEST:
            return None
        token = await self._app.store.access.holder(digest(secret), self._app.clock())
        return None if token is None else caller(token)

    async def open_session(self, token_id: str | None) -> str:
        """Open a browser session; return the value of its cookie."""
        cookie = secrets.token_urlsafe(32)
        now = self._app.clock()
        until = now + timedelta(days=self._app.settings.desk.session_days)
        session = Session(token_id=token_id, created_at=now, expires_at=until)
        await self._app.store.access.open(session, digest(cookie))
        return cookie

    async def visitor(self, cookie: str) -> Caller | None:
        """Return whose browser this is; a session ends with its token."""
        if not cookie or len(cookie) > _LONGEST:
            return None
        session = await self._app.store.access.session(digest(cookie), self._app.clock())
        if session is None:
            return None
        if session.token_id is None:
            return LOCAL
        token = await self._app.store.access.token(session.token_id)
        return None if token is None or token.revoked_at is not None else caller(token)

    async def close_session(self, cookie: str) -> None:
        await self._app.store.access.close(digest(cookie))

    async def tokens(self) -> Sequence[Token]:
        """List all tokens, oldest first, revoked ones included, without their secrets."""
        return await self._app.store.access.tokens()


def csrf_of(cookie: str) -> str:
    """Return what a page of this session must send back with each change; it needs the cookie."""
    return hashlib.sha256(f"csrf {cookie}".encode()).hexdigest()


def caller(token: Token) -> Caller:
    return Caller(**token.model_dump(include=set(Caller.model_fields)))


def digest(secret: str) -> str:
    """Hash a secret: those are long and random, so one plain hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def scope_of(name: str) -> Scope:
    """Look up the scope of this name."""
    for scope in SCOPES:
        if scope == name:
            return scope
    raise plugins.unknown("noun.scope", name, SCOPES)
