"""What a run may spend: the limits of the desk, of its owner, and of its own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime

from groundwire.errors import InputError
from groundwire.model.access import Caller
from groundwire.model.call import MICRO, Cap
from groundwire.model.run import Run
from groundwire.settings.schema import BudgetSettings

OWN = "run"  # the name of a run's own budget among its limits
DAYS_OF_A_MONTH = 30  # the month's budget is split into so many daily shares
_MOST_USD = 1e9
_PERIODS = {"day": "%Y-%m-%d", "month": "%Y-%m"}


def own_limits(
    budget_usd: float | None, shared_usd: Mapping[str, float], owner: Caller
) -> dict[str, int]:
    """Return a run's own limits in micro-dollars; nobody gives a run more than they may spend."""
    limits = dict(shared_usd)
    if budget_usd is not None:
        limits[OWN] = budget_usd if owner.day_usd is None else min(budget_usd, owner.day_usd)
    for usd in limits.values():
        if not (math.isfinite(usd) and 0 <= usd <= _MOST_USD):
            raise InputError("error.no_budget", hint="hint.budget")
    return {name: round(usd * MICRO) for name, usd in sorted(limits.items())}


class Caps:
    """A run's limits at a moment, in whole micro-dollars: its own, those that it shares, the
    day's, the month's, and what its owner may spend in a day."""

    def __init__(self, run: Run, desk: BudgetSettings) -> None:
        self._run = run
        self._desk = desk

    def __call__(self, now: datetime) -> tuple[Cap, ...]:
        desk = self._desk
        month = _micro(desk.month_usd)
        return (
            *self._owner_cap(now),
            self._run_cap(),
            *self._shared(now),
            Cap(
                scope=f"day:{now:%Y-%m-%d}",
                limit=_micro(desk.day_usd),
                alert=None if month is None else month // DAYS_OF_A_MONTH,
                remedy="remedy.day",
            ),
            Cap(scope=f"month:{now:%Y-%m}", limit=month, remedy="remedy.month"),
        )

    def _owner_cap(self, now: datetime) -> tuple[Cap, ...]:
        limit = self._run.owner_day_micro
        if limit is None:
            return ()
        scope = f"owner:{self._run.owner}:{now:%Y-%m-%d}"
        return (Cap(scope=scope, limit=limit, remedy="remedy.token"),)

    def _run_cap(self) -> Cap:
        desk, own = _micro(self._desk.run_usd), self._run.budgets.get(OWN)
        scope = f"run:{self._run.id}"
        if own is not None and (desk is None or own <= desk):
            return Cap(scope=scope, limit=own, remedy="remedy.own")
        return Cap(scope=scope, limit=desk, remedy="remedy.run")

    def _shared(self, now: datetime) -> tuple[Cap, ...]:
        """Return the limits that several runs share: `watch:ID:month` is counted anew each month."""
        found: list[Cap] = []
        for name, limit in self._run.budgets.items():
            if name == OWN:
                continue
            what, _, period = name.rpartition(":")
            scope = f"{what}:{now:{_PERIODS[period]}}" if period in _PERIODS else name
            found.append(Cap(scope=scope, limit=limit, remedy="remedy.named"))
        return tuple(found)


def _micro(usd: float | None) -> int | None:
    return None if usd is None else round(usd * MICRO)
