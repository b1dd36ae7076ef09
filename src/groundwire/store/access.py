"""Tokens and browser sessions; what comes in is hashed before it is compared."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select, update

from groundwire.errors import StoreError
from groundwire.model.access import Session, Token
from groundwire.model.call import MICRO
from groundwire.store.payload import to_us
from groundwire.store.schema_access import sessions, tokens
from groundwire.store.statement import Connection, Row, Statement
from groundwire.store.table import DatabaseTable, Rows, columns_of, reads, writes

_USED_EVERY = 60.0  # seconds: the last use of a token is not written at each request

_TOKENS = Rows(Token, columns_of(tokens, "sha256", "day_micro"))
_SESSIONS = Rows(Session, columns_of(sessions, "sha256"))
_select_token = select(*_TOKENS.columns, tokens.c.day_micro)
_with_id = tokens.c.id == bindparam("token_id")
_not_revoked = tokens.c.revoked_at.is_(None)
_INSERT = Statement(insert(tokens))
_LIST = Statement(_select_token.order_by(tokens.c.created_at, tokens.c.id))
_BY_HASH = Statement(_select_token.where(tokens.c.sha256 == bindparam("hash"), _not_revoked))
_BY_ID = Statement(_select_token.where(_with_id))
_BY_NAME = Statement(_select_token.where(tokens.c.name == bindparam("by_name")))
_USED = Statement(update(tokens).where(_with_id).values(used_at=bindparam("at")))
_REVOKE = Statement(update(tokens).where(_with_id, _not_revoked).values(revoked_at=bindparam("at")))
_OPEN = Statement(insert(sessions))
_SESSION = Statement(
    select(*_SESSIONS.columns).where(
        sessions.c.sha256 == bindparam("hash"), sessions.c.expires_at > bindparam("at")
    )
)
_CLOSE = Statement(delete(sessions).where(sessions.c.sha256 == bindparam("hash")))
_CLOSE_OF = Statement(delete(sessions).where(sessions.c.token_id == bindparam("of_token")))
_EXPIRE = Statement(delete(sessions).where(sessions.c.expires_at <= bindparam("at")))


class AccessTable(DatabaseTable):
    """Tokens and browser sessions, known by the SHA-256 of their secret."""

    @writes
    def add(self, connection: Connection, token: Token, sha256: str) -> None:
        micro = None if token.day_usd is None else round(token.day_usd * MICRO)
        connection.change(_INSERT, _TOKENS.cells(token, sha256=sha256, day_micro=micro))

    @reads
    def tokens(self, connection: Connection) -> Sequence[Token]:
        """Return all tokens, oldest first, revoked ones included."""
        return [_token_of(row) for row in connection.all(_LIST, {})]

    @reads
    def token(self, connection: Connection, token_id: str) -> Token | None:
        return connection.first(_BY_ID, {"token_id": token_id}, _token_of)

    @reads
    def named(self, connection: Connection, name: str) -> Token | None:
        return connection.first(_BY_NAME, {"by_name": name}, _token_of)

    async def holder(self, sha256: str, at: datetime) -> Token | None:
        """Return the token with this secret, unless it was revoked; note that it was used."""
        values = {"hash": sha256}
        token = await self.database.read(lambda c: c.first(_BY_HASH, values, _token_of))
        if token and (not token.used_at or (at - token.used_at).total_seconds() > _USED_EVERY):
            used = {"token_id": token.id, "at": to_us(at)}
            with suppress(StoreError):  # reading must work on a full disk, too
                await self.database.write(lambda c: c.change(_USED, used))
        return token

    @writes
    def revoke(self, connection: Connection, token_id: str, at: datetime) -> bool:
        """Close a token's sessions and revoke it; False: it is unknown or already revoked."""
        connection.change(_CLOSE_OF, {"of_token": token_id})
        return connection.change(_REVOKE, {"token_id": token_id, "at": to_us(at)}) == 1

    @writes
    def open(self, connection: Connection, session: Session, sha256: str) -> None:
        connection.change(_EXPIRE, {"at": to_us(session.created_at)})
        connection.change(_OPEN, _SESSIONS.cells(session, sha256=sha256))

    @reads
    def session(self, connection: Connection, sha256: str, at: datetime) -> Session | None:
        return connection.first(_SESSION, {"hash": sha256, "at": to_us(at)}, _SESSIONS.value)

    @writes
    def close(self, connection: Connection, sha256: str) -> None:
        connection.change(_CLOSE, {"hash": sha256})


def _token_of(row: Row) -> Token:
    *cells, day = row
    return _TOKENS.value(cells, day_usd=None if day is None else day / MICRO)
