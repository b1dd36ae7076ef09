"""How many calls at once, and how many a second, by provider and host."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyrate_limiter import Limiter


@dataclass(frozen=True, slots=True)
class Limit:
    """`at_once` calls under way; `per_second` starts (None: unlimited)."""

    at_once: int = 8
    per_second: float | None = None


class Limits:
    """Limits by kind and lane (an engine and a vendor of models may share a name); a lane that is
    not named takes the default of its kind.

    `totals` limits a kind over all its lanes: pages of many hosts share our own line.
    """

    def __init__(
        self,
        lanes: Mapping[tuple[str, str], Limit],
        kinds: Mapping[str, Limit],
        totals: Mapping[str, int] | None = None,
    ) -> None:
        self._lanes = lanes
        self._kinds = kinds
        self._totals = {
            kind: asyncio.Semaphore(at_once) for kind, at_once in (totals or {}).items()
        }
        self._slots: dict[tuple[str, str], asyncio.Semaphore] = {}
        self._rates: dict[tuple[str, str], Limiter] = {}
        self._gaps: dict[tuple[str, str], float] = {}
        self._next: dict[tuple[str, str], float] = {}

    def pace(self, kind: str, lane: str, seconds: float) -> None:
        """From now on, let this much time pass between two starts in a lane."""
        self._gaps[kind, lane] = seconds

    def of(self, kind: str, lane: str) -> Limit:
        return self._lanes.get((kind, lane)) or self._kinds.get(kind) or Limit()

    def slot(self, kind: str, lane: str) -> asyncio.Semaphore:
        if (kind, lane) not in self._slots:
            self._slots[kind, lane] = asyncio.Semaphore(self.of(kind, lane).at_once)
        return self._slots[kind, lane]

    def line(self, kind: str) -> AbstractAsyncContextManager[object]:
        """The kind's common line, for the time of one try."""
        return self._totals.get(kind) or nullcontext()

    async def turn(self, kind: str, lane: str) -> None:
        """Wait for this lane's next turn; each try takes one."""
        if gap := self._gaps.get((kind, lane)):
            now = asyncio.get_running_loop().time()
            at = max(now, self._next.get((kind, lane), 0.0))
            self._next[kind, lane] = at + gap
            await asyncio.sleep(at - now)
        per_second = self.of(kind, lane).per_second
        if per_second is None:
            return
        limiter = self._rates.get((kind, lane))
        if limiter is None:
            # 110 ms to import; only those who set a rate pay for it.
            from pyrate_limiter import Limiter, Rate

            whole = max(1, round(per_second))
            limiter = Limiter(Rate(whole, int(1000 * whole / per_second)))
            self._rates[kind, lane] = limiter
        await limiter.try_acquire_async(lane)
