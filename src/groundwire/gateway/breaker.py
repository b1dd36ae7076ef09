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
from groundwire.words import words

_PLAN = 3600.0  # seconds: where nobody says when a plan begins anew, it is looked at every hour
_NOWHERE = 10.0  # without a network, nobody queues up to find that out
_LONGEST = 86_400.0  # a plan may be raised meanwhile: nobody is left alone for more than a day


def pause(error: OutsideFailure) -> float | None:
    """Seconds that a provider is off by its own word, for every process: its plan is used up, or
    it has said when it will answer again."""
    if isinstance(error, PlanLimit):
        return min(error.retry_after or _PLAN, _LONGEST)
    if isinstance(error, RateLimited) and (error.retry_after or 0.0) > PATIENCE:
        return min(error.retry_after or 0.0, _LONGEST)
    return None


@dataclass(slots=True)
class _Lane:
    faults: int = 0
    open_until: float = 0.0
    probing: bool = False
    why: object = ""  # a phrase


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
            raise BreakerOpen(
                "outside.left_alone", who=lane, why=state.why, retry_after=round(wait, 1)
            )
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
        state.why = error.phrase
        seconds = self._pause(state, error)
        if seconds is not None:
            self.hold(kind, lane, seconds, error.phrase)

    def hold(self, kind: str, lane: str, seconds: float, why: object) -> None:
        """Leave a lane alone; a lesser fault of a call that was under way does not shorten it."""
        state = self._lanes.setdefault((kind, lane), _Lane())
        state.why = why
        state.open_until = max(state.open_until, self._clock() + min(seconds, _LONGEST))

    def forget(self, kind: str) -> None:
        """Leave no lane of this kind alone any more."""
        for each in [each for each in self._lanes if each[0] == kind]:
            del self._lanes[each]

    def _pause(self, state: _Lane, error: OutsideFailure) -> float | None:
        """Seconds that the lane is left alone after this failure; None: it may go on."""
        if (wanted := pause(error)) is not None:
            return wanted
        if isinstance(error, AuthRejected):
            return self._cooldown * 10
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
            lane: words("en").listed([state.why])
            for (of, lane), state in sorted(self._lanes.items())
            if of == kind and state.open_until > now
        }
