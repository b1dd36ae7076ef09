"""Costs: what was spent against its limits, and on what."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from groundwire.app.costs import Spending
from groundwire.app.rollout import Rollout
from groundwire.doors.api.door import Admin, DeskHere

router = APIRouter(prefix="/api/costs", tags=["desk"])
_MONTH = r"(19[7-9][0-9]|2[0-9]{3})-(0[1-9]|1[0-2])"
_DAYS = r"[1-9][0-9]?|[12][0-9]{2}|3[0-5][0-9]|36[0-6]"
Period = Annotated[
    str | None,
    Query(
        pattern=f"^({_MONTH}|{_DAYS})$",
        description="a month, `2026-11`, or a number of days up to today, `30`; unset: this month",
        examples=["2026-11", "30"],
    ),
]


@router.get("", summary="What was spent")
async def spending(desk: DeskHere, _who: Admin, period: Period = None) -> Spending:
    """Return what was spent: totals come from the budgets, their breakdown from the ledger."""
    days, month = _parse_period(period)
    return await desk.app.costs.spending(days=days, month=month)


@router.get("/rollout", summary="Messages rolled in beside those rolled out")
async def rollout(desk: DeskHere, _who: Admin, period: Period = None) -> Rollout:
    """Compare what going deep costs with what it is worth, over the same days."""
    days, month = _parse_period(period)
    return await desk.app.costs.rollout(days=days, month=month)


def _parse_period(period: str | None) -> tuple[int | None, str]:
    if period is None:
        return None, ""
    return (None, period) if "-" in period else (int(period), "")
