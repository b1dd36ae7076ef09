"""What was spent, and on what: sums of the ledger, in whole micro-dollars."""

from __future__ import annotations

from datetime import date

from groundwire.model.base import Instant, Value
from groundwire.model.call import CallKind, Via
from groundwire.model.claim import Verdict
from groundwire.model.history import Path
from groundwire.model.outcome import Outcome


class CostLine(Value):
    """Calls of one day (UTC) that are alike: asked for by one kind of job, had in one way."""

    day: date
    job: str
    kind: CallKind
    provider: str
    via: Via
    calls: int  # that were sent, or answered without sending; refusals of ours are none
    failed: int = 0
    micro: int = 0  # spent; calls without an answer yet count at their estimate
    unsettled: int = 0  # calls without an answer yet
    covered: int = 0  # calls that a vendor's free quota paid for
    saved: int = 0  # what answers without sending would have cost at the list price


class OwnerLine(Value):
    """What the runs of one owner sent and spent."""

    owner: str
    runs: int
    calls: int
    micro: int


class Rolled(Value):
    """A judged message, as a comparison of the rollout's two sides needs it."""

    run_id: str
    at: Instant
    path: Path
    rolled_in: bool
    preliminary: float
    confidence: float
    verdict: Verdict
    outcome: Outcome | None = None
    tool_calls: int = 0
    calls: int = 0  # that were sent outside
    micro: int = 0
