"""The caller behind a request: a token's holder, a browser's session, or somebody at the machine."""

from __future__ import annotations

from typing import Literal

from groundwire.model.base import Instant, Value

Scope = Literal["read", "run", "admin"]
# Each includes those before it.
SCOPES: tuple[Scope, ...] = ("read", "run", "admin")
LOCAL_OWNER = "local"


class Caller(Value):
    """On whose behalf something is done; ownership of runs goes by `id`."""

    id: str
    name: str
    scope: Scope
    per_minute: int | None = None  # requests
    day_usd: float | None = None

    def may(self, scope: Scope) -> bool:
        return SCOPES.index(self.scope) >= SCOPES.index(scope)

    def owns(self, owner: str) -> bool:
        """Tell whether it may see and change what belongs to this owner."""
        return self.scope == "admin" or self.id == owner

    @property
    def sees(self) -> str | None:
        """Whose runs it can list; None: everybody's."""
        return None if self.scope == "admin" else self.id


LOCAL = Caller(id=LOCAL_OWNER, name=LOCAL_OWNER, scope="admin")


class Token(Caller):
    """A token without its secret, which is kept nowhere."""

    created_at: Instant
    created_by: str
    used_at: Instant | None = None
    revoked_at: Instant | None = None


class Session(Value):
    """A browser that has been let in."""

    token_id: str | None  # None: on the machine itself, where no token is asked for
    created_at: Instant
    expires_at: Instant
