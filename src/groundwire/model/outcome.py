"""Outcomes of judged events: people's feedback, the scores it labels, and the calibration."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from groundwire.model.base import Instant, Value
from groundwire.model.claim import Verdict

Outcome = Literal["true", "false", "partly"]


class Feedback(Value):
    """What a person or a feed says came true; only ever added, the newest holds."""

    run_id: str
    outcome: Outcome
    by: str
    note: str = ""
    at: Instant


class FeedbackEntry(Feedback):
    """Feedback beside the signal that it is about."""

    summary: str
    verdict: Verdict
    confidence: float


class Labelled(Value):
    """A score with what came of it: the pairs that calibration is fitted on."""

    run_id: str
    score: float = Field(ge=0, le=1)
    outcome: Outcome
    labelled_at: Instant


class SourceRecord(Value):
    """How often a source was right, by what is known of the outcomes.

    A channel is right when its message came true; a publisher when it supported what came true or
    contradicted what did not.
    """

    source: str
    kind: Literal["message", "publisher"]
    hits: int = 0
    misses: int = 0
    partly: int = 0

    @property
    def rate(self) -> float | None:
        """The share of hits, a partly true one as half; None without any."""
        count = self.hits + self.misses + self.partly
        return (self.hits + 0.5 * self.partly) / count if count else None


class Tenth(Value):
    """A tenth of the scale: how many scores fell into it, their mean, and what share came true."""

    low: float
    high: float
    samples: int
    score: float | None = None
    value: float | None = None


class Calibration(Value):
    """What earlier signals with a known outcome say a score is worth: an isotonic step function."""

    fitted_at: Instant
    samples: int
    scores: tuple[float, ...]  # ascending left ends of steps
    values: tuple[float, ...]  # observed share of true ones, never falling
