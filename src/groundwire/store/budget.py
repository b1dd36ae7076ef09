"""Budgets in micro-dollars by scope, and uses that are limited by the day.

Budgets are moved by single conditional statements; uses are counted before the use, once, for all
processes together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import BigInteger, bindparam, delete, func, insert, literal, select, update

from groundwire.errors import BudgetReached
from groundwire.model.base import JsonObject
from groundwire.model.call import MICRO, Cap
from groundwire.model.tool import Grant
from groundwire.store import schema
from groundwire.store.columns import name_type
from groundwire.store.dialect import Dialect, Insert
from groundwire.store.payload import to_us
from groundwire.store.statement import Connection, Statement
from groundwire.store.table import DatabaseTable, reads, writes

_budgets = schema.budgets
_NO_LIMIT = 2**62
FREE = "free:"  # scopes of vendors' free quotas: micro-dollars that nobody pays

_amount = bindparam("amount", type_=BigInteger())
_limit = bindparam("cap", type_=BigInteger())
_paid = bindparam("paid", type_=BigInteger())
_in_scope = _budgets.c.scope == bindparam("in_scope")


def _reserve(dialect: Dialect) -> Insert:
    # One statement, so that no other writer comes between the check and the change.
    first = select(bindparam("scope", type_=name_type()), literal(0, BigInteger()), _amount).where(
        _amount <= _limit
    )
    taken = _budgets.c.spent + _budgets.c.reserved
    return (
        dialect.insert(_budgets)
        .from_select(["scope", "spent", "reserved"], first)
        .on_conflict_do_update(
            index_elements=["scope"],
            set_={"reserved": _budgets.c.reserved + _amount},
            where=taken + _amount <= _limit,
        )
    )


_RESERVE = Statement(_reserve)
_SETTLE = Statement(
    update(_budgets)
    .where(_in_scope)
    .values(
        reserved=_budgets.c.reserved - bindparam("freed", type_=BigInteger()),
        spent=_budgets.c.spent + _paid,
    )
)
_FIRST = Statement(
    lambda dialect: (
        dialect.insert(_budgets)
        .values(scope=bindparam("scope"), spent=_paid, reserved=0)
        .on_conflict_do_update(index_elements=["scope"], set_={"spent": _budgets.c.spent + _paid})
    )
)
_SPENT = Statement(select(_budgets.c.spent).where(_in_scope))
_RESERVED = Statement(select(_budgets.c.reserved).where(_in_scope))
_DELETE = Statement(delete(_budgets).where(_in_scope))

_quota = schema.quota
_of_scope = _quota.c.scope == bindparam("of_scope")
_TAKEN = Statement(select(_quota.c.day).where(_of_scope, _quota.c.key == bindparam("of_key")))
_USES = Statement(
    select(func.count()).select_from(_quota).where(_of_scope, _quota.c.day == bindparam("of_day"))
)
_TAKE = Statement(insert(_quota))


def reserve(connection: Connection, caps: Sequence[Cap], amount: int) -> BudgetReached | None:
    """Reserve in every scope or in none; return the refusal, if there is one.

    Scopes are taken in order of name, so that two writers never deadlock.
    """
    if amount == 0:
        return None
    reserved: list[str] = []
    for cap in sorted(caps, key=lambda cap: cap.scope):
        limit = _NO_LIMIT if cap.limit is None else cap.limit
        values = {"scope": cap.scope, "amount": amount, "cap": limit}
        if connection.change(_RESERVE, values) != 1:
            for scope in reserved:
                settle(connection, [scope], freed=amount, paid=0)
            return _refusal(cap, limit, amount)
        reserved.append(cap.scope)
    return None


def is_free(scopes: Sequence[str]) -> bool:
    """Tell whether these are the scopes of a call that a free quota covers."""
    return any(scope.startswith(FREE) for scope in scopes)


def settle(connection: Connection, scopes: Sequence[str], *, freed: int, paid: int) -> None:
    """End a reservation and book what was really paid, on the free quota where there is one."""
    if freed == 0 and paid == 0:
        return
    covered = is_free(scopes)
    for scope in sorted(scopes):
        owed = paid if not covered or scope.startswith(FREE) else 0
        values = {"in_scope": scope, "freed": freed, "paid": owed}
        if connection.change(_SETTLE, values) != 1:
            # Nothing was reserved in this scope, yet it cost something.
            connection.change(_FIRST, {"scope": scope, "paid": owed})


def crossed(connection: Connection, caps: Sequence[Cap], paid: int) -> list[tuple[Cap, int]]:
    """Find the watched scopes that this payment took past their mark, with what is spent now."""
    found: list[tuple[Cap, int]] = []
    for cap in caps:
        spent = connection.cell(_SPENT, {"in_scope": cap.scope}) if paid else None
        if spent is not None and cap.alert is not None and spent - paid <= cap.alert < spent:
            found.append((cap, spent))
    return found


def delete_scope(connection: Connection, scope: str) -> None:
    connection.change(_DELETE, {"in_scope": scope})


def _refusal(cap: Cap, limit: int, amount: int) -> BudgetReached:
    # No momentary sums: it is part of results, and must be the same after a restart.
    params: JsonObject = {"scope": cap.scope, "limit": _usd(limit), "amount": _usd(amount)}
    if not cap.remedy:
        return BudgetReached("quota.budget", **params)
    return BudgetReached(
        "quota.budget_remedy", **params, remedy={"code": cap.remedy, "params": {"scope": cap.scope}}
    )


def _usd(amount: int) -> str:
    return f"${amount / MICRO:.6f}".rstrip("0").rstrip(".")


class BudgetBook(DatabaseTable):
    """What is spent and reserved, in micro-dollars, by scope."""

    @reads
    def spent(self, connection: Connection, scopes: Sequence[str]) -> Mapping[str, int]:
        """Return what each scope has spent, without what is only reserved."""
        return {scope: connection.cell(_SPENT, {"in_scope": scope}) or 0 for scope in scopes}

    @reads
    def reserved(self, connection: Connection, scopes: Sequence[str]) -> Mapping[str, int]:
        """Return what calls under way hold back in each scope."""
        return {scope: connection.cell(_RESERVED, {"in_scope": scope}) or 0 for scope in scopes}


class QuotaTable(DatabaseTable):
    """Implements `ports.Quota`."""

    @writes
    def take(self, connection: Connection, scope: str, key: str, limit: int, at: datetime) -> Grant:
        # Counting and adding must be one step, whoever else counts.
        connection.dialect.lock_purpose(connection.raw, f"groundwire quota {scope}")
        used = _used(connection, scope, at)
        if connection.one(_TAKEN, {"of_scope": scope, "of_key": key}) is not None:
            return Grant(granted=True, used=used, limit=limit)
        if used >= limit:
            # No momentary count: it is part of results.
            reason, params = "quota.tool_calls", {"limit": limit}
            return Grant(granted=False, used=used, limit=limit, reason=reason, params=params)
        connection.change(_TAKE, {"scope": scope, "key": key, "day": _day(at), "at": to_us(at)})
        return Grant(granted=True, used=used + 1, limit=limit)

    @reads
    def used(self, connection: Connection, scope: str, at: datetime) -> int:
        return _used(connection, scope, at)


def _day(at: datetime) -> str:
    return f"{at:%Y-%m-%d}"


def _used(connection: Connection, scope: str, at: datetime) -> int:
    return connection.cell(_USES, {"of_scope": scope, "of_day": _day(at)})
