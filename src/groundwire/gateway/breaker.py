"""Circuit breakers: a provider that keeps failing is left alone for a while."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from groundwire.errors import (
    AuthRejected,
    BreakerOpen,
    OutOfReach,
    OutsideFailure,
    PlanLimit,
    RateLimited,
)
from groundwire.gateway.retry import PATIENCE

_PLAN = 3600.0  # seconds: where nobody says when a plan begins anew, it is looked at every hour
_NOWHERE = 10.0  # without a network, nobody queues up to find that out
_LONGEST = 86_400.0  # a plan may be raised meanwhile: nobody is left alone for more than a day


@dataclass(slots=True)
class _Lane:
    faults: int = 0
    open_until: float = 0.0
    probing: bool = False
    why: str = ""


class Breakers:
    """One breaker per kind and lane: an engine and a vendor of models may share a name.

    `clock` is monotonic seconds.
    """

    def __init__(
        self, clock: Callable[[], float], *, threshold: int = 5, cooldown: float = 30.0
    ) -> None:
        self._clock = clock
        self._threshold = threshold
        self._cooldown = cooldown
        self._lanes: dict[tuple[str, str], _Lane] = {}

    def check(self, kind: str, lane: str) -> None:
        """Raise while open; after the cool-down exactly one caller may probe."""
        state = self._lanes.get((kind, lane))
        if state is None or state.open_until == 0.0:
            return
        now = self._clock()
        if now < state.open_until or state.probing:
            wait = max(0.0, state.open_until - now)
            raise BreakerOpen(f"{lane} is left alone: {state.why}", retry_after=round(wait, 1))
        state.probing = True

    def succeeded(self, kind: str, lane: str) -> None:
        self._lanes.pop((kind, lane), None)

    def failed(self, kind: str, lane: str, error: OutsideFailure) -> None:
        if not error.provider_fault:
            self.abandoned(kind, lane)
            return
        state = self._lanes.setdefault((kind, lane), _Lane())
        state.faults += 1
        state.probing = False
        state.why = error.message
        hold = self._hold(state, error)
        if hold is not None:
            # A lesser fault of a call that was under way does not shorten it.
            until = self._clock() + min(hold, _LONGEST)
            state.open_until = max(state.open_until, until)

    def _hold(self, state: _Lane, error: OutsideFailure) -> float | None:
        """Seconds that the lane is left alone after this failure; None: it may go on."""
        if isinstance(error, PlanLimit):
            return error.retry_after or _PLAN
        if isinstance(error, AuthRejected):
            return self._cooldown * 10
        if isinstance(error, RateLimited) and (error.retry_after or 0.0) > PATIENCE:
            return error.retry_after  # it has said when it will answer again
        if isinstance(error, OutOfReach):
            return _NOWHERE
        if state.faults >= self._threshold:
            return error.retry_after or self._cooldown
        return None

    def abandoned(self, kind: str, lane: str) -> None:
        """The call ended without saying anything about the provider (cancelled, our refusal)."""
        state = self._lanes.get((kind, lane))
        if state is not None:
            state.probing = False

    def states(self, kind: str) -> dict[str, str]:
        """Open lanes of a kind with their reason, for `gw providers` and metrics."""
        now = self._clock()
        return {
            lane: state.why
            for (of, lane), state in sorted(self._lanes.items())
            if of == kind and state.open_until > now
        }
