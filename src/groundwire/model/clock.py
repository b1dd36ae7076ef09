"""The one clock of an app: what is cached, counted, spent and scheduled goes by it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


def utc_now() -> datetime:
    """Return the time of the machine. Leases go by it, however an app's clock is wound."""
    return datetime.now(UTC)


class Clock:
    """The machine's time, or another that somebody has wound it to."""

    _ahead = timedelta()

    def __call__(self) -> datetime:
        return utc_now() + self._ahead

    def wind(self, by: timedelta) -> None:
        """Move the clock; everything that has this clock moves with it."""
        self._ahead += by
