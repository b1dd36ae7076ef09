"""The record of an outside call or a recorded read: what the ledger holds."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field

from groundwire.errors import OutsideFailure, outside_failures
from groundwire.model.base import Instant, JsonObject, Value, fingerprint
from groundwire.model.phrase import Phrase, error_fields

CallKind = Literal["search", "fetch", "model", "embed", "data", "push", "read"]
Outcome = Literal["intent", "ok", "failed"]
# Where the answer came from: a call of our own, the cross-run cache, another caller's call that was
# joined, or our own store (archive, memory).
Via = Literal["sent", "cache", "joined", "local"]

MICRO = 1_000_000  # costs are whole micro-dollars: sums of floats do not add up


def call_key(kind: CallKind, provider: str, request: JsonObject, occasion: str) -> str:
    """Return the key of a call: what it asks, not when it was made (ledger rule c)."""
    return fingerprint([kind, provider, request, occasion])


class CallError(Value):
    """A failure as recorded."""

    code: str
    message: str  # a code of the catalogue
    params: JsonObject = Field(default_factory=dict)
    status: int | None = None
    retry_after: float | None = None

    @classmethod
    def of(cls, error: OutsideFailure) -> CallError:
        return cls(
            code=error.code,
            status=error.status,
            retry_after=error.retry_after,
            **error_fields(error),
        )

    def to_exception(self) -> OutsideFailure:
        """Return the exception that this record stands for."""
        kind = outside_failures().get(self.code, OutsideFailure)
        return kind(self.message, retry_after=self.retry_after, status=self.status, **self.params)

    @property
    def phrase(self) -> Phrase:
        return Phrase(code=self.message, params=self.params)


class Lease(Value):
    """The right to write for a run: every ledger write checks that the fence still stands."""

    run_id: str
    fence: int
    attempt: int


def run_scope(run_id: str) -> str:
    """Name the scope in which a run's own budget is counted."""
    return f"run:{run_id}"


def exams_scope(run_id: str) -> str:
    """Name the scope in which the exams that models sit in a run are counted."""
    return f"exams:{run_id}"


class Cap(Value):
    """A limit on a scope (`run:ID`, `day:2026-11-16`, `month:2026-11`), in micro-dollars."""

    scope: str
    limit: int | None  # None: counted, not limited
    alert: int | None = None  # spending past it is reported, once
    remedy: str = ""  # a code: how whoever is refused gets more


class Intent(Value):
    """Written, with the reservation, before anything is sent (ledger rule d)."""

    key: str
    kind: CallKind
    provider: str
    occasion: str
    request: JsonObject
    estimate: int  # micro-dollars
    caps: tuple[Cap, ...]
    free: Cap | None = None  # the vendor's free quota: what it has room for is no money of ours
    at: Instant


class Settlement(Value):
    """Written after the answer: response or error, true cost, and what may be shared."""

    key: str
    outcome: Outcome
    response: JsonObject | None = None
    error: CallError | None = None
    overcome: CallError | None = None  # what the try before the answer met
    cost: int = 0
    latency_ms: int = 0
    tries: int = 1
    at: Instant
    alerts: tuple[Cap, ...] = ()  # scopes that are watched while they are spent from
    cache_key: str | None = None  # set: the answer enters the cross-run cache
    cache_from: Instant | None = None  # None: from `at` on
    cache_until: Instant | None = None


class Recovery(Value):
    """One attempt to have an answer in spite of a failure, as the record has it.

    `error` is the code of the failure, or "empty" where nothing was found; `tried` is "retry",
    "stored", "snippet", "simpler", "language", "place", or the name of the provider that was asked
    next.
    """

    error: str
    tried: str
    outcome: Literal["worked", "failed"]

    @classmethod
    def of(cls, error: str, tried: str, *, worked: bool) -> Recovery:
        return cls(error=error, tried=tried, outcome="worked" if worked else "failed")

    @classmethod
    def in_vain(cls, failure: OutsideFailure) -> tuple[Recovery, ...]:
        """List what was tried against a failure that stayed."""
        return tuple(cls.of(failure.code, tried, worked=False) for tried in failure.in_vain)


class CallRecord(Value):
    """One row of the ledger."""

    run_id: str
    key: str
    attempt: int
    kind: CallKind
    provider: str
    occasion: str
    request: JsonObject
    outcome: Outcome
    response: JsonObject | None = None
    error: CallError | None = None
    overcome: CallError | None = None  # of an answer that took more than one try
    via: Via = "sent"
    estimate: int = 0
    cost: int = 0
    latency_ms: int = 0
    tries: int = 0
    repeated: int = 0  # times it was sent again because a crash hid the answer (rule e)
    started_at: Instant
    finished_at: Instant | None = None

    @property
    def recoveries(self) -> tuple[Recovery, ...]:
        """What it took to have this answer."""
        if self.overcome is None:
            return ()
        return (Recovery.of(self.overcome.code, "retry", worked=True),)


class CallLine(Value):
    """An outside call in short, without what was asked and answered: for what a run cost."""

    kind: CallKind
    provider: str
    prompt: str = ""  # of a model's: the name of the question, without its version
    outcome: Outcome
    via: Via
    micro: int = 0  # spent; without an answer yet it counts at its estimate
    latency_ms: int = 0
    repeated: int = 0


class DayOfCalls(Value):
    """How a provider answered on one day (UTC): calls that were sent, not refusals of ours."""

    provider: str
    day: date
    answered: int
    made: int


class LastCall(Value):
    """The newest call that was sent to a provider: when it ended, and its failure if it failed."""

    provider: str
    at: Instant
    error: CallError | None = None


class CacheEntry(Value):
    """An answer shared between runs."""

    key: str
    response: JsonObject
    stored_at: Instant
    expires_at: Instant
