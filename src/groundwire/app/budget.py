"""What a run may spend: the limits of the desk, of its owner, and of its own."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from datetime import datetime

from groundwire.errors import InputError
from groundwire.model.access import Caller
from groundwire.model.call import MICRO, Cap, run_scope
from groundwire.model.run import Run
from groundwire.settings.schema import BudgetSettings

OWN = "run"  # the name of a run's own budget among its limits
AGREED = "agreed"  # and of what a person was told that it may cost, and agreed to
DAYS_OF_A_MONTH = 30  # the month's budget is split into so many daily shares
_MOST_USD = 1e9
_PERIODS = {"day": "%Y-%m-%d", "month": "%Y-%m"}


def own_limits(
    budget_usd: float | None,
    shared_usd: Mapping[str, float],
    owner: Caller,
    agreed_usd: float | None = None,
) -> dict[str, int]:
    """Return a run's own limits in micro-dollars; nobody gives a run more than they may spend."""
    limits = dict(shared_usd)
    if agreed_usd is not None:
        limits[AGREED] = agreed_usd
    if budget_usd is not None:
        limits[OWN] = budget_usd if owner.day_usd is None else min(budget_usd, owner.day_usd)
    for usd in limits.values():
        if not (math.isfinite(usd) and 0 <= usd <= _MOST_USD):
            raise InputError("error.no_budget", hint="hint.budget")
    return {name: round(usd * MICRO) for name, usd in sorted(limits.items())}


def caps_of(run: Run, desk: BudgetSettings, now: datetime) -> tuple[Cap, ...]:
    """Return a run's limits at a moment, in whole micro-dollars: what its owner may spend in a day,
    its own, those that it shares, the day's and the month's."""
    month = micro(desk.month_usd)
    return (
        *_owner_cap(run, now),
        _run_cap(run, desk),
        *_shared(run, now),
        Cap(
            scope=f"day:{now:%Y-%m-%d}",
            limit=micro(desk.day_usd),
            alert=None if month is None else month // DAYS_OF_A_MONTH,
            remedy="remedy.day",
        ),
        Cap(scope=f"month:{now:%Y-%m}", limit=month, remedy="remedy.month"),
    )


def _owner_cap(run: Run, now: datetime) -> tuple[Cap, ...]:
    if run.owner_day_micro is None:
        return ()
    scope = f"owner:{run.owner}:{now:%Y-%m-%d}"
    return (Cap(scope=scope, limit=run.owner_day_micro, remedy="remedy.token"),)


def _run_cap(run: Run, desk: BudgetSettings) -> Cap:
    most, own = micro(desk.run_usd), run.budgets.get(OWN)
    scope = run_scope(run.id)
    if (agreed := run.budgets.get(AGREED)) is not None:
        # The usual limit is for runs of which nobody said what they cost.
        return Cap(scope=scope, limit=agreed, remedy="remedy.agreed")
    if own is not None and (most is None or own <= most):
        return Cap(scope=scope, limit=own, remedy="remedy.own")
    return Cap(scope=scope, limit=most, remedy="remedy.run")


def _shared(run: Run, now: datetime) -> Iterator[Cap]:
    """Yield the limits that several runs share: `schedule:ID:month` is counted anew each month."""
    for name, limit in run.budgets.items():
        if name not in (OWN, AGREED):
            yield Cap(scope=scope_at(name, now), limit=limit, remedy="remedy.named")


def scope_at(name: str, now: datetime) -> str:
    """Return where a shared limit is counted at a moment: `NAME:month` anew each month."""
    what, _, period = name.rpartition(":")
    return f"{what}:{now:{_PERIODS[period]}}" if period in _PERIODS else name


def micro(usd: float | None) -> int | None:
    return None if usd is None else round(usd * MICRO)
