"""What searches cost: a vendor's list price with its date and source, and its free quota."""

from __future__ import annotations

from datetime import UTC, date, datetime, tzinfo
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from groundwire.model.base import Value
from groundwire.model.call import MICRO, Cap


class Listed(Value):
    """One line of the price table; it stands in the provider's own file.

    A credit is what the vendor counts: one search, or a part of a dear one.
    """

    usd_per_credit: float
    free_credits: int = 0
    renewed: Literal["month", "day", "once"] = "month"  # when the free ones begin anew
    zone: str = "UTC"  # whose midnight that is
    as_of: date
    source: str


class Tariff(Value):
    """What holds here: the list, or what the user has said instead."""

    provider: str
    listed: Listed | None
    usd_per_credit: float
    free_credits: int
    known: bool  # False: nobody has named a price; it is counted as nothing

    @property
    def micro(self) -> int:
        """Micro-dollars of a credit."""
        return round(self.usd_per_credit * MICRO)

    def free(self, now: datetime) -> Cap:
        """The free quota at a moment: its scope, and what it is worth at the price of a credit."""
        scope = ":".join(part for part in ("free", self.provider, self.period(now)) if part)
        return Cap(scope=scope, limit=self.free_credits * self.micro)

    def period(self, now: datetime) -> str:
        """The month or day that the free quota of a moment belongs to; "" where it never ends."""
        listed = self.listed
        local = now.astimezone(_zone(listed.zone if listed else "UTC"))
        forms = {"month": f"{local:%Y-%m}", "day": f"{local:%Y-%m-%d}", "once": ""}
        return forms[listed.renewed if listed else "month"]


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError:  # a system without the zones' tables
        return UTC
