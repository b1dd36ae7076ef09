"""Circuit breakers: a provider that keeps failing is left alone for a while."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field

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

_PLAN = 3600.0  # seconds between tries where nobody says when a plan begins anew
_NO_NETWORK = 10.0  # so that calls do not queue up to find out that there is none
_LONGEST = 86_400.0  # a plan may be raised meanwhile, so a day is the longest pause


def pause(error: OutsideFailure) -> float | None:
    """Return for how many seconds a provider says it is off, in every process, if it says so."""
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


@dataclass(eq=False)
class Breakers:
    """One breaker per kind and lane: an engine and a vendor of models may share a name.

    `clock` is monotonic seconds.
    """

    clock: Callable[[], float]
    _: KW_ONLY
    threshold: int = 5
    cooldown: float = 30.0
    _lanes: dict[tuple[str, str], _Lane] = field(default_factory=dict, init=False)

    def check(self, kind: str, lane: str) -> None:
        """Raise while open; after the cool-down exactly one caller may probe."""
        state = self._lanes.get((kind, lane))
        if state is None or state.open_until == 0.0:
            return
        now = self.clock()
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
        """Keep a lane closed to calls; a lesser fault of a call under way does not shorten it."""
        state = self._lanes.setdefault((kind, lane), _Lane())
        state.why = why
        state.open_until = max(state.open_until, self.clock() + min(seconds, _LONGEST))

    def forget(self, kind: str) -> None:
        """Reopen every lane of this kind."""
        self._lanes = {lane: state for lane, state in self._lanes.items() if lane[0] != kind}

    def _pause(self, state: _Lane, error: OutsideFailure) -> float | None:
        """Return for how many seconds to leave the lane alone after this failure; None: not at all."""
        if (requested := pause(error)) is not None:
            return requested
        if isinstance(error, AuthRejected):
            return self.cooldown * 10
        if isinstance(error, OutOfReach):
            return _NO_NETWORK
        if state.faults >= self.threshold:
            return error.retry_after or self.cooldown
        return None

    def abandoned(self, kind: str, lane: str) -> None:
        """Note that a call ended without saying anything of the provider (cancelled, our refusal)."""
        state = self._lanes.get((kind, lane))
        if state is not None:
            state.probing = False

    def states(self, kind: str) -> dict[str, str]:
        """Return the open lanes of a kind with their reasons, for `gw providers` and metrics."""
        now = self.clock()
        return {
            lane: words("en").listed([state.why])
            for (lane_kind, lane), state in sorted(self._lanes.items())
            if lane_kind == kind and state.open_until > now
        }
