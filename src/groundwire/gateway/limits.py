"""How many calls run at once, and how many start per second, by provider and host."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyrate_limiter import Limiter


@dataclass(frozen=True, slots=True)
class Limit:
    """`at_once` calls under way; `per_second` starts (None: unlimited)."""

    at_once: int = 8
    per_second: float | None = None


@dataclass(eq=False)
class Limits:
    """Limits by kind and lane (an engine and a vendor of models may share a name); a lane that is
    not named takes the default of its kind.

    `totals` limits a kind over all its lanes: pages of many hosts share our own connection.
    """

    lanes: Mapping[tuple[str, str], Limit]
    kinds: Mapping[str, Limit]
    totals: Mapping[str, int] = field(default_factory=dict[str, int])

    def __post_init__(self) -> None:
        self._totals = {kind: asyncio.Semaphore(most) for kind, most in self.totals.items()}
        self._slots: dict[tuple[str, str], asyncio.Semaphore] = {}
        self._rates: dict[tuple[str, str], Limiter] = {}
        self._gaps: dict[tuple[str, str], float] = {}
        self._next: dict[tuple[str, str], float] = {}

    def pace(self, kind: str, lane: str, seconds: float) -> None:
        """Let at least this much time pass between two starts in a lane from now on."""
        self._gaps[kind, lane] = seconds

    def of(self, kind: str, lane: str) -> Limit:
        return self.lanes.get((kind, lane)) or self.kinds.get(kind) or Limit()

    def slot(self, kind: str, lane: str) -> asyncio.Semaphore:
        if (kind, lane) not in self._slots:
            self._slots[kind, lane] = asyncio.Semaphore(self.of(kind, lane).at_once)
        return self._slots[kind, lane]

    def line(self, kind: str) -> AbstractAsyncContextManager[object]:
        """Return the limit that all lanes of a kind share, held for one try."""
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
