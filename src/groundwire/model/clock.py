"""The one clock of an app, used for caching, counting, budgets and schedules."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


def utc_now() -> datetime:
    """Return the machine's time. Leases use it, whatever an app's clock is set to."""
    return datetime.now(UTC)


class Clock:
    """The machine's time, plus an offset."""

    _ahead = timedelta()

    def __call__(self) -> datetime:
        return utc_now() + self._ahead

    def wind(self, by: timedelta) -> None:
        """Move the clock forward, for everything that shares it."""
        self._ahead += by
