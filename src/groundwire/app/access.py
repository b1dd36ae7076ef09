"""Who may come in, and what is theirs: tokens, browser sessions, the owner of a run."""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import datetime, timedelta

from groundwire import plugins
from groundwire.app import App
from groundwire.errors import Conflict, InputError, NotFoundHere
from groundwire.model.access import LOCAL, SCOPES, Caller, Scope, Session, Token
from groundwire.model.base import Value
from groundwire.model.call import MICRO
from groundwire.model.run import Run, RunHead

PREFIX = "gw_"
_NAME = re.compile(r"[\w.@-]{1,64}")
_MOST_USD = 1e9
_LONGEST = 200  # of what somebody shows as a secret


class Spent(Value):
    """What a token's holder, or whoever sits at the machine, has spent in a time."""

    id: str
    name: str  # "": a token that is not known any more
    runs: int = 0
    calls: int = 0  # sent
    usd: float = 0.0
    day_usd: float | None = None  # what it may spend in a day
    revoked: bool = False


class NewToken(Value):
    """A token and its secret, which is shown this once."""

    secret: str
    token: Token


async def create_token(
    app: App,
    name: str,
    *,
    scope: str = "run",
    per_minute: int | None = None,
    day_usd: float | None = None,
    by: str = "local",
) -> NewToken:
    """A new token; names are used once, so that a list of runs can be read."""
    if not _NAME.fullmatch(name):
        raise InputError("a token's name has 1 to 64 letters, digits or . _ - @")
    if per_minute is not None and per_minute < 1:
        raise InputError("a token may ask at least once a minute")
    if day_usd is not None and not 0 <= day_usd <= _MOST_USD:
        raise InputError("what a token may spend in a day is a sum of dollars")
    wanted = scope_of(scope)
    if await app.store.access.named(name) is not None:
        raise Conflict(f"there is a token {name!r} already", hint="gw token list")
    secret = PREFIX + secrets.token_urlsafe(32)
    token = Token(
        id=f"tk_{secrets.token_hex(8)}",
        name=name,
        scope=wanted,
        per_minute=per_minute,
        day_usd=day_usd,
        created_at=app.clock(),
        created_by=by,
    )
    await app.store.access.add(token, digest(secret))
    return NewToken(secret=secret, token=token)


async def revoke_token(app: App, name: str) -> Token:
    """From now on nobody comes in with it; sessions that it opened are over."""
    access = app.store.access
    token = await access.named(name) or await access.token(name)
    if token is None:
        raise NotFoundHere(f"there is no token {name!r}", hint="gw token list")
    await access.revoke(token.id, app.clock())
    return await access.token(token.id) or token


async def holder_of(app: App, secret: str) -> Caller | None:
    """Who shows this secret; None: nobody that is known."""
    if not secret.startswith(PREFIX) or len(secret) > _LONGEST:
        return None
    token = await app.store.access.holder(digest(secret), app.clock())
    return None if token is None else caller(token)


async def open_session(app: App, token_id: str | None) -> str:
    """Let a browser in: the value of its cookie."""
    cookie = secrets.token_urlsafe(32)
    now = app.clock()
    until = now + timedelta(days=app.settings.desk.session_days)
    session = Session(token_id=token_id, created_at=now, expires_at=until)
    await app.store.access.open(session, digest(cookie))
    return cookie


async def visitor_of(app: App, cookie: str) -> Caller | None:
    """Whose browser this is; a session ends with its token."""
    if not cookie or len(cookie) > _LONGEST:
        return None
    session = await app.store.access.session(digest(cookie), app.clock())
    if session is None:
        return None
    if session.token_id is None:
        return LOCAL
    token = await app.store.access.token(session.token_id)
    return None if token is None or token.revoked_at is not None else caller(token)


async def close_session(app: App, cookie: str) -> None:
    await app.store.access.close(digest(cookie))


def csrf_of(cookie: str) -> str:
    """What a page of this session sends back with each change; who has no cookie cannot know it."""
    return hashlib.sha256(f"csrf {cookie}".encode()).hexdigest()


async def own_run(app: App, who: Caller, run_id: str) -> Run:
    """A run by its id; to others than its owner it is not there."""
    run = await app.store.runs.get(run_id) if "\0" not in run_id else None
    if run is None or not who.owns(run.owner):
        raise _no_run(run_id)
    return run


async def own_head(app: App, who: Caller, run_id: str) -> RunHead:
    """The same without the run's input and result: for who follows it."""
    head = await app.store.runs.head(run_id) if "\0" not in run_id else None
    if head is None or not who.owns(head.owner):
        raise _no_run(run_id)
    return head


def _no_run(run_id: str) -> NotFoundHere:
    return NotFoundHere(f"there is no run {run_id[:80]!r} here", hint="list them: GET /api/runs")


async def spent_by(app: App, who: Caller, since: datetime, until: datetime) -> list[Spent]:
    """Spending by owner, the dearest first: of all for admins, its own for anybody else."""
    lines = await app.store.costs.owners(since, until)
    found = {line.owner: line for line in lines if who.owns(line.owner)}
    tokens = {token.id: token for token in await app.store.access.tokens()}
    spent: list[Spent] = []
    for owner in dict.fromkeys([*found, *((who.id,) if who.scope != "admin" else ())]):
        line, token = found.get(owner), tokens.get(owner)
        spent.append(
            Spent(
                id=owner,
                name=owner if owner == LOCAL.id else token.name if token else "",
                runs=line.runs if line else 0,
                calls=line.calls if line else 0,
                usd=round(line.micro / MICRO, 6) if line else 0.0,
                day_usd=token.day_usd if token else None,
                revoked=token is not None and token.revoked_at is not None,
            )
        )
    return spent


def caller(token: Token) -> Caller:
    return Caller(
        id=token.id,
        name=token.name,
        scope=token.scope,
        per_minute=token.per_minute,
        day_usd=token.day_usd,
    )


def digest(secret: str) -> str:
    """Secrets are long and random: one hash is enough, and is the same in every process."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def scope_of(name: str) -> Scope:
    """The scope of this name."""
    for scope in SCOPES:
        if scope == name:
            return scope
    raise plugins.unknown("scope", name, SCOPES)
