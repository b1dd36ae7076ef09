"""What a caller hands the gateway: the call, its scope, and how to send it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Literal

from groundwire.model.base import JsonObject, fingerprint
from groundwire.model.call import CallKind, Cap, Lease, call_key, run_scope
from groundwire.model.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Sharing:
    """For how long runs may share an answer, and when a stored one is still fresh.

    `fresh` is for pages, which stay useful for a conditional GET after they go stale.
    """

    seconds: float = 0.0
    fresh: Callable[[JsonObject, datetime, datetime], bool] | None = None


@dataclass(frozen=True)
class Call:
    """One outside call: `request` is canonical and holds no authentication."""

    kind: CallKind
    provider: str
    request: JsonObject
    occasion: str = ""
    lane: str = ""  # what limits and breakers count by: a provider or a host
    estimate: int = 0  # micro-dollars reserved before sending
    purse: Cap | None = None  # a budget that pays for it instead of the run's own
    free: Callable[[datetime], Cap] | None = None  # the vendor's free quota at a moment
    timeout: float = 10.0
    tries: int = 3
    sharing: Sharing = Sharing()

    @cached_property
    def key(self) -> str:
        return call_key(self.kind, self.provider, self.request, self.occasion)

    @cached_property
    def shared_key(self) -> str:
        """The key that calls which may share one answer have in common.

        A model's votes differ by occasion and are never the same call; a page or a search is the
        same whenever it is requested.
        """
        occasion = self.occasion if self.kind in ("model", "push") else ""
        return fingerprint([self.kind, self.provider, self.request, occasion])


@dataclass(frozen=True, slots=True)
class Sending:
    """What the gateway tells the sender."""

    idempotency_key: str  # the same when a crashed call is sent again
    stale: JsonObject | None = None  # a cached answer that needs revalidation


@dataclass(frozen=True, slots=True)
class Reply:
    """What the sender gives back."""

    response: JsonObject
    cost: int = 0  # micro-dollars


Send = Callable[[Sending], Awaitable[Reply]]


@dataclass(slots=True)
class Scope:
    """What a run brings to each of its calls."""

    lease: Lease
    now: datetime  # the run's own clock, fixed at submit
    caps: Callable[[datetime], tuple[Cap, ...]]
    mode: Literal["live", "replay"] = "live"
    offline: bool = False
    # A run that was never claimed before has no records: look-ups are skipped for keys that this
    # process has not written itself.
    fresh: bool = False
    seen: set[str] = field(default_factory=set[str])
    looked_up: set[str] = field(default_factory=set[str])  # every key that was looked for
    outside: bool = False  # whether an outside call was made, or a shared answer used
    # Keys of calls that failed at the other side, and how many there may be before none is made.
    faults: set[str] = field(default_factory=set[str])
    most_faults: int | None = None
    missing: list[Phrase] = field(default_factory=list[Phrase])  # what a replay did not find
    # The run was given another time than its own: what runs share counts by that time for it.
    wound: bool = False

    def limits(self, call: Call, now: datetime) -> tuple[Cap, ...]:
        """Return what limits a call: the run's budgets, with the call's own purse in the place of the run's own."""
        caps = self.caps(now)
        if call.purse is None:
            return caps
        own = run_scope(self.lease.run_id)
        return (call.purse, *(cap for cap in caps if cap.scope != own))
