"""Counts of what this process has done: calls, what they cost, how long steps took."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from groundwire.model.call import CallKind, CallRecord

# Seconds: from a look into the cache to a model that thinks.
BOUNDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
REFUSED = "refused"


class Calls(NamedTuple):
    """Calls that are alike. `how`: sent, refused by a budget, or answered without sending."""

    kind: CallKind
    provider: str
    how: str
    outcome: str  # ok, or the code of the failure


class Times:
    """A histogram of durations."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds


class Tally:
    """One per app."""

    def __init__(self) -> None:
        self.calls: Counter[Calls] = Counter()
        self.micro: Counter[tuple[CallKind, str]] = Counter()  # dollars by kind and provider
        self.waits: dict[CallKind, Times] = {}
        self.steps: dict[tuple[str, str], Times] = {}  # by job and step
        self.ended: Counter[str] = Counter()  # runs by their last state

    def called(self, record: CallRecord, how: str) -> None:
        if record.kind == "read":  # of our own store
            return
        outcome = record.outcome if record.error is None else record.error.code
        self.calls[Calls(record.kind, record.provider, how, outcome)] += 1
        if how == "sent":
            self.micro[record.kind, record.provider] += record.cost
            self.waits.setdefault(record.kind, Times()).add(record.latency_ms / 1000)

    def took(self, job: str, latencies: Mapping[str, int]) -> None:
        """Add what a run's steps took, in milliseconds."""
        for step, milliseconds in latencies.items():
            self.steps.setdefault((job, step), Times()).add(milliseconds / 1000)
