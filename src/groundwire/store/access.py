"""Tokens and browser sessions; what comes in is hashed before it is compared."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select, update

from groundwire.errors import StoreError
from groundwire.model.access import Session, Token
from groundwire.model.call import MICRO
from groundwire.store.database import Database
from groundwire.store.payload import from_us, from_us_or_none, to_us
from groundwire.store.schema_access import sessions, tokens
from groundwire.store.statement import Connection, Row, Statement

_USED_EVERY = 60_000_000  # microseconds; when a token was last used is not written at each request

_INSERT = Statement(insert(tokens))
_LIST = Statement(select(tokens).order_by(tokens.c.created_at, tokens.c.id))
_BY_HASH = Statement(
    select(tokens).where(tokens.c.sha256 == bindparam("hash"), tokens.c.revoked_at.is_(None))
)
_BY_ID = Statement(select(tokens).where(tokens.c.id == bindparam("token_id")))
_BY_NAME = Statement(select(tokens).where(tokens.c.name == bindparam("by_name")))
_USED = Statement(
    update(tokens).where(tokens.c.id == bindparam("token_id")).values(used_at=bindparam("at"))
)
_REVOKE = Statement(
    update(tokens)
    .where(tokens.c.id == bindparam("token_id"), tokens.c.revoked_at.is_(None))
    .values(revoked_at=bindparam("at"))
)
_OPEN = Statement(insert(sessions))
_SESSION = Statement(
    select(sessions).where(
        sessions.c.sha256 == bindparam("hash"), sessions.c.expires_at > bindparam("at")
    )
)
_CLOSE = Statement(delete(sessions).where(sessions.c.sha256 == bindparam("hash")))
_CLOSE_OF = Statement(delete(sessions).where(sessions.c.token_id == bindparam("of_token")))
_EXPIRE = Statement(delete(sessions).where(sessions.c.expires_at <= bindparam("at")))


class AccessTable:
    """Implements `ports.Access`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, token: Token, sha256: str) -> None:
        values = {
            **token.model_dump(exclude={"day_usd"}),
            "sha256": sha256,
            "day_micro": None if token.day_usd is None else round(token.day_usd * MICRO),
            "created_at": to_us(token.created_at),
            "used_at": None,
            "revoked_at": None,
        }
        await self._database.write(lambda c: c.change(_INSERT, values))

    async def tokens(self) -> Sequence[Token]:
        return await self._database.read(lambda c: [_token(row) for row in c.all(_LIST, {})])

    async def token(self, token_id: str) -> Token | None:
        row = await self._database.read(lambda c: c.one(_BY_ID, {"token_id": token_id}))
        return None if row is None else _token(row)

    async def named(self, name: str) -> Token | None:
        row = await self._database.read(lambda c: c.one(_BY_NAME, {"by_name": name}))
        return None if row is None else _token(row)

    async def holder(self, sha256: str, at: datetime) -> Token | None:
        row = await self._database.read(lambda c: c.one(_BY_HASH, {"hash": sha256}))
        if row is None:
            return None
        token = _token(row)
        if token.used_at is None or to_us(at) - to_us(token.used_at) > _USED_EVERY:
            values = {"token_id": token.id, "at": to_us(at)}
            with suppress(StoreError):  # who may read may do so on a full disk, too
                await self._database.write(lambda c: c.change(_USED, values))
        return token

    async def revoke(self, token_id: str, at: datetime) -> bool:
        values = {"token_id": token_id, "at": to_us(at)}

        def work(connection: Connection) -> bool:
            connection.change(_CLOSE_OF, {"of_token": token_id})
            return connection.change(_REVOKE, values) == 1

        return await self._database.write(work)

    async def open(self, session: Session, sha256: str) -> None:
        values = {
            "sha256": sha256,
            "token_id": session.token_id,
            "created_at": to_us(session.created_at),
            "expires_at": to_us(session.expires_at),
        }

        def work(connection: Connection) -> None:
            connection.change(_EXPIRE, {"at": to_us(session.created_at)})
            connection.change(_OPEN, values)

        await self._database.write(work)

    async def session(self, sha256: str, at: datetime) -> Session | None:
        values = {"hash": sha256, "at": to_us(at)}
        row = await self._database.read(lambda c: c.one(_SESSION, values))
        if row is None:
            return None
        _, token_id, created, expires = row
        return Session(token_id=token_id, created_at=from_us(created), expires_at=from_us(expires))

    async def close(self, sha256: str) -> None:
        await self._database.write(lambda c: c.change(_CLOSE, {"hash": sha256}))


def _token(row: Row) -> Token:
    token_id, name, _, scope, per_minute, day, created, used, revoked, by = row
    return Token(
        id=token_id,
        name=name,
        scope=scope,
        per_minute=per_minute,
        day_usd=None if day is None else day / MICRO,
        created_at=from_us(created),
        created_by=by,
        used_at=from_us_or_none(used),
        revoked_at=from_us_or_none(revoked),
    )
