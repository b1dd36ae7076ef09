"""What waits in the outbox."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from groundwire.model.outbox import Parcel
from groundwire.store import Store
from groundwire.store.outbox import ROWS
from groundwire.store.schema import outbox
from groundwire.store.statement import Statement

_WAITING = Statement(
    select(*ROWS.columns).where(outbox.c.delivered_at.is_(None)).order_by(outbox.c.num)
)


async def waiting(store: Store) -> Sequence[Parcel]:
    """Return what is not delivered yet, oldest first."""
    rows = await store.database.read(lambda c: c.all(_WAITING, {}))
    return [ROWS.value(row) for row in rows]
