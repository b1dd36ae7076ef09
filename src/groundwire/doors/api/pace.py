"""How often a token may ask: a bucket for each that fills evenly over a minute."""

from __future__ import annotations

import time
from collections.abc import Callable

from groundwire.errors import TooMany
from groundwire.model.access import Caller

_MINUTE = 60.0
_MOST = 10_000  # buckets; those that are full again are forgotten


class Pace:
    """Requests of each caller against its limit, in this process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}  # what is left, and when

    def take(self, who: Caller) -> None:
        """One request; raises `TooMany` when the minute's are used up."""
        if who.per_minute is None:
            return
        now = self._clock()
        left, at = self._buckets.get(who.id, (float(who.per_minute), now))
        left = min(float(who.per_minute), left + (now - at) * who.per_minute / _MINUTE)
        if left < 1.0:
            wait = (1.0 - left) * _MINUTE / who.per_minute
            self._buckets[who.id] = (left, now)
            raise TooMany("error.pace", n=who.per_minute, retry_after=wait)
        if len(self._buckets) >= _MOST:
            self._buckets.clear()
        self._buckets[who.id] = (left - 1.0, now)
