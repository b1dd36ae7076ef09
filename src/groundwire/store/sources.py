"""What analysts say of sources: only ever added, so that who said what when can be read back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pydantic import ValidationError
from sqlalchemy import bindparam, insert, select, update

from groundwire.errors import CorruptStore
from groundwire.model.phrase import phrase
from groundwire.model.source import Override
from groundwire.store.database import Database
from groundwire.store.payload import from_us, from_us_or_none, to_us
from groundwire.store.schema import overrides
from groundwire.store.statement import Connection, Row, Statement

_COLUMNS = (
    overrides.c.domain,
    overrides.c.tier,
    overrides.c.owner,
    overrides.c.why,
    overrides.c.who,
    overrides.c.at,
    overrides.c.withdrawn_at,
    overrides.c.withdrawn_by,
    overrides.c.withdrawn_why,
)
_HOLDS = overrides.c.withdrawn_at.is_(None)
_HOLDING = Statement(select(*_COLUMNS).where(_HOLDS).order_by(overrides.c.domain))
_ALL = Statement(select(*_COLUMNS).order_by(overrides.c.num.desc()))
_OF = Statement(
    select(*_COLUMNS)
    .where(overrides.c.domain == bindparam("domain"))
    .order_by(overrides.c.num.desc())
)
_ADD = Statement(
    insert(overrides).values(
        {name: bindparam(name) for name in ("domain", "tier", "owner", "why", "who", "at")}
    )
)
_WITHDRAW = Statement(
    update(overrides)
    .where(overrides.c.domain == bindparam("of_domain"), _HOLDS)
    .values(
        withdrawn_at=bindparam("on"),
        withdrawn_by=bindparam("person"),
        withdrawn_why=bindparam("reason"),
    )
)


class SourceTable:
    """`ports.Sources` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def overrides(self) -> Sequence[Override]:
        rows = await self._database.read(lambda connection: connection.all(_HOLDING, {}))
        return [_override(row) for row in rows]

    async def history(self, domain: str | None = None) -> Sequence[Override]:
        rows = await self._database.read(
            lambda connection: (
                connection.all(_ALL, {})
                if domain is None
                else connection.all(_OF, {"domain": domain})
            )
        )
        return [_override(row) for row in rows]

    async def override(self, override: Override) -> None:
        """One transaction: the earlier one is taken back, and says by what."""

        def write(connection: Connection) -> None:
            _withdraw(connection, override.domain, override.at, override.by, "replaced")
            connection.change(
                _ADD,
                {
                    "domain": override.domain,
                    "tier": override.tier,
                    "owner": override.owner,
                    "why": override.why,
                    "who": override.by,
                    "at": to_us(override.at),
                },
            )

        await self._database.write(write)

    async def withdraw(self, domain: str, at: datetime, by: str, why: str) -> bool:
        return await self._database.write(
            lambda connection: _withdraw(connection, domain, at, by, why)
        )


def _withdraw(connection: Connection, domain: str, at: datetime, by: str, why: str) -> bool:
    given = {"of_domain": domain, "on": to_us(at), "person": by, "reason": why}
    return connection.change(_WITHDRAW, given) > 0


def _override(row: Row) -> Override:
    domain, tier, owner, why, who, at, off, off_by, off_why = row
    try:
        return Override(
            domain=domain,
            tier=tier,
            owner=owner,
            why=why,
            by=who,
            at=from_us(at),
            withdrawn_at=from_us_or_none(off),
            withdrawn_by=off_by,
            withdrawn_why=off_why,
        )
    except ValidationError as error:
        raise CorruptStore(
            "error.stored_unreadable", what=phrase("stored.source", id=domain)
        ) from error
