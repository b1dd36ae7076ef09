"""Circuit breakers: a provider that keeps failing is left alone for a while."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from groundwire.errors import AuthRejected, BreakerOpen, OutsideFailure, PlanLimit


@dataclass(slots=True)
class _Lane:
    faults: int = 0
    open_until: float = 0.0
    probing: bool = False
    why: str = ""


class Breakers:
    """One breaker per lane; `clock` is monotonic seconds."""

    def __init__(
        self, clock: Callable[[], float], *, threshold: int = 5, cooldown: float = 30.0
    ) -> None:
        self._clock = clock
        self._threshold = threshold
        self._cooldown = cooldown
        self._lanes: dict[str, _Lane] = {}

    def check(self, lane: str) -> None:
        """Raise while open; after the cool-down exactly one caller may probe."""
        state = self._lanes.get(lane)
        if state is None or state.open_until == 0.0:
            return
        now = self._clock()
        if now < state.open_until or state.probing:
            wait = max(0.0, state.open_until - now)
            raise BreakerOpen(f"{lane} is left alone: {state.why}", retry_after=round(wait, 1))
        state.probing = True

    def succeeded(self, lane: str) -> None:
        self._lanes.pop(lane, None)

    def failed(self, lane: str, error: OutsideFailure) -> None:
        if not error.provider_fault:
            self.abandoned(lane)
            return
        state = self._lanes.setdefault(lane, _Lane())
        state.faults += 1
        state.probing = False
        state.why = error.message
        if isinstance(error, PlanLimit):
            # A used-up plan does not come back in seconds; look again in an hour.
            state.open_until = self._clock() + (error.retry_after or 3600.0)
        elif isinstance(error, AuthRejected):
            state.open_until = self._clock() + self._cooldown * 10
        elif state.faults >= self._threshold:
            state.open_until = self._clock() + (error.retry_after or self._cooldown)

    def abandoned(self, lane: str) -> None:
        """The call ended without saying anything about the provider (cancelled, our refusal)."""
        state = self._lanes.get(lane)
        if state is not None:
            state.probing = False

    def states(self) -> dict[str, str]:
        """Open lanes with their reason, for `gw providers` and metrics."""
        now = self._clock()
        return {n: s.why for n, s in sorted(self._lanes.items()) if s.open_until > now}
