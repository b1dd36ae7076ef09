"""The end of a run: one value, written in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from groundwire.model.base import Instant, JsonObject
from groundwire.model.event import Draft, EventType, event_key
from groundwire.model.history import JudgedEvent
from groundwire.model.memory import Lesson
from groundwire.model.outbox import Parcel
from groundwire.model.run import RunState, digest

_EVENTS: dict[RunState, EventType] = {
    "complete": "complete",
    "degraded": "complete",
    "failed": "failed",
    "cancelled": "cancelled",
}


@dataclass(frozen=True)
class Ending:
    """How a run ends and what it leaves; completed means that all of it is saved (law 11)."""

    state: RunState
    at: Instant
    result: JsonObject | None = None
    error: str | None = None
    reason: str = ""  # a code, where the state alone does not say why
    lessons: Sequence[Lesson] = ()  # what memory learns
    learned_at: Instant | None = None  # by the run's clock, where that was wound; None: `at`
    event: JudgedEvent | None = None  # what the memory of judged events keeps
    told: bool = False  # whether it found something to tell, whoever wants to be told
    parcels: Sequence[Parcel] = ()  # for the outbox
    drafts: Sequence[Draft] = ()  # events that were not written before

    @property
    def finished(self) -> bool:
        """Whether a run can end in this state."""
        return self.state in _EVENTS

    @cached_property
    def digest(self) -> str | None:
        """The digest of the result, if there is one."""
        return None if self.result is None else digest(self.result)

    def closing(self, run_id: str, attempt: int) -> Draft:
        """Build the last event of the run."""
        payload: JsonObject = {"status": self.state, "digest": self.digest}
        if self.error is not None:
            payload["error"] = self.error
        if self.reason:
            payload["reason"] = self.reason
        kind = _EVENTS[self.state]
        key = event_key(run_id, attempt, "", kind, 0)
        return Draft(key=key, attempt=attempt, step="", type=kind, payload=payload)
