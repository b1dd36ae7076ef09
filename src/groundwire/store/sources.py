"""What analysts say of sources: append-only, so that who said what when can be read back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, insert, select, update

from groundwire.model.source import Override
from groundwire.store.payload import to_us
from groundwire.store.schema import overrides
from groundwire.store.statement import Connection, Statement
from groundwire.store.table import DatabaseTable, Rows, columns_of, reads, writes

_ROWS = Rows(
    Override, [*columns_of(overrides, "who"), overrides.c.who.label("by")], "stored.source"
)
_HOLDS = overrides.c.withdrawn_at.is_(None)
_HOLDING = Statement(select(*_ROWS.columns).where(_HOLDS).order_by(overrides.c.domain))
_ALL = Statement(select(*_ROWS.columns).order_by(overrides.c.num.desc()))
_OF = Statement(
    select(*_ROWS.columns)
    .where(overrides.c.domain == bindparam("domain"))
    .order_by(overrides.c.num.desc())
)
_ADD = Statement(
    insert(overrides).values({each.name: bindparam(each.name) for each in columns_of(overrides)})
)
_WITHDRAW = Statement(
    update(overrides)
    .where(overrides.c.domain == bindparam("of_domain"), _HOLDS)
    .values({f"withdrawn_{each}": bindparam(f"to_{each}") for each in ("at", "by", "why")})
)


class SourceTable(DatabaseTable):
    """`ports.Sources` on a database."""

    @reads
    def overrides(self, connection: Connection) -> Sequence[Override]:
        return [_ROWS.value(row) for row in connection.all(_HOLDING, {})]

    @reads
    def history(self, connection: Connection, domain: str | None = None) -> Sequence[Override]:
        """Return all overrides ever made, newest first."""
        which = _ALL if domain is None else _OF
        return [_ROWS.value(row) for row in connection.all(which, {"domain": domain})]

    @writes
    def override(self, connection: Connection, override: Override) -> None:
        """Let an override hold for its domain; the earlier one is marked as replaced."""
        _withdraw(connection, override.domain, override.at, override.by, "replaced")
        connection.change(_ADD, _ROWS.cells(override, who=override.by))

    @writes
    def withdraw(
        self, connection: Connection, domain: str, at: datetime, by: str, why: str
    ) -> bool:
        """Withdraw what holds for a domain; False: nothing does."""
        return _withdraw(connection, domain, at, by, why)


def _withdraw(connection: Connection, domain: str, at: datetime, by: str, why: str) -> bool:
    values = {"of_domain": domain, "to_at": to_us(at), "to_by": by, "to_why": why}
    return connection.change(_WITHDRAW, values) > 0
